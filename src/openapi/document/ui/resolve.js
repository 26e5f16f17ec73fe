/*
 * Swagger UI's own resolver reads the whole document anew, into a model of its own, once before the first operation is
 * shown and again for each one that is opened, which takes seconds. It needs to, as documents may refer to others. This
 * one refers to itself alone: Swagger UI gets its outline, and of each operation that is opened the rest.
 */

const pick = (from, keys) => Object.fromEntries(keys.filter((key) => key in from).map((key) => [key, from[key]]));

const mapValues = (from, map) => Object.fromEntries(Object.entries(from).map(([key, value]) => [key, map(value)]));

/** Whether an operation is found by the word picture. The summaries, which every resource has, would hide the others. */
const isPicture = (path, { responses }) =>
  !path.endsWith('/summary') && 'image/svg+xml' in (responses['200']?.content ?? {});

/**
 * The document with no more of its operations than what is shown of them before they are opened, the words that they are found
 * by, and the names of its schemas.
 */
export function outlineOf(document) {
  const { paths, components, ...rest } = document;
  const { schemas, securitySchemes } = components;
  return {
    ...rest,
    // The page tries operations out where it comes from, as its session belongs there.
    servers: [{ url: '/' }],
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, operations]) => [
        path,
        mapValues(operations, (operation) => ({
          ...pick(operation, ['operationId', 'tags', 'summary', 'deprecated', 'security']),
          'x-words': isPicture(path, operation) ? 'svg picture' : '',
          'x-explanation': operation.description ?? '',
        })),
      ]),
    ),
    components: { securitySchemes, schemas: mapValues(schemas, () => ({})) },
  };
}

/** The outline with the schemas. */
export const withSchemas = (document) => ({
  ...outlineOf(document),
  components: pick(document.components, ['schemas', 'securitySchemes']),
});

/** The value at a pointer in the document, with each reference replaced by its target. */
export function resolveAt(document, path) {
  const at = (keys) => keys.reduce((value, key) => value?.[key], document);
  const keysOf = (reference) =>
    reference
      .slice('#/'.length)
      .split('/')
      .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'));
  const resolved = (value, within) => {
    if (Array.isArray(value)) return value.map((entry) => resolved(entry, within));
    if (value === null || typeof value !== 'object') return value;
    const { $ref: reference, allOf, ...own } = value;
    // All of one schema is that schema, with what is said of this use of it.
    if (allOf?.length === 1) return { ...resolved(allOf[0], within), ...resolved(own, within) };
    if (typeof reference === 'string') {
      // A schema that holds itself ends where it begins again.
      if (within.includes(reference)) return value;
      // Swagger UI takes the name of a schema from `$$ref`.
      return { ...resolved(at(keysOf(reference)), [...within, reference]), ...own, $$ref: reference };
    }
    return mapValues(value, (entry) => resolved(entry, within));
  };
  return resolved(at(path), []);
}
