import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { startService, type TestService } from '../support/app.js';
import type { Json } from '../support/document.js';
import { samplesOf } from '../support/metrics.js';
import { describeWith, run } from '../support/tools.js';

/* The files of monitoring/ against the metrics of the service and docs/operations.md. */

const root = join(__dirname, '../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

const alerts = (parse(read('monitoring/alerts.yml')) as { groups: { rules: Alert[] }[] }).groups.flatMap(
  ({ rules }) => rules,
);
const { panels, templating } = JSON.parse(read('monitoring/dashboard.json')) as Json;
const expressions: string[] = [
  ...alerts.map(({ expr }) => expr),
  ...panels.flatMap((panel: Json) => (panel.targets ?? []).map(({ expr }: Json) => expr)),
  ...templating.list.map(({ query }: Json) => query),
];

const METRIC = /\b(?:inventory|http_server|nodejs|process)_\w+/g;
/** A metric of our own with labels that must have certain values: those values are in every scrape. */
const SELECTED = /\b(inventory_\w+)\{([^}]*)\}/g;

let service: TestService;
let names: Set<string>;
let samples: string[];
beforeAll(async () => {
  const token = randomBytes(32).toString('hex');
  service = await startService({ METRICS_TOKEN: token });
  const response = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  samples = [...samplesOf(text).keys()];
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)/gm)];
  names = new Set(
    types.flatMap(([, name, type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => `${name}${end}`) : [name!],
    ),
  );
});
afterAll(() => service.stop());

it('finds expressions in both files', () => {
  expect([alerts.length, expressions.length]).toEqual([expect.any(Number), expect.any(Number)]);
  expect(alerts.length).toBeGreaterThan(15);
  expect(expressions.length).toBeGreaterThan(alerts.length + 30);
});

it.each(expressions)('%s names metrics that the service has', (expression) => {
  const named = [...expression.matchAll(METRIC)].map(([name]) => name);
  expect(named.filter((name) => !names.has(name))).toEqual([]);
  for (const [, name, labels] of expression.matchAll(SELECTED)) {
    for (const [, label, value] of labels!.matchAll(/(state|kind|queue|way)="(\w+)"/g)) {
      expect(samples).toContain(`${name}{${label}="${value}"}`);
    }
  }
});

it('uses every metric of its own in the dashboard', () => {
  const shown = panels.flatMap((panel: Json) => (panel.targets ?? []).map(({ expr }: Json) => expr)).join('\n');
  const own = [...names].filter((name) => name.startsWith('inventory_'));
  expect(own.filter((name) => !new RegExp(String.raw`\b${name}\b`).test(shown))).toEqual([]);
});

it('has a place for each panel, and an id of its own', () => {
  expect(new Set(panels.map(({ id }: Json) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w } }: Json) =>
    Array.from({ length: w }, (_, i) => `${x + i}/${y}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(panels.every(({ gridPos: { x, w } }: Json) => x + w <= 24)).toBe(true);
});

describe('docs/operations.md', () => {
  const sections = [...read('docs/operations.md').matchAll(/^### (Inventory\w+)\n\n([^]+?)(?=\n##)/gm)];

  it('says what to do for each alert, in the same order', () => {
    expect(sections.map(([, name]) => name)).toEqual(alerts.map(({ alert }) => alert));
    expect(sections.filter(([, , text]) => text!.length < 120).map(([, name]) => name)).toEqual([]);
  });

  it('is what the alerts refer to', () => {
    for (const { alert, annotations, labels } of alerts) {
      expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
      expect(['critical', 'warning']).toContain(labels.severity);
    }
  });
});

it('tests each alert when it fires and when it does not', () => {
  const { tests } = parse(read('monitoring/alerts.test.yml')) as { tests: { name: string }[] };
  expect(tests.map(({ name }) => name)).toEqual(
    alerts.flatMap(({ alert }) => [`${alert} fires`, `${alert} does not fire`]),
  );
});

describeWith('promtool')('promtool', () => {
  const file = (name: string): string => join(root, 'monitoring', name);

  it('accepts the rules', async () => {
    expect(await run('promtool', ['check', 'rules', file('alerts.yml')])).toContain(`${alerts.length} rules found`);
  });

  it('sees each alert fire when it should', async () => {
    expect(await run('promtool', ['test', 'rules', file('alerts.test.yml')])).toContain('SUCCESS');
  });

  it('understands the expressions of the dashboard', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'inventory-monitoring-'));
    try {
      const rules = expressions
        .filter((expression) => !expression.startsWith('label_values') && expression !== 'prometheus')
        .map((expression) => ({ record: 'panel', expr: expression.replaceAll('$__rate_interval', '5m') }))
        .map((rule, index) => ({ ...rule, labels: { index: String(index) } }));
      writeFileSync(join(folder, 'rules.yml'), stringify({ groups: [{ name: 'dashboard', rules }] }));
      expect(await run('promtool', ['check', 'rules', join(folder, 'rules.yml')])).toContain('SUCCESS');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
