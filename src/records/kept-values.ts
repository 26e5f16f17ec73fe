import { mayReadSecrets } from '../access/access.js';
import type { Secrets } from '../access/secrets.js';
import { identifier, join, raw, sql } from '../database/sql.js';
import type { StoredField } from '../fields/field.js';
import { CUSTOM_COLUMN } from '../fields/record-entity.js';
import type { StoredRecord } from '../fields/record.js';
import { DanglingReference, Fault, ValidationFailed } from '../http/errors.js';
import { columnOf, type RecordSql } from '../lists/record-sql.js';
import type { RequestContext } from '../lists/request-context.js';
import type { Change, Columns } from './record-writer.js';

/** The value of a custom field among columns. */
const customIn = ({ [CUSTOM_COLUMN]: values }: Columns, { custom }: StoredField): unknown =>
  (values as Columns | undefined)?.[custom!.definition.storedAs];

/** Values that a record may keep but not get: withdrawn words, and references that the caller may not read. Unchanged secrets are kept too. */
export class KeptValues<T extends StoredRecord> {
  /**
   * @param resource with the current custom fields
   * @param declared without custom fields
   */
  constructor(
    private readonly ctx: RequestContext,
    private readonly resource: RecordSql<T>,
    private readonly declared: RecordSql<T>,
    private readonly secrets: Secrets,
  ) {}

  /** @throws ValidationFailed for a value of a new record that was withdrawn */
  refuseWithdrawn(columns: Columns): void {
    for (const field of this.declared.stored) {
      const fault = withdrawn(field, columns);
      if (fault !== undefined) throw new ValidationFailed([new Fault(field.property, fault)]);
    }
  }

  /** @throws ValidationFailed for a reference of a new record that the caller may not read */
  refuseHidden(columns: Columns): void {
    const hidden = this.hiddenReferences().find((field) => typeof customIn(columns, field) === 'string');
    if (hidden) throw new ValidationFailed([new DanglingReference(hidden.property)]);
  }

  /** Lets changes keep stored values. @throws ValidationFailed for such a value that the record does not have already */
  async admit(changes: readonly Change<T>[]): Promise<void> {
    await this.keepUnchangedSecrets(changes);
    await this.keepWithdrawn(changes);
    await this.keepHidden(changes);
  }

  /** Keeps the stored value of an unchanged secret. Encrypted again, the same text would be another value. */
  private async keepUnchangedSecrets(changes: readonly Change<T>[]): Promise<void> {
    const { declared: resource, secrets } = this;
    const { db, caller } = this.ctx;
    const fields = resource.secrets.map((property) => resource.field(property));
    const sending = changes.filter(({ columns }) =>
      fields.some(({ columnName }) => typeof columns[columnName] === 'string'),
    );
    // For a caller who may not read secrets, every text is a change. Otherwise the response would reveal whether a guess is right.
    if (sending.length === 0 || !mayReadSecrets(caller)) return;
    const names = join(fields.map(({ columnName }) => identifier(columnName)));
    const rows = await db.query<Columns>(
      sql`SELECT id, ${names} FROM ${identifier(resource.table)} WHERE id = ANY(${sending.map(({ id }) => id)})`,
    );
    const stored = new Map(rows.map((row) => [row.id, row]));
    for (const { id, columns, body } of sending) {
      for (const { columnName, property } of fields) {
        const sealed = stored.get(id)?.[columnName];
        const isSent = typeof columns[columnName] === 'string';
        if (isSent && typeof sealed === 'string' && secrets.open(sealed) === (body as Columns)[property])
          columns[columnName] = sealed;
      }
    }
  }

  /** @throws ValidationFailed for a value that was withdrawn, in a record that does not have it already */
  private async keepWithdrawn(changes: readonly Change<T>[]): Promise<void> {
    const { stored, table } = this.declared;
    for (const field of stored) {
      const { columnName, property } = field;
      const given = changes.filter(({ columns }) => withdrawn(field, columns) !== undefined);
      if (given.length === 0) continue;
      const ids = given.map(({ id }) => id);
      const values = given.map(({ columns }) => columns[columnName] as string);
      const [other] = await this.ctx.db.query<{ value: string }>(
        sql`SELECT value FROM unnest(${ids}::uuid[], ${values}::text[]) given (id, value) JOIN ${identifier(table)} t USING (id)
          WHERE t.${identifier(columnName)} IS DISTINCT FROM value LIMIT 1`,
      );
      if (other) throw new ValidationFailed([new Fault(property, field.type.withdrawn!(other.value)!)]);
    }
  }

  /**
   * A caller who may not read the target of a custom reference could find out which records exist. So each id is refused as if it did
   * not exist, except for the one that the record already has.
   * @throws ValidationFailed
   */
  private async keepHidden(changes: readonly Change<T>[]): Promise<void> {
    for (const field of this.hiddenReferences()) {
      const given = changes.filter(({ columns }) => typeof customIn(columns, field) === 'string');
      if (given.length === 0) continue;
      const ids = given.map(({ id }) => id);
      const values = given.map(({ columns }) => customIn(columns, field) as string);
      const [other] = await this.ctx.db.query(
        sql`SELECT t.id FROM unnest(${ids}::uuid[], ${values}::uuid[]) given (id, value) JOIN ${identifier(this.declared.table)} t USING (id)
          WHERE ${raw(columnOf(field))} IS DISTINCT FROM value LIMIT 1`,
      );
      if (other) throw new ValidationFailed([new DanglingReference(field.property)]);
    }
  }

  private hiddenReferences(): StoredField[] {
    return this.resource.custom.fields.filter(({ custom }) => custom!.isTargetHidden);
  }
}

/** Why a value that is not stored already is refused; undefined if it was not withdrawn. */
function withdrawn({ type, columnName }: StoredField, columns: Columns): string | undefined {
  const value = columns[columnName];
  return typeof value === 'string' ? type.withdrawn?.(value) : undefined;
}
