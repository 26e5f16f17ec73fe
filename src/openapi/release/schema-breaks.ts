import type { Components, Json } from '../document/json.js';

/** The use of a schema: in a request, all formerly valid values must stay valid; in a response, all values must be as promised. */
export type Direction = 'request' | 'answer';

/** A difference that a client of the earlier document can notice. */
export interface Break {
  /** The operation, or the schema, that it is about. */
  place: string;
  what: string;
}

/** A schema, its references resolved, and the name by which the document has it. */
interface Resolved {
  name?: string;
  schema: Json;
}

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const;
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'] as const;
/** Keywords that must be equal, because patterns cannot be compared. */
const WHOLE = ['format', 'pattern', 'multipleOf', 'not', 'uniqueItems'] as const;

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const asList = (value: unknown): unknown[] => (value === undefined ? [] : [value].flat());
const propertiesOf = ({ properties }: Json): Record<string, Json> => (properties ?? {}) as Record<string, Json>;

/** The words of a closed list. */
const wordsOf = ({ enum: words, const: only }: Json): unknown[] | undefined =>
  (words as unknown[] | undefined) ?? (only === undefined ? undefined : [only]);

/** The names that an object may have; undefined for any. */
function namesOf(schema: Json): unknown[] | undefined {
  if (schema.additionalProperties === false) return Object.keys(propertiesOf(schema));
  return (schema.propertyNames as Json | undefined)?.enum as unknown[] | undefined;
}

/** Compares schemas of an earlier document with those of a later one. */
export class SchemaBreaks {
  /** Results by both names, and assumptions while a recursive schema is compared. */
  private readonly known = new Map<string, Break[]>();

  constructor(
    private readonly earlier: Components,
    private readonly later: Components,
  ) {}

  compare(earlier: Json, later: Json, direction: Direction, place: string): Break[] {
    const [before, after] = [resolve(earlier, this.earlier), resolve(later, this.later)];
    if (before.name === undefined && after.name === undefined)
      return this.resolved(before.schema, after.schema, direction, place);
    const key = JSON.stringify([earlier, later, direction]);
    const known = this.known.get(key);
    if (known) return known;
    this.known.set(key, []);
    const found = this.resolved(before.schema, after.schema, direction, before.name ?? place);
    this.known.set(key, found);
    return found;
  }

  private resolved(before: Json, after: Json, direction: Direction, place: string): Break[] {
    const [olds, news] = [choicesOf(before), choicesOf(after)];
    if (olds.length === 1 && news.length === 1) return this.plain(olds[0]!, news[0]!, direction, place);
    // Each choice of the narrower side is one of the wider side.
    const fits = (old: Json, late: Json): boolean => this.compare(old, late, direction, place).length === 0;
    if (direction === 'request')
      return olds
        .filter((old) => !news.some((late) => fits(old, late)))
        .map((old) => ({ place, what: `no longer takes ${titleOf(old)}` }));
    return news
      .filter((late) => !olds.some((old) => fits(old, late)))
      .map((late) => ({ place, what: `may now be ${titleOf(late)}` }));
  }

  /** Schemas without a choice. */
  private plain(before: Json, after: Json, direction: Direction, place: string): Break[] {
    const isRequest = direction === 'request';
    const [inner, outer] = isRequest ? [before, after] : [after, before];
    const breaks: Break[] = [];
    const add = (what: string): void => void breaks.push({ place, what });
    const [types, admitted] = [asList(inner.type), asList(outer.type)];
    const isAdmitted = (type: unknown): boolean =>
      admitted.includes(type) || (type === 'integer' && admitted.includes('number'));
    if (admitted.length > 0 && !(types.length > 0 && types.every(isAdmitted)) && !wordsOf(inner)) {
      add(
        `the type was ${asList(before.type).join(' or ') || 'any'} and is ${asList(after.type).join(' or ') || 'any'}`,
      );
    }
    const [words, known] = [wordsOf(inner), wordsOf(outer)];
    if (known) {
      if (!words) add(isRequest ? 'takes only some words now' : 'may now be any word');
      for (const word of words ?? [])
        if (!known.includes(word)) add(`the word ${JSON.stringify(word)} is ${isRequest ? 'removed' : 'new'}`);
    }
    for (const keyword of WHOLE) {
      if (outer[keyword] !== undefined && !same(outer[keyword], inner[keyword])) add(`\`${keyword}\` is another`);
    }
    for (const [keywords, sign] of [
      [LOWER, 1],
      [UPPER, -1],
    ] as const)
      for (const keyword of keywords) {
        const [bound, given] = [outer[keyword], inner[keyword]] as (number | undefined)[];
        if (bound !== undefined && (given === undefined || sign * (bound - given) > 0))
          add(`\`${keyword}\` is another`);
      }
    if (isRequest && before.default !== undefined && !same(before.default, after.default))
      add('the default is another');
    if (outer.items) {
      if (inner.items) breaks.push(...this.within(before.items, after.items, direction, `${place}[]`));
      else add('the entries may be of any type');
    }
    breaks.push(...this.objects(before, after, direction, place));
    return breaks;
  }

