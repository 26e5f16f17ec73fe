import type { Executor } from '../../database/executor.js';
import type { StoredField } from '../../fields/field.js';
import { labelOf, withArticle } from '../../fields/record-entity.js';
import { readValue } from '../../fields/validation.js';
import { Fault, type FaultCode } from '../../http/errors.js';
import type { RecordSql } from '../../lists/record-sql.js';
import { findByText, findSiblings, textsById, type Match } from '../../records/record-keys.js';
import type { Owner } from '../../records/owner.js';
import type { TextColumn } from './columns.js';
import { give, givenFor, isGood, type Row } from './row.js';
import { SameNames, severalMatch } from './same-names.js';

interface Use {
  row: Row;
  text: string;
}

/** Whether a row refers to its own record. */
const isOwnId = ({ sentId }: Row, id: string): boolean => String(sentId).toLowerCase() === id;

/** Whether a row gives the id of a reference beside its text. */
const isGivenById = (row: Row, property: string): boolean => typeof givenFor(row, property) === 'string';

/** The texts of rows, by their columns. */
function usesOf(rows: readonly Row[]): Map<TextColumn, Use[]> {
  const columns = new Map<TextColumn, Use[]>();
  for (const row of rows) {
    for (const { column, text } of row.texts) {
      const uses = columns.get(column);
      if (uses) uses.push({ row, text });
      else columns.set(column, [{ row, text }]);
    }
  }
  return columns;
}

const hasSiblings = ({ reference }: TextColumn): boolean => reference.siblings !== undefined;

export class ReferenceTargets {
  /** Ids by text, for each column. */
  private readonly found = new Map<string, Map<string, string>>();

  private readonly sameNames: SameNames;

  /**
   * @param byId references by id to records of the imported resource
   * @param key the fields by which rows find the records to update; none if they update nothing
   */
  constructor(
    private readonly db: Executor,
    private readonly resource: RecordSql,
    private readonly byId: readonly StoredField[],
    key: readonly StoredField[],
    private readonly owner?: Owner,
  ) {
    this.sameNames = new SameNames(db, resource, key);
  }

  /** Whether a row refers to a record of the imported resource. Another row may create it. */
  isRelative(row: Row): boolean {
    return (
      row.texts.some(({ column }) => column.target === this.resource.record) ||
      this.byId.some(({ property }) => typeof givenFor(row, property) === 'string')
    );
  }

  /**
   * Replaces texts by the ids of their targets.
   * @param isLast whether no other row can create the targets
   * @returns rows that may refer to records of other rows
   */
  async resolve(rows: readonly Row[], isLast: boolean): Promise<Set<Row>> {
    const postponed = new Set(await this.resolveTexts(rows, isLast));
    if (!isLast) for (const row of await this.referringToNone(rows)) postponed.add(row);
    return postponed;
  }

  /**
   * The same for texts that can be resolved only with the record that a row updates: names that several records have, and names within
   * an owner that the row does not give.
   * @param rows whose existing records are known
   */
  async resolveByExisting(rows: readonly Row[], isLast: boolean): Promise<readonly Row[]> {
    const postponed: Row[] = [];
    await this.sameNames.decide(rows);
    for (const [column, uses] of usesOf(rows)) {
      const { siblings, property } = column.reference;
      if (!siblings) continue;
      const unowned = uses.filter(
        ({ row }) =>
          row.existing !== undefined && this.ownerOf(column, row) === undefined && !isGivenById(row, property),
      );
      const ids = unowned.map(({ row }) => row.existing!);
      const owners = await textsById(this.db, this.resource.record, this.resource.field(siblings.owner), ids);
      const ownerOf = (row: Row): string | undefined => owners.get(row.existing!) ?? undefined;
      postponed.push(...(await this.resolveAmongSiblings(column, unowned, isLast, ownerOf)));
    }
    return postponed;
  }

  /** The owner in the row or in the path. */
  private ownerOf({ reference }: TextColumn, { given }: Row): string | undefined {
    const owner = this.owner?.id ?? given[reference.siblings!.owner];
    return typeof owner === 'string' ? owner : undefined;
  }

  /** Rows with an id of a record of their own kind that does not exist. Another row may create it. */
  private async referringToNone(rows: readonly Row[]): Promise<Row[]> {
    const uses = this.byId.flatMap((field) =>
      rows.flatMap((row) => {
        const given = givenFor(row, field.property);
        const id = typeof given === 'string' ? readValue(given, field) : null;
        return isGood(row) && typeof id === 'string' ? [{ row, id }] : [];
      }),
    );
    const ids = [...new Set(uses.map(({ id }) => id))];
    const found = await textsById(this.db, this.resource.record, this.resource.field('id'), ids);
    return uses.filter(({ row, id }) => !found.has(id) && !isOwnId(row, id)).map(({ row }) => row);
  }

