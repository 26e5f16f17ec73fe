import type { Components, Json } from '../document/json.js';
import { type Break, SchemaBreaks } from './schema-breaks.js';

export type { Break } from './schema-breaks.js';

type Operations = Record<string, Json>;
type Kind = 'parameters' | 'responses' | 'headers';

/** A path without the names of its parameters, which requests do not have. */
const unnamed = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');

/**
 * The breaking changes of a later document: a valid request that is not valid any more, or a response that is not as promised. A new
 * status of a refusal is not one, because clients treat an unknown status by its first digit (RFC 9110, 15).
 */
export function breaksOf(earlier: Json, later: Json): Break[] {
  const comparison = new Comparison(earlier, later);
  const found = [...comparison.paths(), ...comparison.sent()];
  return [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
}

class Comparison {
  private readonly schemas: SchemaBreaks;

  constructor(
    private readonly earlier: Json,
    private readonly later: Json,
  ) {
    this.schemas = new SchemaBreaks(earlier.components as Components, later.components as Components);
  }

  *paths(): Generator<Break> {
    const paths = Object.entries(this.later.paths as Record<string, Operations>);
    const after = new Map(paths.map(([path, operations]) => [unnamed(path), operations]));
    for (const [path, operations] of Object.entries(this.earlier.paths as Record<string, Operations>))
      for (const [method, operation] of Object.entries(operations)) {
        const place = `${method.toUpperCase()} ${path}`;
        const late = after.get(unnamed(path))?.[method];
        if (!late) yield { place, what: 'is removed' };
        else yield* this.operation(operation, late, place);
      }
  }

  /** A request of the service is to its receiver what a response is to a client. */
  *sent(): Generator<Break> {
    const late = (this.later.webhooks ?? {}) as Record<string, Operations>;
    for (const [name, { post }] of Object.entries((this.earlier.webhooks ?? {}) as Record<string, Operations>)) {
      const place = `webhook ${name}`;
      const now = late[name]?.post;
      if (!now) yield { place, what: 'is removed' };
      else yield* this.content(post!.requestBody as Json, now.requestBody as Json, 'answer', place);
    }
  }

  private *operation(before: Json, after: Json, place: string): Generator<Break> {
    yield* this.credentials(before, after, place);
    yield* this.parameters(before, after, place);
    const [body, late] = [before.requestBody, after.requestBody] as (Json | undefined)[];
    if (body && !late) yield { place, what: 'the body is removed' };
    if (late?.required && !body?.required) yield { place, what: 'the body is newly required' };
    if (body && late) yield* this.content(body, late, 'request', place);
    yield* this.answers(before.responses as Json, after.responses as Json, place);
  }

  private *credentials(before: Json, after: Json, place: string): Generator<Break> {
    const schemesOf = ({ security }: Json, document: Json): string[] =>
      ((security ?? document.security ?? []) as Json[]).flatMap(Object.keys);
    const [taken, needed] = [schemesOf(before, this.earlier), schemesOf(after, this.later)];
    if (taken.length === 0 && needed.length > 0) yield { place, what: 'newly needs a credential' };
    if (needed.length === 0) return;
    for (const scheme of taken) if (!needed.includes(scheme)) yield { place, what: `no longer takes ${scheme}` };
  }

  private *parameters(before: Json, after: Json, place: string): Generator<Break> {
    const [old, late] = [this.named(before, this.earlier), this.named(after, this.later)];
    for (const [key, parameter] of old) {
      const at = `${place}, parameter ${parameter.name as string}`;
      const now = late.get(key);
      if (!now) yield { place, what: `the parameter ${parameter.name as string} is removed` };
      else yield* this.schemas.compare(parameter.schema as Json, now.schema as Json, 'request', at);
    }
    for (const [key, { name, required }] of late)
      if (required && !old.get(key)?.required)
        yield { place, what: `the parameter ${name as string} is newly required` };
  }

  /** Parameters of a path by their position, others by their names. */
  private named({ parameters = [] }: Json, document: Json): Map<string, Json> {
    const all = (parameters as Json[]).map((one) => target(one, 'parameters', document));
    return new Map(
      all.map((one, index) => [one.in === 'path' ? `path ${index}` : `${one.in as string} ${one.name as string}`, one]),
    );
  }

  private *answers(before: Json, after: Json, place: string): Generator<Break> {
    for (const [status, response] of Object.entries(before)) {
      const old = target(response as Json, 'responses', this.earlier);
      if (!after[status]) {
        if (status < '400') yield { place, what: `the status ${status} is removed` };
        continue;
      }
      const late = target(after[status] as Json, 'responses', this.later);
      for (const header of Object.keys((old.headers ?? {}) as Json))
        if (!(late.headers as Json | undefined)?.[header])
          yield { place, what: `the header ${header} of ${status} is removed` };
      yield* this.content(old, late, 'answer', `${place}, ${status}`);
    }
    for (const status of Object.keys(after))
      if (status < '400' && !before[status]) yield { place, what: `the status ${status} is new` };
  }

  /** The media types of a body, each with its schema. */
  private *content(before: Json, after: Json, direction: 'request' | 'answer', place: string): Generator<Break> {
    const late = (after.content ?? {}) as Record<string, Json>;
    for (const [type, { schema }] of Object.entries((before.content ?? {}) as Record<string, Json>)) {
      if (!late[type]) yield { place, what: `${type} is removed` };
      else yield* this.schemas.compare(schema as Json, late[type].schema as Json, direction, place);
    }
  }
}

/** The component to which a reference leads. */
function target(value: Json, kind: Kind, { components }: Json): Json {
  const { $ref } = value;
  return typeof $ref === 'string' ? ((components as Components)[kind]![$ref.split('/').at(-1)!] as Json) : value;
}
