import { isDanglingReference } from '../database/database-errors.js';
import { Transaction, type Executor } from '../database/executor.js';
import { bodyFieldsOf, type BodyField, type Class, type StoredField } from '../fields/field.js';
import { DanglingReference, ValidationFailed, type Fault } from '../http/errors.js';
import { tableOf } from '../lists/record-sql.js';

/** A reference within a request: its path, and the id that it has. */
export interface Reference {
  path: string;
  id: string | null | undefined;
}

/**
 * Locks the records that a request refers to, so that none is deleted before the transaction ends, with one statement
 * however many there are.
 * @returns a fault for each reference to a record that does not exist
 */
export async function hold(tx: Transaction, record: Class, references: readonly Reference[]): Promise<Fault[]> {
  const ids = [...new Set(references.map(({ id }) => id).filter((id) => typeof id === 'string'))];
  if (ids.length === 0) return [];
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM ${tableOf(record)} WHERE id = ANY($1) ORDER BY id FOR KEY SHARE`,
    [ids],
  );
  const found = new Set(rows.map((row) => row.id));
  return references
    .filter(({ id }) => typeof id === 'string' && !found.has(id))
    .map(({ path }) => new DanglingReference(path));
}

/** The references of request bodies, by the record that they refer to. */
export class References {
  private readonly byRecord = new Map<Class, Reference[]>();

  /** @param held ids that the transaction has locked already, to which those that it locks are added */
  constructor(private readonly held = new Map<Class, Set<string>>()) {}

  /** Adds the references of a body and of the objects in its lists. @param path of the body in the request, with a dot at its end */
  add(dto: Class, body: object, path: string): void {
    for (const field of referringFieldsOf(dto)) {
      const value = (body as Record<string, unknown>)[field.property];
      if (field.kind === 'stored') {
        const record = referredBy(field, body as Record<string, unknown>);
        if (!record || typeof value !== 'string' || this.held.get(record)?.has(value)) continue;
        this.of(record).push({ path: path + field.property, id: value });
      } else if (Array.isArray(value)) {
        const entry = field.body();
        for (const [index, part] of value.entries()) {
          this.add(entry, part as object, `${path}${field.property}[${index}].`);
        }
      }
    }
  }

  private of(record: Class): Reference[] {
    let references = this.byRecord.get(record);
    if (!references) this.byRecord.set(record, (references = []));
    return references;
  }

  /** Locks the referenced records, with one statement per record class. @returns a fault for each reference to no record */
  async hold(tx: Transaction): Promise<Fault[]> {
    const faults: Fault[] = [];
    for (const [record, references] of this.byRecord) {
      const dangling = await hold(tx, record, references);
      faults.push(...dangling);
      const lost = new Set(dangling.map(({ field }) => field));
      const held = this.held.get(record) ?? new Set();
      this.held.set(record, held);
      for (const { path, id } of references) if (!lost.has(path)) held.add(id!);
    }
    return faults;
  }
}

/**
 * Runs the write of a body. If the database refuses one of its references, all of them are looked up, so that the refusal names
 * each reference to no record.
 * @throws ValidationFailed, and what the write throws
 */
export async function namingAllDangling<R>(
  db: Executor,
  dto: Class,
  body: object,
  write: () => Promise<R>,
): Promise<R> {
  try {
    return await (db instanceof Transaction ? db.savepoint(write) : write());
  } catch (error) {
    if (!isDanglingReference(error) && !namesDanglingOnly(error)) throw error;
    const references = new References();
    references.add(dto, body, '');
    const faults = await db.transaction((tx) => references.hold(tx));
    throw faults.length > 1 ? new ValidationFailed(faults) : error;
  }
}

const namesDanglingOnly = (error: unknown): boolean =>
  error instanceof ValidationFailed && error.extra.details!.every((fault) => fault instanceof DanglingReference);

/** The record class that a property of a body refers to; undefined if the body does not say which. */
function referredBy({ references, refersBy }: StoredField, body: Record<string, unknown>): Class | undefined {
  if (!refersBy) return references!();
  const { property, records, byDefault } = refersBy;
  return records[String(body[property] ?? byDefault)]?.();
}

const referring = new WeakMap<Class, readonly BodyField[]>();

function referringFieldsOf(dto: Class): readonly BodyField[] {
  let fields = referring.get(dto);
  if (!fields) {
    fields = bodyFieldsOf(dto).filter(
      (field) => field.kind === 'parts' || (field.references ?? field.refersBy) !== undefined,
    );
    referring.set(dto, fields);
  }
  return fields;
}
