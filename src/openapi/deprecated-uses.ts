import type { ModulesContainer } from '@nestjs/core';
import type { DeprecatedUse, Deprecation } from '../http/deprecation.js';
import { descriptionOfBody, type Installation } from './body.js';
import { queryOf, type OperationDocument } from './operation.js';

type Deprecations = ReadonlyMap<string, Deprecation>;

interface Sent {
  query: unknown;
  body: unknown;
}

/** Finds the deprecated parameters and properties that a request uses. Without any deprecation this costs a request nothing. */
export function deprecatedUses(
  operation: OperationDocument,
  modules: ModulesContainer,
  installation: Installation,
): (sent: Sent) => readonly DeprecatedUse[] {
  const parameters: Deprecations = new Map(
    queryOf(operation, modules, installation).flatMap(({ name, deprecated }) =>
      deprecated ? [[name, deprecated]] : [],
    ),
  );
  const properties: Deprecations =
    (operation.body && descriptionOfBody(operation.body, installation).deprecated) ?? new Map();
  if (parameters.size === 0 && properties.size === 0) return () => NONE;
  return ({ query, body }) => [...usesIn(queryNames(query), parameters), ...usesIn(namesIn(body), properties)];
}

const NONE: readonly DeprecatedUse[] = [];

const usesIn = (names: Iterable<string>, deprecations: Deprecations): DeprecatedUse[] =>
  deprecations.size === 0
    ? []
    : [...new Set(names)].flatMap((name) => {
        const deprecation = deprecations.get(name);
        return deprecation ? [{ name, deprecation }] : [];
      });

/** The names of parameters, and of the sort keys. */
function queryNames(query: unknown): readonly string[] {
  const { sort, ...others } = query as Record<string, string | string[]>;
  return [...Object.keys(others), ...(sort === undefined ? [] : ['sort', sort].flat())];
}

/** The names of all properties of a body, including those of nested objects. */
function* namesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) yield name;
    yield* namesIn(inner);
  }
}
