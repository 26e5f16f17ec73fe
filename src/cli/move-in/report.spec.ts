import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Report } from './report.js';
import { Spool } from './spool.js';

let spool: Spool;
const folder = mkdtempSync(join(tmpdir(), 'report-test-'));
beforeEach(async () => void (spool = await Spool.create()));
afterEach(() => spool.remove());
afterAll(() => rmSync(folder, { recursive: true }));

it('has the counts before all lines in its file, and a reason once on the screen', async () => {
  const path = join(folder, 'report.jsonl');
  const report = new Report(spool, path);
  for (const id of ['1', '2', '3']) report.leftOut('things', id, 'there is no such resource');
  for (let id = 1; id <= 25; id++) report.line('others', String(id), 'name', `'${id}' is long`);
  report.count('others', 'created', 25);
  await report.close();
  const lines = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(lines.slice(0, 3)).toEqual([
    { kind: 'things', read: 3, created: 0, updated: 0, unchanged: 0, leftOut: 3 },
    { kind: 'others', read: 25, created: 25, updated: 0, unchanged: 0, leftOut: 0 },
    { kind: 'things', id: '1', change: 'leftOut', why: 'there is no such resource' },
  ]);
  expect(lines).toHaveLength(2 + 3 + 25);
  const shown = report.summary().split('\n\n')[1]!.split('\n');
  expect(shown.slice(0, 2)).toEqual([
    'things 1 and 2 more: left out: there is no such resource',
    "others 1: name: '1' is long",
  ]);
  expect(shown.slice(-2)).toEqual([
    "others 20: name: '20' is long",
    'others: 5 more lines; --report FILE has all of them',
  ]);
});

it('is refused before the run if its file cannot be written', () => {
  expect(() => new Report(spool, join(folder, 'none', 'report.jsonl'))).toThrow(
    /^The report cannot be written: ENOENT.*none/,
  );
});
