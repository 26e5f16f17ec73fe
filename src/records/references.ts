import { hasRole, meets } from '../access/access.js';
import type { Executor, Transaction } from '../database/executor.js';
import { customisedBy, makesRecord } from '../fields/bodies/bodies.js';
import { CUSTOM } from '../fields/custom/custom-field.js';
import { keyOf, type CustomValues } from '../fields/custom/custom-values.js';
import { bodyFieldsOf, type BodyField, type Class, type StoredField } from '../fields/field.js';
import { areaOf, descriptionOf } from '../fields/record-entity.js';
import { onceFor } from '../http/once.js';
import { DanglingReference, type Fault } from '../http/errors.js';
import { tableOf } from '../lists/record-sql.js';
import type { RequestContext } from '../lists/request-context.js';
import { readingOf } from './record-access.js';
import { EMPTY, identifier, join, sql, type Sql } from '../database/sql.js';

/** A reference within a request: its path, and the id that it has. */
interface Reference {
  path: string;
  id: string | null | undefined;
}

/**
 * Looks up the records that a request refers to, with a single statement.
 * @param lock of the records that are found
 * @returns a fault for each reference to a record that does not exist
 */
async function dangling(db: Executor, record: Class, references: readonly Reference[], lock = EMPTY): Promise<Fault[]> {
  const ids = [...new Set(references.map(({ id }) => id).filter((id) => typeof id === 'string'))];
  if (ids.length === 0) return [];
  const rows = await db.query<{ id: string }>(
    sql`SELECT id FROM ${identifier(tableOf(record))} WHERE id = ANY(${ids}) ORDER BY id ${lock}`,
  );
  const found = new Set(rows.map((row) => row.id));
  return references
    .filter(({ id }) => typeof id === 'string' && !found.has(id.toLowerCase()))
    .map(({ path }) => new DanglingReference(path));
}

/** Like `dangling`, but locks the records, so that none can be deleted until the transaction ends. */
export const lockReferences = (tx: Transaction, record: Class, references: readonly Reference[]): Promise<Fault[]> =>
  dangling(tx, record, references, lockOf(record));

/** The lock of a referenced record. A trigger that compares takes it after the row that refers, which would be another order. */
const lockOf = (record: Class): Sql => (descriptionOf(record).compared ? sql`FOR SHARE` : sql`FOR KEY SHARE`);

/**
 * Locks the records that stored rows refer to, by one statement. They cannot be deleted until the transaction ends.
 * @param references of each record, a column that refers to it, and the query of the column's values
 */
export async function lockReferred(
  tx: Transaction,
  references: readonly (readonly [Class, Readonly<Record<string, readonly Sql[]>>])[],
): Promise<void> {
  const locked = references.flatMap(([record, columns]) =>
    Object.entries(columns).map(([column, sources]) => {
      const table = identifier(tableOf(record));
      const ids = sources.map((source) => sql`SELECT ${identifier(column)} FROM ${source}`);
      return sql`SELECT id FROM (
        SELECT id FROM ${table} WHERE id IN (${join(ids, ' UNION ')}) ORDER BY id ${lockOf(record)}
      ) ${table}`;
    }),
  );
  await tx.query(join(locked, ' UNION ALL '));
}

/** The references of request bodies, by the record that they refer to. */
export class References {
  private readonly byRecord = new Map<Class, Reference[]>();

  /** @param locked ids that the transaction has locked already. Newly locked ids are added */
  constructor(
    private readonly ctx: RequestContext,
    private readonly locked = new Map<Class, Set<string>>(),
  ) {}

  /**
   * Adds the references of a body and of the objects in its lists.
   * @param path of the body in the request, with a trailing dot
   * @param self id of the new record, if it is given, because a custom field may refer to it
   */
  add(dto: Class, body: object, path: string, self?: string): void {
    this.addCustom(dto, body, path, self);
    for (const field of referringFieldsOf(dto)) {
      const value = (body as Record<string, unknown>)[field.property];
      if (field.kind === 'stored') {
        const record = referredBy(field, dto, body as Record<string, unknown>);
        if (!record || typeof value !== 'string' || this.locked.get(record)?.has(value)) continue;
        if (!mayKnow(this.ctx, record)) continue;
        this.of(record).push({ path: path + field.property, id: value });
      } else if (Array.isArray(value)) {
        const entry = field.body();
        for (const [index, part] of value.entries()) {
          this.add(entry, part as object, `${path}${field.property}[${index}].`);
        }
      }
    }
  }

  /** Adds the references of the custom fields of a body. */
  private addCustom(dto: Class, body: object, path: string, self?: string): void {
    const { [CUSTOM]: given } = body as { [CUSTOM]?: CustomValues };
    const owner = given && customisedBy(dto);
    if (!owner) return;
    for (const field of this.ctx.fields.of(owner).fields) {
      const record = field.references?.();
      const value = given[keyOf(field)];
      if (!record || typeof value !== 'string' || this.locked.get(record)?.has(value)) continue;
      if (record === owner && value === self) continue;
      // The service refuses all hidden references alike (`refuseHidden`).
      if (field.custom!.isTargetHidden) continue;
      this.of(record).push({ path: path + field.property, id: value });
    }
  }

  get isEmpty(): boolean {
    return this.byRecord.size === 0;
  }

  private of(record: Class): Reference[] {
    let references = this.byRecord.get(record);
    if (!references) this.byRecord.set(record, (references = []));
    return references;
  }

  /** Looks up the referenced records, with one statement per record class. @returns a fault for each reference to a missing record */
  async dangling(db: Executor): Promise<Fault[]> {
    const faults: Fault[] = [];
    for (const [record, references] of this.byRecord) faults.push(...(await dangling(db, record, references)));
    return faults;
  }

  /** Locks the referenced records, with one statement per record class. @returns a fault for each reference to a missing record */
  async lock(tx: Transaction): Promise<Fault[]> {
    const faults: Fault[] = [];
    for (const [record, references] of this.byRecord) {
      const missing = await lockReferences(tx, record, references);
      faults.push(...missing);
      const lost = new Set(missing.map(({ field }) => field));
      const locked = this.locked.get(record) ?? new Set();
      this.locked.set(record, locked);
      for (const { path, id } of references) if (!lost.has(path)) locked.add(id!);
    }
    return faults;
  }
}

/**
 * Whether a caller may know which records exist. Records without an area, such as profiles, require an administrator, and records of
 * operations require that area. The write refuses other references.
 */
const mayKnow = ({ caller }: RequestContext, record: Class): boolean =>
  areaOf(record) === null ? hasRole(caller, 'admin') : meets(caller, readingOf(record));

/** The record class that a property of a body refers to; undefined if the body does not say which. A change has no default. */
function referredBy(
  { references, refersBy }: StoredField,
  dto: Class,
  body: Record<string, unknown>,
): Class | undefined {
  if (!refersBy) return references!();
  const { property, records, byDefault } = refersBy;
  return records[String(body[property] ?? (makesRecord(dto) ? byDefault : undefined))]?.();
}

const referringFieldsOf = onceFor((dto: Class): readonly BodyField[] =>
  bodyFieldsOf(dto).filter((field) => field.kind === 'parts' || (field.references ?? field.refersBy) !== undefined),
);
