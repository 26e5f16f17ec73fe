import { resourceOfName } from '../fields/record-entity.js';
import { closest } from '../http/closest.js';
import { once, onceFor } from '../http/once.js';
import { shortened } from '../http/some-of.js';
import { OPERATOR_OF } from '../openapi/document/parameters.js';
import { publishedDocument } from '../openapi/document/published.js';

interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  enum?: readonly unknown[];
  default?: unknown;
  description?: string;
  readOnly?: boolean;
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
}

interface Parameter {
  name: string;
  in: string;
  description?: string;
  schema: Schema;
  [OPERATOR_OF]?: string;
}

interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags: readonly string[];
  parameters?: readonly ({ $ref: string } | Parameter)[];
  requestBody?: Body;
  responses: Record<string, Body>;
}

interface Body {
  content?: Record<string, { schema: Schema }>;
}

type Method = 'get' | 'post' | 'patch' | 'delete';

/** An operation with its place. */
interface Placed {
  method: string;
  /** Its path, as the document writes it: `/api/sites/{id}`. */
  path: string;
  segments: readonly string[];
  /** Number of its parameters. */
  parameters: number;
  operation: Operation;
}

const JSON_BODY = 'application/json';

/** Maximum characters of a path, which is compared with those of all operations. No valid path is as long. */
const LONGEST_PATH = 512;

const jsonOf = (body?: Body): Schema | undefined => body?.content?.[JSON_BODY]?.schema;

const isParameter = (segment: string): boolean => segment.startsWith('{');

const isList = ({ operation }: Placed): boolean => parametersOf(operation).some(({ name }) => name === 'page');

/** The target of a reference in the document. */
function target<T>({ $ref }: { $ref: string }): T {
  const [kind, name] = $ref.split('/').slice(2) as [string, string];
  return (publishedDocument().components as Record<string, Record<string, T>>)[kind]![name]!;
}

const parametersOf = ({ parameters = [] }: Operation): Parameter[] =>
  parameters.map((one) => ('$ref' in one ? target<Parameter>(one as { $ref: string }) : one));

/** A schema with the properties of the schemas that it refers to. */
function resolved(schema: Schema): Schema {
  const { $ref, allOf = [], ...own } = schema;
  const parts = [...($ref === undefined ? [] : [target<Schema>({ $ref })]), ...allOf].map(resolved);
  return Object.assign({}, ...parts, own) as Schema;
}

const placed = once((): readonly Placed[] =>
  Object.entries(publishedDocument().paths).flatMap(([path, item]) =>
    Object.entries(item as Partial<Record<Method, Operation>>).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      segments: path.split('/'),
      parameters: path.split('/').filter(isParameter).length,
      operation,
    })),
  ),
);

const reads = once(() => placed().filter(({ method }) => method === 'GET'));

/** A JSON response that ends: not a picture or a stream. */
const isReadable = ({ operation }: Placed): boolean => jsonOf(operation.responses['200']) !== undefined;

const readable = once(() => reads().filter(isReadable));

const collections = once(() => readable().filter(isList));

/** Whether a path is that of an operation. Its parameters match any text. */
const fits = ({ segments }: Placed, given: readonly string[]): boolean =>
  segments.length === given.length && segments.every((one, at) => isParameter(one) || one === given[at]);

/** The operation for a GET of a path. */
function readAt(path: string): Placed | undefined {
  if (path.length >= LONGEST_PATH) return undefined;
  const given = path.split('/');
  const found = reads()
    .filter((one) => fits(one, given))
    .toSorted((a, b) => a.parameters - b.parameters)[0];
  return found && isReadable(found) ? found : undefined;
}

function listAt(path: string): Placed | undefined {
  const found = readAt(path);
  return found && isList(found) ? found : undefined;
}

/** A path from segments such as `devices`, an id and `ports`. If it is too long, only its beginning. */
export const pathOf = (...segments: readonly (string | undefined)[]): string =>
  `/api/${segments
    .flatMap((one) => one?.slice(0, LONGEST_PATH).split('/') ?? [])
    .filter((one) => one !== '' && one !== 'api')
    .map((one) => encodeURIComponent(Buffer.from(one).toString()))
    .join('/')}`;

/** Why nothing can be read at a path, with a similar path. */
export class NotReadable extends Error {
  constructor(path: string, what: string, among: readonly Placed[]) {
    const known = among.map((one) => one.path.slice('/api/'.length));
    const near = closest(path.slice('/api/'.length), known);
    super(
      `There is no ${what} ${shortened(path)}.${near === undefined ? '' : ` Did you mean '${near}'?`} find_operations finds what there is`,
    );
  }
}

/** @throws NotReadable if no list is at a path */
export function checkList(path: string): void {
  if (!listAt(path)) throw new NotReadable(path, 'list', collections());
}

