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
