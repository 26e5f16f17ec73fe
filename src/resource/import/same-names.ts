import type { Executor } from '../../database/executor.js';
import { fieldsOf, isStored, type StoredField } from '../../fields/field.js';
import { apartOf, namesRepeat } from '../../fields/record-entity.js';
import { readValue } from '../../fields/validation.js';
import { Fault } from '../../http/errors.js';
import type { RecordSql } from '../../lists/record-sql.js';
import { findReferring, textsById } from '../../records/record-keys.js';
import type { TextColumn } from './columns.js';
import { give, givenFor, isGood, type Row } from './row.js';

/** A text of a row that several records have. */
interface Shared {
  row: Row;
  text: string;
  matches: number;
}

/** Resolves a name that several records have, by references that the row, or the record that it updates, has in common with them. */
export class SameNames {
  /** Uses that wait until it is known which records the rows update. */
  private readonly waiting = new Map<TextColumn, Shared[]>();

  /** @param key the fields by which rows find the records to update; none if they update nothing */
  constructor(
    private readonly db: Executor,
    private readonly resource: RecordSql,
    private readonly key: readonly StoredField[],
  ) {}

  /**
   * For a target whose names often repeat: its references that the imported records also have. For example, a rack that a device names
   * stands at the site of the device.
   */
  referencesOf({ target, reference }: TextColumn): StoredField[] {
    if (!namesRepeat(target)) return [];
    const own = this.resource.stored.filter(({ property }) => property !== reference.property);
    return fieldsOf(target)
      .filter(isStored)
      .filter(
        ({ property, references }) =>
          apartOf(target).includes(property) &&
          own.some((field) => field.property === property && field.references?.() === references?.()),
      );
  }

  /** The ids of the targets for rows that also give the site or the location of their record. */
  byRow(column: TextColumn, uses: readonly Shared[]): Promise<Map<Row, string>> {
    const references = this.referencesOf(column);
    const asked = uses.map((use) => {
      const ids: Record<string, string> = {};
      for (const field of references) {
        const given = givenFor(use.row, field.property);
        const id = typeof given === 'string' ? readValue(given, field) : null;
        if (typeof id === 'string') ids[field.columnName] = id;
      }
      return { ...use, ids };
    });
    return this.referring(
      column,
      references,
      asked.filter(({ row }) => isGood(row)),
    );
  }

  /** Whether the record that the row updates will resolve a use. */
  waits(column: TextColumn, use: Shared): boolean {
    const references = this.referencesOf(column);
    const { property } = column.reference;
    const isKnownLater = this.key.length > 0 && this.key.every((field) => field.property !== property);
    const isSilent = references.every((field) => givenFor(use.row, field.property) === undefined);
    if (references.length === 0 || !isKnownLater || !isSilent) return false;
    const others = this.waiting.get(column);
    if (others) others.push(use);
    else this.waiting.set(column, [use]);
    return true;
  }

  /**
   * Resolves the waiting uses by the records that the rows update.
   * @param rows whose existing records are known
   */
  async decide(rows: readonly Row[]): Promise<void> {
    const present = new Set(rows);
    for (const [column, uses] of this.waiting) {
      // A row that waits for others is looked up again.
      const decided = uses.filter(({ row }) => present.has(row) || !isGood(row));
      const found = await this.byExisting(column, decided);
      for (const { row, matches } of decided) {
        const id = found.get(row);
        if (id === undefined) row.faults.push(severalMatch(column, matches));
        else give(row, column.reference.property, id);
      }
    }
    this.waiting.clear();
  }

  /** By all references of the stored record, then by the first: a device goes to the rack of this name at its location, or else at its site. */
  private async byExisting(column: TextColumn, uses: readonly Shared[]): Promise<Map<Row, string>> {
    const references = this.referencesOf(column);
    const existing = [...new Set(uses.flatMap(({ row }) => row.existing ?? []))];
    const stored = await Promise.all(
      references.map(async (field) => {
        const { record } = this.resource;
        return [field, await textsById(this.db, record, this.resource.field(field.property), existing)] as const;
      }),
    );
    const found = new Map<Row, string>();
    for (let count = references.length; count > 0; count--) {
      const asked = uses
        .filter(({ row }) => row.existing !== undefined && !found.has(row))
        .map((use) => ({
          ...use,
          ids: Object.fromEntries(
            stored.slice(0, count).flatMap(([{ columnName }, ids]) => {
              const id = ids.get(use.row.existing!);
              return typeof id === 'string' ? [[columnName, id]] : [];
            }),
          ),
        }));
      for (const [row, id] of await this.referring(column, references, asked)) found.set(row, id);
    }
    return found;
  }

  private async referring(
    column: TextColumn,
    references: readonly StoredField[],
    uses: readonly (Shared & { ids: Readonly<Record<string, string>> })[],
  ): Promise<Map<Row, string>> {
    const asked = uses.filter(({ ids }) => Object.keys(ids).length > 0);
    const found = await findReferring(
      this.db,
      column.target,
      column.field,
      references,
      asked.map(({ text, ids }) => ({ text, ids })),
    );
    return new Map(
      asked.flatMap(({ row }, index): [Row, string][] => (found[index]?.matches === 1 ? [[row, found[index].id]] : [])),
    );
  }
}

export const severalMatch = ({ name, reference }: TextColumn, matches: number): Fault =>
  new Fault(name, `matches ${matches} records; give ${reference.property}`);
