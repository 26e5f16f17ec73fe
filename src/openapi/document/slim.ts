import { someOf } from '../../http/some-of.js';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Fault, ValidationFailed } from '../../http/errors.js';
import type { Components, Json } from './json.js';
import { OPERATOR_OF } from './parameters.js';
import { ASKED_BY } from './success-response.js';

/** A part of the document, for tools that are slow with all of it, or for clients that need less. */
export interface Slimming {
  /** The group of tags to keep; undefined for all. */
  area?: string;
  /** Whether the operators of filters are left out. */
  isPlain: boolean;
  /**
   * Whether parameters that request another response are left out, with that response. The result of a write then has a single type in clients.
   */
  isDirect: boolean;
}

interface Grouped extends OpenAPIObject {
  'x-tagGroups': TagGroup[];
}

interface TagGroup {
  name: string;
  tags: string[];
}

interface Operation {
  tags: string[];
  parameters?: { $ref?: string }[];
  responses: Json;
}

/** The tag in every part, because clients need to log in. */
const LOGIN = 'Authentication';

export const groupsOf = (document: OpenAPIObject): TagGroup[] => (document as Grouped)['x-tagGroups'];

/** The name of a group as a parameter: `network` for "Network and compute". */
export const areaOf = ({ name }: TagGroup): string => name.split(' ')[0]!.toLowerCase();

/**
 * The part of the document that a query string selects.
 * @throws ValidationFailed with a fault for each parameter that is unknown or has an invalid value
 */
export function parseSlimming(document: OpenAPIObject, query: Record<string, string | string[]>): Slimming {
  const choices: Record<string, readonly string[]> = {
    areas: groupsOf(document).map(areaOf),
    filters: ['plain'],
    changeSets: ['none'],
  };
  const faults = Object.entries(query).flatMap(([name, value]) => {
    const known = Object.hasOwn(choices, name) ? choices[name]! : undefined;
    if (!known)
      return [new Fault(name, `is not a known parameter. The known ones are ${someOf(Object.keys(choices))}`)];
    // Only one area, because every set of areas would be another document.
    const isSeveral = name === 'areas' && (Array.isArray(value) || value.includes(','));
    const only = isSeveral ? '. Only one area can be given' : '';
    return known.some((one) => one === value) ? [] : [new Fault(name, `must be one of ${someOf(known)}${only}`)];
  });
  if (faults.length > 0) throw new ValidationFailed(faults);
  return {
    area: query.areas as string | undefined,
    isPlain: query.filters !== undefined,
    isDirect: query.changeSets !== undefined,
  };
}

/** The selected part of the document, without components that nothing in it refers to. */
export function slimmed(document: OpenAPIObject, { area, isPlain, isDirect }: Slimming): OpenAPIObject {
  const components = document.components as Components;
  const groups = groupsOf(document).filter((group) => area === undefined || areaOf(group) === area);
  const shown = new Set([LOGIN, ...groups.flatMap(({ tags }) => tags)]);
  const parameterOf = ({ $ref }: { $ref?: string }): Json =>
    $ref === undefined ? {} : ((components.parameters![$ref.split('/').at(-1)!] ?? {}) as Json);
  const lessOf = (operation: Operation): Operation => {
    const { parameters = [], responses } = operation;
    const left = isPlain ? parameters.filter((one) => !(OPERATOR_OF in parameterOf(one))) : parameters;
    const asked = new Set(Object.values(responses as Record<string, Json>).map((response) => response[ASKED_BY]));
    asked.delete(undefined);
    if (!isDirect || asked.size === 0) return operation.parameters ? { ...operation, parameters: left } : operation;
    const direct = Object.entries(responses as Record<string, Json>).filter(([, response]) => !(ASKED_BY in response));
    return {
      ...operation,
      parameters: left.filter((one) => !asked.has(parameterOf(one).name)),
      responses: Object.fromEntries(direct),
    };
  };
  const kept = (section: object = {}): Json => {
    const items: Json = {};
    for (const [name, operations] of Object.entries(section as Record<string, Record<string, Operation>>)) {
      const left = Object.entries(operations)
        .filter(([, { tags }]) => tags.some((tag) => shown.has(tag)))
        .map(([method, operation]) => [method, lessOf(operation)]);
      if (left.length > 0) items[name] = Object.fromEntries(left);
    }
    return items;
  };
  const sections = { paths: kept(document.paths), webhooks: kept(document.webhooks) };
  return {
    ...document,
    ...sections,
    tags: document.tags?.filter(({ name }) => shown.has(name)),
    'x-tagGroups': groupsOf(document)
      .map((group) => ({ ...group, tags: group.tags.filter((tag) => shown.has(tag)) }))
      .filter((group) => group.tags.length > 0),
    components: referredTo(sections, components),
  } as Grouped;
}

/** The components that are referred to, directly or indirectly. */
export function referredTo(root: Json, components: Components): Components {
  const found = new Set<string>();
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref === 'string' && !found.has($ref)) {
      found.add($ref);
      const [kind = '', name = ''] = $ref.split('/').slice(2);
      pending.push(components[kind]?.[name]);
    }
    pending.push(...Object.values(value));
  }
  const kept = Object.entries(components).map(([kind, entries]) => [
    kind,
    // Operations name the ways to log in without a reference.
    kind === 'securitySchemes'
      ? entries
      : Object.fromEntries(Object.entries(entries).filter(([name]) => found.has(`#/components/${kind}/${name}`))),
  ]);
  return Object.fromEntries(kept) as Components;
}
