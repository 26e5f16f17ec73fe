import { getMetadataArgsStorage } from 'typeorm';
import { fieldsOf, isStored, type Class } from '../fields/field.js';

/** SQL of the API's value of a column, of its JSON value `value`, for those that are not the same. */
let conversions: string | undefined;

function conversionsOfAllRecords(): string {
  const byExpression = new Map<string, Set<string>>();
  for (const { target } of getMetadataArgsStorage().tables) {
    for (const field of fieldsOf(target as Class)) {
      const { type } = field;
      if (!isStored(field) || !type.select) continue;
      const expression = type.select(`(value #>> '{}')::${type.sqlType}`);
      byExpression.set(expression, (byExpression.get(expression) ?? new Set()).add(field.columnName));
    }
  }
  return [...byExpression]
    .map(
      ([expression, columns]) =>
        `WHEN key = ANY('{${[...columns].toSorted().join(',')}}') THEN to_jsonb(${expression})`,
    )
    .join(' ');
}

// initcap() makes an upper-case letter of each word's first.
const PROPERTY = `CASE key WHEN 'password_hash' THEN 'password'
  ELSE left(key, 1) || substr(replace(initcap(replace(key, '_', ' ')), ' ', ''), 2) END`;

/**
 * SQL of stored values, named and written as the API does.
 * @param stored SQL of the `jsonb` of some columns
 * @param which condition on `key`
 */
export const apiValues = (stored: string, which: string): string =>
  `(SELECT jsonb_object_agg(${PROPERTY}, CASE WHEN value = 'null' THEN value ${(conversions ??= conversionsOfAllRecords())} ELSE value END)
    FROM jsonb_each(${stored}) WHERE ${which})`;
