import { createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import type { Outcome } from './model.js';

export type Counts = Record<Outcome, number> & { read: number };

/** An object that was left out, or a value that was changed on its way. */
export interface Line {
  kind: string;
  id: string;
  /** `leftOut`, or the field of the source or of the record that is different. */
  change: string;
  why: string;
}

/** Lines on the screen for each kind. The file has all of them. */
const SHOWN = 20;

/** What became of every object. The sum of a kind is the number of its objects that were read. */
export class Report {
  readonly counts = new Map<string, Counts>();
  readonly lines: Line[] = [];
  private readonly lineCounts = new Map<string, number>();
  /** Lines for the file, which begins with the counts. */
  private readonly pending: Line[] = [];
  private file?: WriteStream;

  /** @param path a file for all lines as JSON lines; without one there is none */
  constructor(path?: string) {
    if (path !== undefined) this.file = createWriteStream(path);
  }

  count(kind: string, outcome: Outcome, amount = 1): void {
    const counts = this.of(kind);
    counts[outcome] += amount;
    counts.read += amount;
  }

  line(kind: string, id: string, change: string, why: string): void {
    const count = (this.lineCounts.get(kind) ?? 0) + 1;
    this.lineCounts.set(kind, count);
    const line = { kind, id, change, why };
    if (count <= SHOWN) this.lines.push(line);
    if (this.file) this.pending.push(line);
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
    if (!this.file) return;
    for (const [kind, counts] of this.counts) this.file.write(`${JSON.stringify({ kind, ...counts })}\n`);
    for (const line of this.pending) if (!this.file.write(`${JSON.stringify(line)}\n`)) await once(this.file, 'drain');
    this.file.end();
    await once(this.file, 'close');
  }

  /** A table of the counts, and the first lines of each kind. */
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
    const lines = this.lines.map(
      ({ kind, id, change, why }) => `${kind} ${id}: ${change === 'leftOut' ? 'left out' : change}: ${why}`,
    );
    for (const [kind, count] of this.lineCounts) {
      if (count > SHOWN) lines.push(`${kind}: ${count - SHOWN} more; --report FILE has all of them`);
    }
    return [...table, ...(lines.length > 0 ? ['', ...lines] : [])].join('\n');
  }

  private of(kind: string): Counts {
    let counts = this.counts.get(kind);
    if (!counts) this.counts.set(kind, (counts = { read: 0, created: 0, updated: 0, unchanged: 0, leftOut: 0 }));
    return counts;
  }
}
