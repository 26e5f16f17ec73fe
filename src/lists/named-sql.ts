import { fieldsOf, isStored, type Class } from '../fields/field.js';
import { namingOf } from '../fields/naming.js';
import { apartOf, namesRepeat } from '../fields/record-entity.js';
import { columnOf, tableOf, valueOf } from './record-sql.js';

/**
 * SQL of the text that distinguishes a record from others of its name, such as its site: `Hall 2 · Amsterdam`. Null if there is none.
 * @param alias of the table of the record
 * @returns undefined if records of this kind have no such properties
 */
export function besideSql(record: Class, alias: string): string | undefined {
  const names = apartOf(record);
  if (names.length === 0) return undefined;
  const fields = fieldsOf(record).filter(isStored);
  const parts = names.map((name) => {
    const field = fields.find(({ property }) => property === name)!;
    const target = field.references?.();
    const naming = target && namingOf(target);
    if (!target || !naming) return `${valueOf(field, alias)}::text`;
    return `(SELECT ${valueOf(naming, 'n')}::text FROM ${tableOf(target)} n WHERE n.id = ${columnOf(field, alias)})`;
  });
  return `nullif(concat_ws(' · ', ${parts.join(', ')}), '')`;
}

/** SQL of the name of a record as text. The distinguishing text is added if names often repeat: `A1 · Hall 2 · Amsterdam`. */
export function wholeNameSql(record: Class, alias: string): string {
  const name = `${valueOf(namingOf(record)!, alias)}::text`;
  return namesRepeat(record) ? `concat_ws(' · ', ${name}, ${besideSql(record, alias) ?? 'NULL'})` : name;
}
