import { readFileSync } from 'node:fs';
import type { Counts, Line } from '../../src/cli/move-in/report.js';

/** A line of a report of a move: the counts of a kind, or what became of an object. */
export type ReportLine = Pick<Line, 'kind'> & Partial<Line & Counts>;

export const reportAt = (path: string): ReportLine[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ReportLine);

export const countsOf = (lines: readonly ReportLine[], kind: string): ReportLine | undefined =>
  lines.find((line) => line.kind === kind && line.read !== undefined);
