/* The columns of a list and its order, as its resource declares them. */

import { fieldsOf, isBlank, namingOf, relationOf } from './model.js';
import { isMoney } from './format.js';
import { joinedName } from './joined.js';
import { SORTED_BY } from './prepared.js';
import type { Collection, Field, Row } from './types.js';

const MOST_COLUMNS = 8;

/** Fields that a table can show. */
export const columnsOf = (collection: Collection): Field[] => {
  const fields = fieldsOf(collection.type).filter(
    ({ name, of, type, format, references, referencesBy, via }) =>
      name !== 'id' &&
      !(via && name.endsWith('Slug')) &&
      !(format === 'uuid' && !references && !referencesBy) &&
      !(type === 'object' && isRelation(collection, name)) &&
      !(of && type === 'array'),
  );
  const joined = joinedName(collection);
  if (joined !== undefined) fields.push({ name: joined, type: 'string' });
  const naming = namingOf(collection);
  const rank = ({ name, known, values }: Field): number => {
    const place = collection.columns?.indexOf(name) ?? -1;
    return place >= 0 ? place : name === joined ? 100 : name === naming ? 0 : known || values ? 101 : 102;
  };
  return fields.toSorted((one, other) => rank(one) - rank(other));
};
const isRelation = (collection: Collection, name: string): boolean =>
  fieldsOf(collection.type).some((field) => field.name === `${name}Id` && field.references);

const isText = ({ type, format, references, known, values }: Field): boolean =>
  type === 'string' && !format && !references && !known && !values;

/** The columns that are shown if none are chosen. */
export function usualColumns(collection: Collection): string[] {
  const joined = joinedName(collection);
  if (collection.columns) return [...collection.columns, ...(joined === undefined ? [] : [joined])];
  // The distinguishing property of records without a name is shown, however long: the message of an update.
  const telling = namingOf(collection) ? undefined : fieldsOf(collection.type).find(isText)?.name;
  const isLong = ({ maxLength = 0, name }: Field): boolean =>
    (maxLength > 1000 && name !== telling) || ['createdAt', 'updatedAt', 'requestId', 'slug'].includes(name);
  const all = columnsOf(collection);
  return all
    .filter((field) => ((!isLong(field) && field.format !== 'uuid') || field.references) && !field.via && !field.aside)
    .slice(0, MOST_COLUMNS)
    .map(({ name }) => name);
}

/** The columns with a value in some row. Those that somebody has chosen or sorts by stay. */
export function filledOf(
  collection: Collection,
  fields: Field[],
  rows: readonly Row[],
  query: URLSearchParams,
): Field[] {
  if (query.has('columns')) return fields;
  const kept = new Set([namingOf(collection), query.get('sort')]);
  return fields.filter(({ name }) => kept.has(name) || rows.some((row) => !isBlank(row[name])));
}

/** The initial order of a list. */
export function firstOrder({ order, sort }: Collection, query?: URLSearchParams): { sort?: string; order?: string } {
  if (query?.has('sort') || !order) return {};
  const name = order.replace(/^-/, '');
  return sort?.includes(name) ? { sort: name, order: order.startsWith('-') ? 'desc' : undefined } : {};
}

/** The sort key for a column: for a reference, the name of its target instead of the id. */
export function sortOf({ path, sort = [] }: Collection, { name, references }: Field): string | undefined {
  const prepared = SORTED_BY[path]?.[name];
  if (prepared !== undefined) return prepared;
  const byName = references && sort.find((one) => one.startsWith(`${relationOf(name)}.`));
  return byName || (sort.includes(name) && !references ? name : undefined);
}

/** Whether the record that a relation refers to has the currency of amounts beside it: the order of an asset. */
const hasCurrency = ({ type }: Collection, relation: string): boolean =>
  fieldsOf(fieldsOf(type).find(({ name }) => name === relation)?.of).some(({ name }) => name === 'currency');

/** The value of `expand` for some fields: the references among them, and what has the currency of an amount. */
export const expandOf = (collection: Collection, fields: readonly Field[]): string =>
  (collection.expand ?? [])
    .filter(
      (relation) =>
        fields.some(({ name }) => relationOf(name) === relation) ||
        (fields.some(({ name }) => isMoney(name)) && hasCurrency(collection, relation)),
    )
    .join(',');
