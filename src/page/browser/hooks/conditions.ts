/*
 * The conditions of a webhook as rows: a field of its records, when it has a value, and the value. A field that becomes a value has it after
 * a change of this field.
 */

import { collectionOf, creationOf, fieldsOf } from '../model.js';
import type { Field, Values } from '../types.js';

export const WHENS = ['becomes', 'is', 'was'] as const;
export type When = (typeof WHENS)[number];

export interface Condition {
  name: string;
  when: When;
  value: unknown;
}

/** The conditions as the service has them, or, once somebody has changed them, as the rows of the form. */
export type Held = { before?: Values | null; after?: Values | null; rows?: readonly Condition[] } | null;

/** The fields of the records of a resource that the log has, except for secrets. */
export function fieldsOfResource(resource: string | undefined): readonly Field[] {
  const collection = collectionOf(resource ?? '');
  if (!collection) return [];
  const settable = fieldsOf(creationOf(collection)?.body).filter(({ of, secret }) => !of && !secret);
  const shown = fieldsOf(collection.type);
  return settable.filter(({ name }) => shown.some((field) => field.name === name));
}

/** The field as one of its values is entered. */
export const oneValueOf = (field: Field): Field =>
  field.type === 'array'
    ? { ...field, type: field.items ?? 'string', custom: undefined }
    : { ...field, nullable: true, required: undefined, default: undefined };

/** The rows of conditions. Several values of a field are rows of their own, of which one must be true. @param changed the fields that must have changed */
export const rowsOf = (held: Held, changed: readonly string[]): readonly Condition[] =>
  held?.rows ??
  (['before', 'after'] as const).flatMap((side) =>
    Object.entries(held?.[side] ?? {}).flatMap(([name, given]) =>
      (Array.isArray(given) ? given : [given]).map((value: unknown): Condition => {
        const when = side === 'before' ? 'was' : changed.includes(name) ? 'becomes' : 'is';
        return { name, when, value };
      }),
    ),
  );

/** The fields that become a value. */
export const becomingOf = (rows: readonly Condition[]): string[] =>
  rows.flatMap(({ when, name }) => (when === 'becomes' ? [name] : []));

/** Rows about the same: of their values, one is enough. */
export const grouped = (rows: readonly Condition[]): Condition[][] => [
  ...new Map(
    rows.map(({ name, when }) => [`${when} ${name}`, rows.filter((one) => one.name === name && one.when === when)]),
  ).values(),
];

/** The values of fields, as the service compares them. */
const valuesOf = (rows: readonly Condition[]): Values =>
  Object.fromEntries(
    [...new Set(rows.map(({ name }) => name))].map((name) => {
      const [first, ...others] = rows.filter((row) => row.name === name).map(({ value }) => value ?? null);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );

/** The body of a webhook, from what the form holds: a field that becomes a value must have changed. */
export function bodyOf(body: Values, values: Values): Values {
  const rows = (body.where as Held | undefined)?.rows;
  if (!rows) return body;
  const [before, after] = [true, false].map((isBefore) => rows.filter(({ when }) => (when === 'was') === isBefore));
  const conditioned = new Set(after!.map(({ name }) => name));
  const others = ((values.fields ?? []) as string[]).filter((name) => !conditioned.has(name));
  const where = {
    ...(before!.length > 0 && { before: valuesOf(before!) }),
    ...(after!.length > 0 && { after: valuesOf(after!) }),
  };
  return { ...body, where: rows.length > 0 ? where : null, fields: [...new Set([...others, ...becomingOf(rows)])] };
}
