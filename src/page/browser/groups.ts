/* The titled groups that the fields of a record and of its form stand in. */

import { calledBy, fieldsOf, namingOf } from './model.js';
import type { Collection, Field } from './types.js';

interface Group {
  title: string;
  fields: Field[];
}

const REST = 'More';
/** Title of the fields that the installation has defined. They stand after those that every installation has. */
const CUSTOM = 'Custom fields';
/** Below so many fields one group is enough. */
const FEW = 8;

/**
 * Fields in the groups that their resource declares; those that it does not name stand where they are among the others of their kind.
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

/** Fields that a record shows: not its id, not what its heading and its references say already. */
export function shownFields({ type }: Pick<Collection, 'type'>, record: object): Field[] {
  const all = fieldsOf(type);
  return all.filter(({ name, of, type: kind, via, custom }) => {
    const isRelation = kind === 'object' && of && all.some((field) => field.name === `${name}Id`);
    // Of a reference to records of several lists, the link says which list it is.
    const isKind = all.some((field) => field.referencesBy === name);
    // The link to a record says what that one is called.
    const isCalled = all.some((field) => calledBy(field) === name);
    return (
      name !== 'id' &&
      !isRelation &&
      !isKind &&
      !isCalled &&
      !via &&
      !TIMES.includes(name) &&
      (custom || name in record)
    );
  });
}

const TIMES = ['createdAt', 'updatedAt'];
