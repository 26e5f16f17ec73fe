// The results of `npm run bench -- compare --write`: results.json, and the tables in README.md and bench/README.md that are generated
// from it. A run replaces the rows that it has measured and keeps the others.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url);
const FILE = new URL('bench/results.json', root);
const KINDS = ['service', 'rows', 'json'];
const START = '<!-- results: written by `npm run bench -- compare --write` -->';
const END = '<!-- /results -->';

const n = (value, digits = 0) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const callersOf = (callers) => (callers === 1 ? 'one' : 'sixteen');
const each = (row, cell) => KINDS.map((kind) => cell(row[kind])).join(' / ');

/** All figures of the rows. */
export function table({ rows, peak }) {
  const lines = rows.map((row) =>
    [
      '',
      row.name,
      callersOf(row.callers),
      each(row, ({ rate }) => n(rate, row.service.rate < 100 ? 1 : 0)),
      each(row, ({ p50 }) => n(p50)),
      each(row, ({ p99 }) => n(p99)),
      each(row, ({ cpu, database }) => `${n(cpu, 2)} + ${n(database, 2)}`),
      `**${n(row.ratio.rows, 2)}**`,
      `**${n(row.ratio.json, 2)}**`,
      row.floor ?? '',
      '',
    ]
      .join(' | ')
      .trim(),
  );
  const firstBytes = rows
    .filter(({ alone }) => alone)
    .map(
      ({ name, alone }) =>
        `\n${name}, one client alone: first byte after ${KINDS.map((kind) => n(alone[kind].first)).join(' / ')} ms, ` +
        `last byte after ${KINDS.map((kind) => n(alone[kind].last)).join(' / ')} ms.`,
    );
  return [
    '| Operation | Callers | requests/s | p50 ms | p99 ms | CPU ms per response | service / rows | service / JSON | floor |',
    '|---|---|---|---|---|---|---|---|---|',
    ...lines,
    ...firstBytes,
    `\nPeak RSS: ${KINDS.map((kind) => n(peak[kind])).join(' / ')} MiB.`,
  ].join('\n');
}

/** The ratios of the main operations, for README.md. */
function summary({ rows }) {
  const main = rows.filter(({ floor }) => floor !== undefined);
  const names = [...new Set(main.map(({ name }) => name))];
  const ratio = (name, callers, kind) => {
    const row = main.find((one) => one.name === name && one.callers === callers);
    return row ? n(row.ratio[kind], 2) : '';
  };
  return [
    '| Rate of the service, compared with | rows, one caller | JSON, one caller | rows, 16 callers | JSON, 16 callers |',
    '|---|---|---|---|---|',
    ...names.map((name) =>
      ['', name, ...[1, 16].flatMap((callers) => ['rows', 'json'].map((kind) => ratio(name, callers, kind))), '']
        .join(' | ')
        .trim(),
    ),
  ].join('\n');
}

/** Where and how it was measured. */
const conditions = ({ measured, rounds, seconds }) =>
  `Measured on ${measured.date} with Node ${measured.node} at ${measured.commit}, on ${measured.cpus} processors: ` +
  `${rounds} rounds of ${seconds} s, 32 connections.`;

const saved = () => JSON.parse(readFileSync(FILE, 'utf8'));

/** Keeps the results of a run. */
export function save({ rows, ...run }) {
  const idOf = ({ key, callers }) => `${key} ${callers}`;
  const merged = new Map(saved().rows.map((row) => [idOf(row), row]));
  for (const row of rows) merged.set(idOf(row), row);
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: fileURLToPath(root),
    encoding: 'utf8',
  }).trim();
  const measured = {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    commit,
    cpus: cpus().length,
  };
  writeFileSync(FILE, `${JSON.stringify({ measured, ...run, rows: [...merged.values()] }, null, 2)}\n`);
}

/** Writes the tables into the pages. */
export function write() {
  const results = saved();
  const parts = { 'README.md': summary(results), 'bench/README.md': table(results) };
  for (const [page, figures] of Object.entries(parts)) {
    const file = new URL(page, root);
    const text = readFileSync(file, 'utf8');
    const [start, end] = [text.indexOf(START), text.indexOf(END)];
    if (start < 0 || end < start) throw new Error(`${page} must have the line ${START} and after it the line ${END}`);
    writeFileSync(
      file,
      `${text.slice(0, start)}${START}\n\n${figures}\n\n${conditions(results)}\n\n${text.slice(end)}`,
    );
  }
}
