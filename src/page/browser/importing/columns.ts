/* The fields that a file can contain, and the columns that match them. */

import { writable } from '../writing.js';
import { keep, kept } from '../kept.js';
import { collectionOf, creationOf, fieldsOf, labelOf, namingOf, relationOf } from '../model.js';
import type { Collection, Field } from '../types.js';

/** A column that the service knows. */
export interface Target {
  /** Its name in an import: `siteId`, `site.name`, `customFields.tier`. */
  name: string;
  label: string;
  field: Field;
  required?: boolean;
}

/** Fields that usually identify a record, besides its name. */
const TELLING = ['email', 'slug', 'assetTag', 'serialNumber'];

/** The columns that an import of a list takes. */
export function targetsOf(collection: Collection): Target[] {
  const own = writable(creationOf(collection)?.body).flatMap((field): Target[] => {
    const { name, references, required } = field;
    const target = references && collectionOf(references);
    if (!target) return [{ name, label: labelOf(field), field, required }];
    const naming = namingOf(target) ?? 'name';
    const texts = fieldsOf(target.type).filter((one) => one.name === naming || TELLING.includes(one.name));
    const label = labelOf(field);
    return [
      ...texts
        .toSorted((one, other) => Number(other.name === naming) - Number(one.name === naming))
        .map((one) => ({
          name: `${relationOf(name)}.${one.name}`,
          label: one.name === naming ? label : `${label}, ${labelOf(one).toLowerCase()}`,
          field: { ...field, references: undefined, format: undefined },
          required,
        })),
      { name, label: `${label}, id`, field },
    ];
  });
  return [...own, { name: 'id', label: 'ID', field: { name: 'id', type: 'string', format: 'uuid' } }];
}

/** Synonyms for field names in files. */
const SYNONYMS: Readonly<Record<string, string>> = {
  cost: 'price',
  date: 'at',
  purchased: 'purchase',
  bought: 'purchase',
  expires: 'until',
  expiry: 'until',
  expiration: 'until',
  end: 'until',
  no: 'number',
  num: 'number',
  nr: 'number',
  mail: 'email',
  title: 'name',
};

/** A name in normalised words, for the comparison of fields and columns. */
function wordsOf(name: string, one = ''): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/e-mail/, 'email')
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean)
    .map((word) => SYNONYMS[word] ?? word);
  const own = one.toLowerCase().split(' ');
  // `Asset name` in a file of assets is `name`.
  return (
    words.length > own.length && own.every((word, at) => words[at] === word) ? words.slice(own.length) : words
  ).join(' ');
}

/**
 * The fields for the columns of a file, by name or by an earlier choice. Nothing is matched twice.
 * @param fits whether a field can have the values of a column
 */
export function matched(
  collection: Collection,
  targets: readonly Target[],
  header: readonly string[],
  remembered: Readonly<Record<string, string>>,
  fits: (at: number, target: Target) => boolean,
): (string | undefined)[] {
  const taken = new Set<string>();
  const found: (string | undefined)[] = header.map(() => undefined);
  const match = (test: (column: string, target: Target) => boolean): void => {
    for (const [at, column] of header.entries()) {
      if (found[at] !== undefined || column === '' || remembered[key(column)] === '') continue;
      const target = targets.find((one) => !taken.has(one.name) && test(column, one));
      if (!target || (remembered[key(column)] !== target.name && !fits(at, target))) continue;
      found[at] = target.name;
      taken.add(target.name);
    }
  };
  match((column, { name }) => remembered[key(column)] === name);
  match((column, { name }) => column === name);
  match((column, { name, label }) => [label, name].some((text) => text.toLowerCase() === column.toLowerCase()));
  const words = (text: string): string => wordsOf(text, collection.one);
  match((column, { name, label }) => [label, name].some((text) => words(text) === words(column)));
  // `Serial` is the beginning of only one field.
  match((column, { label }) => {
    const start = `${words(column)} `;
    return (
      words(label).startsWith(start) &&
      targets.filter((other) => words(other.label).startsWith(start) && !other.label.includes(',')).length === 1
    );
  });
  return found;
}

const key = (column: string): string => column.trim().toLowerCase();

const placeOf = ({ path }: Collection): string => `importing:${path}`;

/** Earlier choices for the columns of a list in this browser. */
export const rememberedFor = (collection: Collection): Record<string, string> => kept(placeOf(collection), {});

/** Stores a choice; an empty one means that the column is left out. */
export const remember = (collection: Collection, column: string, target: string): void =>
  keep(placeOf(collection), { ...rememberedFor(collection), [key(column)]: target });
