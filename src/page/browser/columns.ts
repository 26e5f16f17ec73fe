/* Which columns a list shows, and in which order its records come, as its resource declares them. */

import { fieldsOf, namingOf } from './model.js';
import type { Collection, Field } from './types.js';

const MOST_COLUMNS = 8;

/** Fields that a table can show. */
export const columnsOf = (collection: Collection): Field[] => {
  const fields = fieldsOf(collection.type).filter(
    ({ name, of, type, format, references, referencesBy }) =>
      name !== 'id' &&
      !(format === 'uuid' && !references && !referencesBy) &&
      !(type === 'object' && isRelation(collection, name)) &&
      !(of && type === 'array'),
  );
  const naming = namingOf(collection);
  const rank = ({ name, known, values }: Field): number => {
    const place = collection.columns?.indexOf(name) ?? -1;
    return place >= 0 ? place : name === naming ? 0 : known || values ? 101 : 102;
  };
  return fields.toSorted((one, other) => rank(one) - rank(other));
};
const isRelation = (collection: Collection, name: string): boolean =>
  fieldsOf(collection.type).some((field) => field.name === `${name}Id` && field.references);

const isText = ({ type, format, references, known, values }: Field): boolean =>
  type === 'string' && !format && !references && !known && !values;

/** The columns that are shown if none are chosen. */
export function usualColumns(collection: Collection): string[] {
  if (collection.columns) return [...collection.columns];
  // What tells records without a name apart is shown, however long it may be: the message of an update.
  const telling = namingOf(collection) ? undefined : fieldsOf(collection.type).find(isText)?.name;
  const isLong = ({ maxLength = 0, name }: Field): boolean =>
    (maxLength > 1000 && name !== telling) || ['createdAt', 'updatedAt', 'requestId'].includes(name);
  const all = columnsOf(collection);
  return all
    .filter((field) => ((!isLong(field) && field.format !== 'uuid') || field.references) && !field.via && !field.aside)
    .slice(0, MOST_COLUMNS)
    .map(({ name }) => name);
}

/** The order of a list that nobody has sorted yet. */
export function firstOrder({ order, sort }: Collection, query: URLSearchParams): { sort?: string; order?: string } {
  if (query.has('sort') || !order) return {};
  const name = order.replace(/^-/, '');
  return sort?.includes(name) ? { sort: name, order: order.startsWith('-') ? 'desc' : undefined } : {};
}