/** Whether a list is at a path. @throws NotReadable if nothing that is JSON can be read at it */
export function checkReadable(path: string): { isList: boolean } {
  const found = readAt(path);
  if (!found) throw new NotReadable(path, 'record or view', readable());
  return { isList: isList(found) };
}

const MOST_FOUND = 20;
const MOST_WORDS = 10;

/** The operations whose texts have most of the words, and the number of all that have any. */
export function findOperations(text: string): { data: object[]; total: number } {
  const words = text
    .toLowerCase()
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, MOST_WORDS)
    .map((word) => word.replace(/s$/, ''));
  const scored = searched()
    .map(({ one, name, rest }) => ({
      one,
      // A word in the name of an operation counts more than one in its description.
      score: words.reduce((sum, word) => sum + (name.includes(word) ? 3 : 0) + (rest.includes(word) ? 1 : 0), 0),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.one.parameters - b.one.parameters);
  return { data: scored.slice(0, MOST_FOUND).map(({ one }) => summaryOf(one)), total: scored.length };
}

/** The texts of the operations, in lower case. */
const searched = once(() =>
  placed().map((one) => {
    const { operationId, summary = '', description = '', tags } = one.operation;
    const name = `${one.method} ${one.path} ${operationId} ${summary} ${tags.join(' ')}`.toLowerCase();
    return { one, name, rest: description.toLowerCase() };
  }),
);

const summaryOf = ({ method, path, operation: { operationId, summary } }: Placed): object => ({
  method,
  path,
  operationId,
  summary,
});

/** A resource as the document has it. */
export interface DescribedResource {
  /** Its name, as in the change log and in change sets; absent for computed lists. */
  resource?: string;
  [property: string]: unknown;
}

/** The fields, filters, sort keys and operations of a resource. @param path of its list @throws NotReadable */
export function describeResource(path: string): DescribedResource {
  const list = listAt(path);
  if (!list) throw new NotReadable(path, 'resource', collections());
  return describedOf(list);
}

const describedOf = onceFor((list: Placed): DescribedResource => {
  const create = placed().find((one) => one.method === 'POST' && one.path === list.path);
  const parameters = parametersOf(list.operation).filter((parameter) => parameter.in === 'query');
  const valuesOf = (name: string): readonly unknown[] | undefined => {
    const schema = parameters.find((parameter) => parameter.name === name)?.schema;
    return schema && resolved(schema.items ?? schema).enum;
  };
  const { items } = resolved(resolved(jsonOf(list.operation.responses['200'])!).properties!.data!);
  return {
    resource: items?.$ref === undefined ? undefined : resourceOfName(items.$ref.split('/').at(-1)!),
    path: list.path,
    summary: list.operation.summary,
    fields: fieldsOf(items!, create?.operation),
    filters: filtersOf(parameters),
    sort: valuesOf('sort'),
    expand: valuesOf('expand'),
    operations: placed()
      .filter((one) => `${one.path}/`.startsWith(`${list.path}/`))
      .map(summaryOf),
  };
});

/** The filters of a list, each with the suffixes of its operators. */
function filtersOf(parameters: readonly Parameter[]): Record<string, readonly string[]> {
  const filters: Record<string, string[]> = {};
  for (const { name, [OPERATOR_OF]: of } of parameters) {
    if (of === undefined) filters[name] ??= [];
    else (filters[of] ??= []).push(name.slice(of.length));
  }
  return filters;
}

/** The fields of a list's records, and the fields that only bodies have. */
function fieldsOf(items: Schema, create: Operation | undefined): Record<string, object> {
  const record = resolved(items);
  const body: Schema = create && jsonOf(create.requestBody) ? resolved(jsonOf(create.requestBody)!) : {};
  const all = { ...body.properties, ...record.properties };
  return Object.fromEntries(
    Object.entries(all).map(([name, schema]) => [
      name,
      fieldOf(schema, body.properties?.[name], body.required?.includes(name) === true),
    ]),
  );
}

function fieldOf(shown: Schema, inBody: Schema | undefined, isRequired: boolean): object {
  const { anyOf = [], ...schema } = resolved(shown);
  const choice = anyOf.map(resolved).find(({ type }) => type !== 'null');
  const { type, format, enum: values, description } = { ...choice, ...schema };
  const types = [type ?? 'any'].flat();
  const isNullable = types.includes('null') || anyOf.some((one) => resolved(one).type === 'null');
  return {
    type: [types.filter((one) => one !== 'null').join(' or '), format].filter((one) => one !== undefined).join(', '),
    ...(isNullable && { nullable: true }),
    ...(isRequired && { required: true }),
    ...(!inBody && { readOnly: true }),
    ...(values && { values: values.filter((one) => one !== null) }),
    ...(inBody?.default !== undefined && { default: inBody.default }),
    description,
  };
}
