import { closeSync, createReadStream, createWriteStream, openSync, writeSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '../remote.js';
import type { Outcome } from './model.js';
import type { Spool } from './spool.js';

export type Counts = Record<Outcome, number> & { read: number };

/** An object that was left out, or a value that was changed. */
export interface Line {
  kind: string;
  id: string;
  /** `leftOut`, or the field of the source or of the record that differs. */
  change: string;
  why: string;
}

/** Maximum number of different changes on the screen for each kind. The file has all lines. */
const SHOWN = 20;

/** The outcome of every object. The outcomes of a kind add up to the number of objects that were read. */
export class Report {
  readonly counts = new Map<string, Counts>();
  /** Objects that were read. */
  total = 0;
  /** The first line of each change, by kind and text, and the number of lines with the same text. */
  private readonly shown = new Map<string, Map<string, { line: Line; times: number }>>();
  /** Number of lines of other changes, by kind. */
  private readonly more = new Map<string, number>();
  /** The report file. Its first lines are the counts, so the other lines are collected in a separate file until the counts are known. */
  private readonly files?: { report: number; lines: number; linesPath: string };

  /**
   * @param spool provides disk space for the lines, which may be millions
   * @param path a file for all lines as JSON lines; none is written if it is undefined
   * @throws CommandError if it cannot be written
   */
  constructor(spool: Spool, path?: string) {
    if (path === undefined) return;
    const linesPath = spool.pathOf('report');
    try {
      this.files = { report: openSync(path, 'w'), lines: openSync(linesPath, 'w'), linesPath };
    } catch (error) {
      throw new CommandError(`The report cannot be written: ${(error as Error).message}`);
    }
  }

  count(kind: string, outcome: Outcome, amount = 1): void {
    const counts = this.of(kind);
    counts[outcome] += amount;
    counts.read += amount;
    this.total += amount;
  }

  line(kind: string, id: string, change: string, why: string): void {
    const line = { kind, id, change, why };
    if (this.files) writeSync(this.files.lines, `${JSON.stringify(line)}\n`);
    let shown = this.shown.get(kind);
    if (!shown) this.shown.set(kind, (shown = new Map()));
    const said = `${change}: ${why}`;
    const alike = shown.get(said);
    if (alike) alike.times++;
    else if (shown.size < SHOWN) shown.set(said, { line, times: 1 });
    else this.more.set(kind, (this.more.get(kind) ?? 0) + 1);
  }

  leftOut(kind: string, id: string, why: string): void {
    this.count(kind, 'leftOut');
    this.line(kind, id, 'leftOut', why);
  }

  get hasLeftOut(): boolean {
    return [...this.counts.values()].some(({ leftOut }) => leftOut > 0);
  }

  /** Writes the file: the counts first, then the lines. */
  async close(): Promise<void> {
    if (!this.files) return;
    const { report, lines, linesPath } = this.files;
    closeSync(lines);
    const counts = [...this.counts].map(([kind, of]) => `${JSON.stringify({ kind, ...of })}\n`).join('');
    const all = async function* (): AsyncGenerator<string | Buffer> {
      yield counts;
      yield* createReadStream(linesPath) as AsyncIterable<Buffer>;
    };
    await pipeline(all, createWriteStream('', { fd: report }));
  }

  /** A table of the counts, and the changes of each kind, each of them once. */
  summary(): string {
    const rows = [
      ['Kind', 'Read', 'Created', 'Updated', 'Unchanged', 'Left out'],
      ...[...this.counts].map(([kind, { read, created, updated, unchanged, leftOut }]) => [
        kind,
        ...[read, created, updated, unchanged, leftOut].map(String),
      ]),
    ];
    const total = rows[0]!.map((_, column) =>
      column === 0 ? 'All' : String(rows.slice(1).reduce((sum, row) => sum + Number(row[column]), 0)),
    );
    rows.push(total);
    const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
    const table = rows.map((row) =>
      row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  '),
    );
    const lines = [...this.shown.values()].flatMap((shown) =>
      [...shown.values()].map(
        ({ line: { kind, id, change, why }, times }) =>
          `${kind} ${id}${times > 1 ? ` and ${times - 1} more` : ''}: ${change === 'leftOut' ? 'left out' : change}: ${why}`,
      ),
    );
    for (const [kind, count] of this.more) lines.push(`${kind}: ${count} more lines; --report FILE has all of them`);
    return [...table, ...(lines.length > 0 ? ['', ...lines] : [])].join('\n');
  }

  private of(kind: string): Counts {
    let counts = this.counts.get(kind);
    if (!counts) this.counts.set(kind, (counts = { read: 0, created: 0, updated: 0, unchanged: 0, leftOut: 0 }));
    return counts;
  }
}
