import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// oxlint-disable-next-line typescript/no-explicit-any -- a JSON document
export type Json = any;

/** openapi.json as it is published. */
export const document = JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8')) as Json;

/** What a `$ref` of the document refers to, through any number of them. */
export function resolveRef(value: Json): Json {
  if (!value?.$ref) return value;
  const parts = (value.$ref as string).slice(2).split('/');
  return resolveRef(parts.reduce((at, part) => at[part.replaceAll('~1', '/').replaceAll('~0', '~')], document));
}

/** As `resolveRef`, of a schema: one that is a reference with a description of its own is its target with that. */
export function resolveSchema(schema: Json): Json {
  const { allOf, ...rest } = resolveRef(schema);
  return allOf ? { ...resolveSchema(allOf[0]), ...rest } : rest;
}

const { Timestamp, CalendarDate } = document.components.schemas;

/** Format of a text; of a date or a time in a request, which may be written in many ways, that of what is made of it. */
export function formatOf({ anyOf, pattern, examples, format }: Json): string | undefined {
  if (anyOf) return formatOf(resolveSchema(anyOf[0]));
  if (pattern !== Timestamp.pattern) return format;
  return examples === CalendarDate.examples ? 'date' : 'date-time';
}

const shapeOf = (path: string): string => path.replaceAll(/\{[^{}]*\}/g, '{}');

/** The path of the document that is this one, whatever its parameters are called. */
export const pathLike = (path: string): string =>
  Object.keys(document.paths).find((candidate) => shapeOf(candidate) === shapeOf(path))!;