  private objects(before: Json, after: Json, direction: Direction, place: string): Break[] {
    const isRequest = direction === 'request';
    const [inner, outer] = isRequest ? [before, after] : [after, before];
    const breaks: Break[] = [];
    const add = (property: string, what: string): void => void breaks.push({ place, what: `${property} ${what}` });
    const [old, late] = [propertiesOf(before), propertiesOf(after)];
    for (const [name, schema] of Object.entries(old)) {
      if (late[name]) breaks.push(...this.within(schema, late[name], direction, `${place}.${name}`));
      else add(name, 'is removed');
    }
    const required = asList(inner.required);
    for (const name of asList(outer.required) as string[]) {
      const isGone = !isRequest && !late[name];
      if (!required.includes(name) && !isGone) add(name, isRequest ? 'is newly required' : 'may be missing now');
    }
    const [names, admitted] = [namesOf(inner), namesOf(outer)];
    if (admitted && !names && Object.keys(inner).length > 0) add('the object', 'has other properties than those named');
    for (const name of names ?? []) {
      const isTold = isRequest && old[name as string] !== undefined && !late[name as string];
      if (admitted && !admitted.includes(name) && !isTold) add(String(name), isRequest ? 'is removed' : 'is new');
    }
    const [further, others] = [before.additionalProperties, after.additionalProperties];
    if (isSchema(further) && isSchema(others)) breaks.push(...this.within(further, others, direction, `${place}.*`));
    return breaks;
  }

  private within(before: unknown, after: unknown, direction: Direction, place: string): Break[] {
    return this.compare(before as Json, after as Json, direction, place);
  }
}

const isSchema = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** The alternatives of a schema. Null is an alternative of its own. */
function choicesOf(schema: Json): Json[] {
  const { anyOf, oneOf, ...rest } = schema;
  const choices = (anyOf ?? oneOf) as Json[] | undefined;
  const types = asList(rest.type);
  if (choices) return choices;
  if (types.length < 2) return [schema];
  return types.map((type) => ({ ...(type === 'null' ? {} : rest), type }));
}

const titleOf = ({ $ref, type, ...rest }: Json): string =>
  typeof $ref === 'string'
    ? $ref.split('/').at(-1)!
    : typeof type === 'string'
      ? type
      : JSON.stringify(rest).slice(0, 80);

/** The referenced schema, merged with the siblings of the reference and all parts of `allOf`. */
function resolve(schema: Json, components: Components): Resolved {
  const { $ref, allOf, ...own } = schema;
  const parts = (allOf ?? []) as Json[];
  if ($ref === undefined && parts.length === 0) return { schema };
  const name = typeof $ref === 'string' ? $ref.split('/').at(-1)! : undefined;
  const from = name === undefined ? [] : [resolve(components.schemas![name] as Json, components)];
  const all = [...from, ...parts.map((part) => resolve(part, components))];
  const merged = Object.assign({}, ...all.map((one) => one.schema), own) as Json;
  const required = all.flatMap((one) => asList(one.schema.required)).concat(asList(own.required));
  if (required.length > 0) merged.required = [...new Set(required)];
  const properties = Object.assign({}, ...[...all.map((one) => one.schema), own].map(propertiesOf)) as Json;
  if (Object.keys(properties).length > 0) merged.properties = properties;
  return { name: name ?? all.find((one) => one.name !== undefined)?.name, schema: merged };
}
