import { hasRole, type Caller } from '../../access/access.js';
import type { Executor } from '../../database/executor.js';
import type { StoredField } from '../../fields/field.js';
import { labelOf } from '../../fields/record-entity.js';
import { Invalid } from '../../fields/types/field-type.js';
import { readValue } from '../../fields/validation.js';
import { DomainError, Fault, joined } from '../../http/errors.js';
import type { RecordSql } from '../../lists/record-sql.js';
import { RecordKeys } from '../../records/record-keys.js';
import type { Owner } from '../../records/owner.js';
import type { Columns } from './columns.js';
import type { ImportOptions } from './import.options.js';
import { givenFor, type Row } from './row.js';

interface KeyColumn {
  name: string;
  field: StoredField;
}

/** The columns that identify existing records. */
export class ImportKey {
  private readonly finder: RecordKeys;
  private readonly isId: boolean;
  readonly names: string;
  /** Row number by normalised key. */
  private readonly rows = new Map<string, number>();

  constructor(
    private readonly resource: RecordSql,
    private readonly columns: readonly KeyColumn[],
    owner: Owner | undefined,
    private readonly mode: Exclude<ImportOptions['mode'], 'reconcile'>,
    private readonly caller: Caller,
  ) {
    this.names = columns.map(({ name }) => name).join(',');
    this.isId = this.names === 'id';
    const column = owner && resource.field(owner.field).columnName;
    this.finder = new RecordKeys(
      resource.record,
      columns.map(({ field }) => field),
      owner && { owner, column: column! },
    );
  }

  get fields(): StoredField[] {
    return this.columns.map(({ field }) => field);
  }

  /** Name of the lock that imports with the same key take one after the other. */
  get lockName(): string {
    return `import ${this.finder.name}`;
  }

  /** Finds the records that rows update. Rows with a faulty or duplicate key get a fault. */
  async findExisting(db: Executor, rows: readonly Row[]): Promise<void> {
    const keyed: { row: Row; key: unknown[] }[] = [];
    for (const row of rows) {
      const key = this.columns.map((column) => this.valueOf(column, row));
      if (key.every((value) => value !== undefined)) keyed.push({ row, key });
    }
    const found = await this.finder.find(
      db,
      keyed.map(({ key }) => key),
    );
    const label = labelOf(this.resource.record);
    for (const [index, { row, key }] of keyed.entries()) {
      const { matches, id, key: text } = found[index]!;
      const refuse = (message: string): void => void row.faults.push(new Fault(this.names, message));
      const earlier = this.rows.get(text);
      this.rows.set(text, earlier ?? row.row);
      // A row that waits for another one is looked up again.
      if (earlier !== undefined && earlier !== row.row) refuse(`is also the key of row ${earlier}`);
      else if (matches > 1) refuse(`matches ${matches} records`);
      else if (matches === 1) row.existing = id!;
      else if (this.mode === 'update') refuse(`does not match an existing ${label}`);
      else if (this.isId && !hasRole(this.caller, 'admin')) {
        refuse(`does not identify an existing ${label}. Only administrators can choose the id of a new one`);
      } else if (this.isId) row.newId = key[0] as string;
    }
  }

  private valueOf({ name, field }: KeyColumn, row: Row): unknown {
    const sent = name === 'id' ? row.sentId : givenFor(row, field.property);
    if (sent === undefined || sent === null || sent === '') {
      // A row without an id makes a new record.
      if (!this.isId || this.mode !== 'upsert') row.faults.push(new Fault(name, 'must not be empty, as it is the key'));
      return undefined;
    }
    // It would find nothing, and create a second record that looks the same.
    if (typeof sent === 'string' && sent !== sent.trim()) {
      row.faults.push(new Fault(name, 'must not begin or end with a blank, as it is the key'));
      return undefined;
    }
    const value = readValue(sent, field);
    if (!(value instanceof Invalid)) return value;
    row.faults.push(new Fault(name, value.message, value.code));
    return undefined;
  }
}

/** The columns of a key. @throws DomainError for columns that cannot identify a record, or are not in the file */
export function keyColumns(
  names: readonly string[],
  resource: RecordSql,
  columns: Columns,
  header: readonly string[] | undefined,
): KeyColumn[] {
  const faults: Fault[] = [];
  const key: KeyColumn[] = [];
  for (const name of names) {
    const field = keyFieldOf(name, resource, columns);
    if (!field || field.type.column(field).array === true) faults.push(new Fault('key', `cannot be '${name}'`));
    else if (header && !header.includes(name)) {
      faults.push(new Fault('key', `is '${name}', which is not a column of the file`));
    } else key.push({ name, field });
  }
  if (faults.length > 0) throw new DomainError('validation', joined(faults.map(String)), { details: faults });
  return key;
}

function keyFieldOf(name: string, { stored, custom }: RecordSql, columns: Columns): StoredField | undefined {
  if (name === 'id') return stored.find(({ property }) => property === 'id');
  const column = columns.of(name);
  if (column?.kind === 'text') return column.reference;
  if (column?.kind !== 'value' || column.field.kind !== 'stored' || column.field.secret) return undefined;
  return [...stored, ...custom.fields].find(({ property }) => property === name);
}
