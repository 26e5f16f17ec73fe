import type { Executor } from '../../database/executor.js';
import type { Class, StoredField } from '../../fields/field.js';
import { labelOf } from '../../fields/record-entity.js';
import { readValue } from '../../fields/validation.js';
import { Fault } from '../../http/errors.js';
import { recordSqlOf } from '../../lists/record-sql.js';
import { findByText, findSiblings, textsById, type Match } from '../../records/record-keys.js';
import type { Owner } from '../../records/owner.js';
import type { TextColumn } from './columns.js';
import { isGood, type Row } from './row.js';

interface Use {
  row: Row;
  text: string;
}

const hasSiblings = ({ reference }: TextColumn): boolean => reference.siblings !== undefined;

/** Finds the records that rows refer to. */
export class ReferenceTargets {
  /** Ids by text, for each column. */
  private readonly found = new Map<string, Map<string, string>>();

  /** @param byId references to records of the imported resource that rows bring with their ids */
  constructor(
    private readonly db: Executor,
    private readonly record: Class,
    private readonly byId: readonly StoredField[],
    private readonly owner?: Owner,
  ) {}

  /** Whether a row refers to a record of the imported resource, which may be that of another row. */
  isRelative({ texts, given }: Row): boolean {
    return (
      texts.some(({ column }) => column.target === this.record) ||
      this.byId.some(({ property }) => typeof given[property] === 'string')
    );
  }

  /**
   * Replaces texts by the ids of their targets.
   * @param isLast whether the targets are not among the other rows
   * @returns rows that refer to what may be among the other rows
   */
  async resolve(rows: readonly Row[], isLast: boolean): Promise<Set<Row>> {
    const postponed = new Set(await this.resolveTexts(rows, isLast));
    if (!isLast) for (const row of await this.referringToNone(rows)) postponed.add(row);
    return postponed;
  }

  /** Rows that refer by id to a record of their own kind that does not exist: another row may bring it. */
  private async referringToNone(rows: readonly Row[]): Promise<Row[]> {
    const uses = this.byId.flatMap((field) =>
      rows.flatMap((row) => {
        const id = typeof row.given[field.property] === 'string' ? readValue(row.given[field.property], field) : null;
        return isGood(row) && typeof id === 'string' ? [{ row, id }] : [];
      }),
    );
    const ids = [...new Set(uses.map(({ id }) => id))];
    const found = await textsById(this.db, this.record, recordSqlOf(this.record as never).field('id'), ids);
    return uses.filter(({ id }) => !found.has(id)).map(({ row }) => row);
  }

  /** With one statement for each column. */
  private async resolveTexts(rows: readonly Row[], isLast: boolean): Promise<Row[]> {
    const columns = new Map<TextColumn, Use[]>();
    for (const row of rows) {
      for (const { column, text } of row.texts) {
        const uses = columns.get(column);
        if (uses) uses.push({ row, text });
        else columns.set(column, [{ row, text }]);
      }
    }
    const postponed: Row[] = [];
    // The owner is found before those that are looked up among its records.
    const siblingsLast = [...columns].toSorted(([a], [b]) => Number(hasSiblings(a)) - Number(hasSiblings(b)));
    for (const [column, uses] of siblingsLast) {
      const isById = ({ row }: Use): boolean => typeof row.given[column.reference.property] === 'string';
      await this.compare(column, uses.filter(isById));
      postponed.push(
        ...(await this.resolveColumn(
          column,
          uses.filter((use) => !isById(use)),
          isLast,
        )),
      );
    }
    return postponed;
  }

  private async resolveColumn(column: TextColumn, uses: readonly Use[], isLast: boolean): Promise<Row[]> {
    const { siblings } = column.reference;
    if (!siblings) return this.resolveAmong(column, uses, isLast);
    const byOwner = new Map<string, Use[]>();
    for (const use of uses) {
      const owner = this.owner?.id ?? use.row.given[siblings.owner];
      // Without an owner the row has a fault already.
      if (typeof owner !== 'string') continue;
      const others = byOwner.get(owner.toLowerCase());
      if (others) others.push(use);
      else byOwner.set(owner.toLowerCase(), [use]);
    }
    const found = await findSiblings(
      this.db,
      column.target,
      column.field,
      siblings,
      [...byOwner].flatMap(([owner, group]) =>
        [...new Set(group.map(({ text }) => text))].map((text) => ({ owner, text })),
      ),
    );
    const postponed: Row[] = [];
    for (const [owner, group] of byOwner) {
      postponed.push(...(await this.resolveAmong(column, group, isLast, found.get(owner) ?? new Map())));
    }
    return postponed;
  }

  /** @param among the records that can be meant, by their texts; all, if absent */
  private async resolveAmong(
    column: TextColumn,
    uses: readonly Use[],
    isLast: boolean,
    among?: ReadonlyMap<string, Match>,
  ): Promise<Row[]> {
    const { name, target, field, findable, reference } = column;
    const { property } = reference;
    const isSelf = target === this.record;
    const known = (isSelf ? undefined : this.found.get(name)) ?? new Map<string, string>();
    if (!isSelf) this.found.set(name, known);
    const texts = [...new Set(uses.map(({ text }) => text))].filter((text) => !known.has(text));
    const searched = findable && !among ? texts.filter((text) => field.type.parse(text, field) !== undefined) : [];
    const found = among ?? (await findByText(this.db, target, field, searched));
    for (const [text, { matches, id }] of found) if (matches === 1) known.set(text, id);
    const label = labelOf(target);
    const postponed: Row[] = [];
    for (const { row, text } of uses) {
      const id = known.get(text);
      const refuse = (message: string): void => void row.faults.push(new Fault(name, message));
      if (id !== undefined) row.given[property] = id;
      else if (!findable) refuse(`needs the role admin to find a ${label}; give ${property}`);
      else if (found.has(text)) refuse(`matches ${found.get(text)!.matches} records; give ${property}`);
      else if (isSelf && !isLast && isGood(row)) postponed.push(row);
      else refuse(`does not match an existing ${label}`);
    }
    return postponed;
  }

  /** The id decides. A text beside it must identify the same record. */
  private async compare(column: TextColumn, uses: readonly Use[]): Promise<void> {
    const { property } = column.reference;
    const compared = column.findable ? uses : [];
    const ids = compared
      .map(({ row }) => readValue(row.given[property], column.reference))
      .filter((id) => typeof id === 'string');
    const texts = await textsById(this.db, column.target, column.field, [...new Set(ids)]);
    const folded = (text: string): string => column.field.type.folded?.(text) ?? text;
    for (const { row, text } of compared) {
      const stored = texts.get(String(row.given[property]).toLowerCase());
      if (stored !== undefined && (stored === null || folded(stored) !== folded(text))) {
        row.faults.push(new Fault(column.name, `does not match the record that ${property} refers to`));
      }
    }
  }
}