  /** With one statement for each column. */
  private async resolveTexts(rows: readonly Row[], isLast: boolean): Promise<Row[]> {
    const postponed: Row[] = [];
    // Owners are resolved before the texts that are looked up among their records.
    const siblingsLast = [...usesOf(rows)].toSorted(([a], [b]) => this.turnOf(a) - this.turnOf(b));
    for (const [column, uses] of siblingsLast) {
      const isById = ({ row }: Use): boolean => isGivenById(row, column.reference.property);
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

  /** The order of columns: references that distinguish the records of others come first. */
  private turnOf(column: TextColumn): number {
    return hasSiblings(column) ? Number.MAX_SAFE_INTEGER : this.sameNames.referencesOf(column).length;
  }

  private async resolveColumn(column: TextColumn, uses: readonly Use[], isLast: boolean): Promise<Row[]> {
    if (!column.reference.siblings) return this.resolveAmong(column, uses, isLast);
    return this.resolveAmongSiblings(column, uses, isLast, (row) => this.ownerOf(column, row));
  }

  private async resolveAmongSiblings(
    column: TextColumn,
    uses: readonly Use[],
    isLast: boolean,
    ownerOf: (row: Row) => string | undefined,
  ): Promise<Row[]> {
    const byOwner = new Map<string, Use[]>();
    for (const use of uses) {
      const owner = ownerOf(use.row);
      // A row that creates a record has a fault already. A row that updates one has the owner of that record (`resolveByExisting`).
      if (owner === undefined) continue;
      const others = byOwner.get(owner.toLowerCase());
      if (others) others.push(use);
      else byOwner.set(owner.toLowerCase(), [use]);
    }
    const found = await findSiblings(
      this.db,
      column.target,
      column.field,
      column.reference.siblings!,
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

  /** @param among the candidate records, by their texts; all records if absent */
  private async resolveAmong(
    column: TextColumn,
    uses: readonly Use[],
    isLast: boolean,
    among?: ReadonlyMap<string, Match>,
  ): Promise<Row[]> {
    const { name, target, field, needs, reference } = column;
    const { property } = reference;
    const isSelf = target === this.resource.record;
    const known = (isSelf ? undefined : this.found.get(name)) ?? new Map<string, string>();
    if (!isSelf) this.found.set(name, known);
    const texts = [...new Set(uses.map(({ text }) => text))].filter((text) => !known.has(text));
    const searched =
      needs === undefined && !among ? texts.filter((text) => field.type.parse(text, field) !== undefined) : [];
    const found = among ?? (await findByText(this.db, target, field, searched));
    for (const [text, { matches, id }] of found) if (matches === 1) known.set(text, id);
    const apart = new Map<Row, string>();
    const several = uses
      .map((use) => ({ ...use, matches: found.get(use.text)?.matches ?? 0 }))
      .filter(({ matches }) => matches > 1);
    const waiting = new Set<Row>();
    if (!among) {
      for (const [row, id] of await this.sameNames.byRow(column, several)) apart.set(row, id);
      for (const use of several) if (!apart.has(use.row) && this.sameNames.waits(column, use)) waiting.add(use.row);
    }
    const label = labelOf(target);
    const postponed: Row[] = [];
    for (const { row, text } of uses) {
      if (waiting.has(row)) continue;
      const id = known.get(text) ?? apart.get(row);
      const refuse = (message: string, code?: FaultCode): void => void row.faults.push(new Fault(name, message, code));
      if (id !== undefined) give(row, property, id);
      else if (needs !== undefined) refuse(`needs ${needs} to find ${withArticle(target)}; give ${property}`);
      else if (found.has(text)) row.faults.push(severalMatch(column, found.get(text)!.matches));
      else if (isSelf && !isLast && isGood(row)) postponed.push(row);
      else refuse(`does not match an existing ${label}`, 'reference_missing');
    }
    return postponed;
  }

  /** The id decides. A text beside it must identify the same record. */
  private async compare(column: TextColumn, uses: readonly Use[]): Promise<void> {
    const { property } = column.reference;
    const compared = column.needs === undefined ? uses : [];
    const ids = compared
      .map(({ row }) => readValue(givenFor(row, property), column.reference))
      .filter((id) => typeof id === 'string');
    const texts = await textsById(this.db, column.target, column.field, [...new Set(ids)]);
    const folded = (text: string): string => column.field.type.folded?.(text) ?? text;
    for (const { row, text } of compared) {
      const stored = texts.get(String(givenFor(row, property)).toLowerCase());
      if (stored !== undefined && (stored === null || folded(stored) !== folded(text))) {
        row.faults.push(new Fault(column.name, `does not match the record that ${property} refers to`));
      }
    }
  }
}
