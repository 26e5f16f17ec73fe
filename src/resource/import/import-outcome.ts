import { violationsOf } from '../../database/database-errors.js';
import { boundedTogether, joined, RowFault, ValidationFailed, type DomainError } from '../../http/errors.js';
import { ActionReply } from '../../http/replies.js';
import type { ImportOptions } from './import.options.js';
import { isGood, type Row } from './row.js';

const MAX_FAULTS = 1000;

/** What became of the rows of an import. */
export class ImportOutcome {
  created = 0;
  updated = 0;
  unchanged = 0;
  rows = 0;
  private failed = 0;
  private readonly faults: { fault: RowFault; error: unknown }[] = [];
  private readonly ids: (string | null)[] = [];

  constructor(private readonly options: ImportOptions) {}

  /** Counts rows that were written, or have faults. */
  add(rows: readonly Row[]): void {
    this.rows += rows.length;
    for (const row of rows) {
      if (isGood(row)) continue;
      this.failed++;
      const violations = row.refusal === undefined ? [] : violationsOf(row.refusal);
      for (const [place, { field, message, code }] of row.faults.entries()) {
        if (this.faults.length === MAX_FAULTS) break;
        this.faults.push({ fault: new RowFault(field, message, code, row.row, row.line), error: violations[place] });
      }
    }
  }

  keepId({ row }: Row, id: string): void {
    if (this.options.report === 'ids') this.ids[row - 1] = id;
  }

  /** Whether rows failed, so that the others are discarded too. */
  get isRefused(): boolean {
    return this.failed > 0 && this.options.onError === 'abort';
  }

  /**
   * Adds to the faults the records that already have the values of rows.
   * @param otherOf the record that a row conflicts with, in words
   */
  async nameOthers(otherOf: (error: unknown) => Promise<string | undefined>): Promise<void> {
    for (const entry of this.faults) {
      const other = entry.error === undefined ? undefined : await otherOf(entry.error);
      if (other !== undefined) entry.fault = entry.fault.with({ message: `${entry.fault.message}: ${other}` });
    }
  }

  /** @throws DomainError if the import is refused */
  reply(): ActionReply {
    if (this.isRefused) throw this.refusal();
    const { rows, created, updated, unchanged, failed, sortedFaults: faults } = this;
    const ids = Array.from({ length: rows }, (_, index) => this.ids[index] ?? null);
    const summary = {
      rows,
      created,
      updated,
      unchanged,
      failed,
      faults: boundedTogether(faults).map(({ row, line, field, code, message }) => ({
        row,
        line,
        field,
        code,
        message,
      })),
      ...(this.options.report === 'ids' && { ids }),
    };
    return new ActionReply([JSON.stringify(summary)], [], this.options.dryRun);
  }

  refusal(): DomainError {
    const details = this.sortedFaults.map((fault) => {
      const row = `rows[${fault.row}]`;
      return fault.with({ field: fault.field === '' ? row : `${row}.${fault.field}` });
    });
    const count = (n: number): string => n.toLocaleString('en');
    const sentences = joined(details.slice(0, 10).map(String));
    return new ValidationFailed(details, `${count(this.failed)} of ${count(this.rows)} rows failed: ${sentences}`);
  }

  /** Rows that waited for others come after them. */
  private get sortedFaults(): readonly RowFault[] {
    return this.faults.map(({ fault }) => fault).toSorted((a, b) => a.row - b.row);
  }
}
