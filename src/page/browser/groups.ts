/* The titled groups of the fields of a record and of its form. */

import { calledBy, fieldsOf, namingOf } from './model.js';
import type { Collection, Field } from './types.js';

export interface Group {
  title: string;
  fields: Field[];
}

const REST = 'More';
/** Title of the custom fields. They come after the built-in fields. */
const CUSTOM = 'Custom fields';
/** With fewer fields than this, there is a single group. */
const FEW = 8;

/**
 * Fields in the groups that their resource declares. Fields without a group keep their position among the others.
 * @param first title of the group of a resource that declares none
 */
export function groupsOf(collection: Pick<Collection, 'groups' | 'type'>, fields: Field[], first = 'Details'): Group[] {
  const own = fields.filter(({ custom }) => custom);
  const common = fields.filter(({ custom }) => !custom);
  return [...groupsOfCommon(collection, common, first), { title: CUSTOM, fields: own }].filter(
    (one) => one.fields.length > 0,
  );
}

function groupsOfCommon(collection: Pick<Collection, 'groups' | 'type'>, fields: Field[], first: string): Group[] {
  const declared = Object.entries(collection.groups ?? {});
  if (declared.length === 0) {
    if (fields.length < FEW) return [{ title: first, fields }];
    const naming = namingOf(collection);
    const isOwn = (field: Field): boolean => !field.references || field.name === naming;
    return [
      { title: first, fields: fields.filter(isOwn) },
      { title: 'Belongs to', fields: fields.filter((field) => !isOwn(field)) },
    ];
  }
  const named = new Set(declared.flatMap(([, names]) => names));
  const groups = declared.map(([title, names]) => ({
    title,
    fields: names.flatMap((name) => fields.find((field) => field.name === name) ?? []),
  }));
  const rest = fields.filter(({ name }) => !named.has(name));
  return [...groups, { title: REST, fields: rest }];
}

/** Fields of a form without groups. */
export const ungrouped = (fields: Field[]): Group[] =>
  [
    { title: '', fields: fields.filter(({ custom }) => !custom) },
    { title: CUSTOM, fields: fields.filter(({ custom }) => custom) },
  ].filter((one) => one.fields.length > 0);

/** Fields that a record shows, except for its id and the contents of its heading and references. */
export function shownFields({ type }: Pick<Collection, 'type'>, record: object): Field[] {
  const all = fieldsOf(type);
  return all.filter(({ name, of, type: kind, via, custom }) => {
    const isRelation = kind === 'object' && of && all.some((field) => field.name === `${name}Id`);
    // For a reference to records of several lists, the link shows the list.
    const isKind = all.some((field) => field.referencesBy === name);
    // The link to a record already has its name.
    const isCalled = all.some((field) => calledBy(field) === name);
    return (
      name !== 'id' &&
      !isRelation &&
      !isKind &&
      !isCalled &&
      !via &&
      !HIDDEN.includes(name) &&
      (custom || name in record)
    );
  });
}

/** The times are in the heading, and a slug is a name for addresses of other programs. Its form has it. */
const HIDDEN = ['createdAt', 'updatedAt', 'slug'];
