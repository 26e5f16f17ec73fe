import { getMetadataArgsStorage } from 'typeorm';
import { fieldsOf, isStored, type Class } from '../fields/field.js';
import { CUSTOM_COLUMN } from '../fields/record-entity.js';
import { once } from '../http/once.js';
import { resourceNameOf } from '../lists/record-sql.js';

/** SQL that converts the JSON value `value` of a column to the API's value, for columns where the two differ. */
const conversions = once((): string => {
  const byExpression = new Map<string, Set<string>>();
  for (const { target } of getMetadataArgsStorage().tables) {
    for (const field of fieldsOf(target as Class)) {
      if (!isStored(field) || !field.type.select) continue;
      const { type } = field;
      const expression = field.type.select(`(value #>> '{}')::${type.sqlType}`);
      byExpression.set(expression, (byExpression.get(expression) ?? new Set()).add(field.columnName));
    }
  }
  return [...byExpression]
    .map(
      ([expression, columns]) =>
        `WHEN key = ANY('{${[...columns].toSorted().join(',')}}') THEN to_jsonb(${expression})`,
    )
    .join(' ');
});

// initcap() capitalises the first letter of each word. Columns cannot have the names of some properties, which are words of SQL.
const PROPERTY = `CASE key WHEN 'password_hash' THEN 'password' WHEN 'conditions' THEN 'where' WHEN 'is_unique' THEN 'unique' WHEN 'default_value' THEN 'default'
  ELSE left(key, 1) || substr(replace(initcap(replace(key, '_', ' ')), ' ', ''), 2) END`;

/** Hidden columns that another column shows, by the name of the resource, as branches of a CASE. */
const hiddenColumns = once((): string => {
  const branches = getMetadataArgsStorage().tables.flatMap(({ target, name }) => {
    const columns = fieldsOf(target as Class)
      .filter(isStored)
      .flatMap(({ shownAs, columnName }) => (shownAs === undefined ? [] : [columnName]));
    return columns.length > 0 ? [`WHEN '${resourceNameOf(name!)}' THEN '{${columns.join(',')}}'`] : [];
  });
  return branches.join(' ');
});

/** SQL condition on `key`: the value is not one that another column of the record already shows. @param resource SQL of its name */
export const isShownIn = (resource: string): string => {
  const hidden = hiddenColumns();
  return hidden === '' ? 'true' : `key <> ALL((CASE ${resource} ${hidden} ELSE '{}' END)::text[])`;
};

/**
 * SQL of stored values with the names and formats of the API. Each custom field has an entry of its own.
 * @param stored SQL of the `jsonb` of some columns
 * @param which condition on `key`
 * @param other SQL of the same columns before or after the change. Only custom fields that differ are shown
 */
export function apiValues(stored: string, which: string, other = 'NULL::jsonb'): string {
  const fields = `(SELECT jsonb_object_agg(${PROPERTY}, CASE WHEN value = 'null' THEN value ${conversions()} ELSE value END)
    FROM jsonb_each(${stored}) WHERE key <> '${CUSTOM_COLUMN}' AND ${which})`;
  const custom = (side: string): string => `(${side})->'${CUSTOM_COLUMN}'`;
  return `nullif(coalesce(${fields}, '{}') || CASE WHEN jsonb_typeof(${custom(stored)}) = 'object' OR jsonb_typeof(${custom(other)}) = 'object'
    THEN custom_entry(${custom(stored)}, ${custom(other)}) ELSE '{}' END, '{}')`;
}
