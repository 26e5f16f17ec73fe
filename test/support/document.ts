import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// oxlint-disable-next-line typescript/no-explicit-any -- a JSON document
export type Json = any;

export const text = readFileSync(join(__dirname, '../../openapi.json'), 'utf8');

/** The published openapi.json. */
export const document = JSON.parse(text) as Json;

/** Whether a response continues until one side ends it. changes-feed.spec.ts in test/capabilities reads such responses. */
export const isStream = (path: string): boolean => path === '/api/changes/stream';

/** Resolves a `$ref` of the document, through any number of steps. */
export function resolveRef(value: Json): Json {
  if (!value?.$ref) return value;
  const parts = (value.$ref as string).slice(2).split('/');
  return resolveRef(parts.reduce((at, part) => at[part.replaceAll('~1', '/').replaceAll('~0', '~')], document));
}

/** Like `resolveRef` for a schema. A reference with its own description becomes its target with that description. */
export function resolveSchema(schema: Json): Json {
  const { allOf, ...rest } = resolveRef(schema);
  return allOf ? { ...resolveSchema(allOf[0]), ...rest } : rest;
}

const { Timestamp, CalendarDate } = document.components.schemas;

/** Format of a text. For dates and times in requests, which accept many formats, the format of the stored value. */
export function formatOf({ anyOf, pattern, examples, format }: Json): string | undefined {
  if (anyOf) return formatOf(resolveSchema(anyOf[0]));
  if (pattern !== Timestamp.pattern) return format;
  return examples[0] === CalendarDate.examples[0] ? 'date' : 'date-time';
}

const shapeOf = (path: string): string => path.replaceAll(/\{[^{}]*\}/g, '{}');

const shapes = new Map(Object.keys(document.paths).map((path) => [shapeOf(path), path]));

/** The path of the document that equals this one, whatever the names of its parameters. */
export const pathLike = (path: string): string => shapes.get(shapeOf(path))!;
