import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Area, Role } from '../access/access.js';
import { customisableResources, type DefinedFields, NO_FIELDS } from '../fields/custom/defined-fields.js';
import { apartOf, labelOf, namesRepeat, pluralLabelOf } from '../fields/record-entity.js';
import { resourceNameOf, tableOf } from '../lists/record-sql.js';
import { declarationsOf, type DeclaredOperation } from '../openapi/document/declared.js';
import type { Json } from '../openapi/document/json.js';
import { OPERATOR_OF } from '../openapi/document/parameters.js';
import { controlledResources } from '../resource/controlled-resources.js';
import { PageTypes, type PageField } from './types.js';
import { plainWords } from './words.js';
import { PAGING } from '../lists/parameters/paging.js';

/** An operation besides those of lists. */
export interface PageOperation {
  id: string;
  method: string;
  path: string;
  summary: string;
  description?: string;
  role?: Role;
  area?: Area;
  body?: string;
  bodyOptional?: true;
  response?: string;
  /** The response is a list of values. */
  list?: true;
  /** Whether there is a picture of it; `only` if there is nothing else. */
  picture?: 'also' | 'only';
  /** Whether it takes `If-Match`. */
  conditional?: true;
  /** Whether it takes `Idempotency-Key`. */
  idempotent?: true;
  query?: string[];
}

export interface PageFilter extends Omit<PageField, 'type'> {
  type?: string;
  /** Operators that it can have: `gte` for `createdAt__gte`. */
  operators?: string[];
}

/** The access rule of something. */
export type PageRights = Pick<PageOperation, 'role' | 'area'>;

/** A list, and what can be done with its records. */
export interface PageCollection {
  path: string;
  label: string;
  about?: string;
  type: string;
  role?: Role;
  area?: Area;
  filters: PageFilter[];
  search?: string;
  sort?: string[];
  expand?: string[];
  picture?: true;
  /** Columns that are shown first, and the property that sorts the list, with `-` for descending order. */
  columns?: readonly string[];
  order?: string;
  /** Properties that distinguish records of the same name, and whether they are shown wherever the name is. */
  apart?: readonly string[];
  namesRepeat?: true;
  /** Groups of the fields of a record by their titles. */
  groups?: Readonly<Record<string, readonly string[]>>;
  /** Properties and parts that are shown below the name of a record. */
  facts?: readonly string[];
  /** Name of the resource whose records these are, one of them in words, and the path of one. */
  resource?: string;
  one?: string;
  record?: string;
  operations: PageOperation[];
  /** The access rules of importing a file, and of changing many records at once. */
  import?: PageRights;
  bulk?: PageRights;
}

export interface PageDeclarations {
  families: { name: string; collections: string[] }[];
  collections: PageCollection[];
  types: Readonly<Record<string, PageField[]>>;
  /** The resources whose records the installation may define fields of, by their names, in words. */
  customisable: Readonly<Record<string, string>>;
}

/** Parameters that the page handles itself. */
const HANDLED = new Set([...PAGING, 'sort', 'order', 'search', 'expand', 'format', 'raw']);

/** Lists without filters in the page: the history of a record, and its references. */
const ABOUT_ONE = /\}\/(?:changes|references)$/;

/** Subresources that records of many kinds share, and that have a panel in the page. */
const ALIKE = /\}\/(?:approvals|transitions)(?:\/|$)/;

const wordsOf = (segment: string): string => segment.replaceAll('-', ' ');

/** The declarations for the page, from the OpenAPI document and from its sources. */
export function pageDeclarations(
  app: INestApplication,
  built: OpenAPIObject,
  fields: Pick<DefinedFields, 'of'> = NO_FIELDS,
): PageDeclarations {
  const document = built as unknown as Json;
  const components = document.components as Record<string, Record<string, Json>>;
  const { operations } = declarationsOf(app, fields);
  const types = new PageTypes(components.schemas!, operations.values(), fields);
  const resources = new Map(
    controlledResources(app.get(ModulesContainer)).map((one) => [
      `${one.prefix}${one.owner ? `{}${one.infix}` : ''}`.replace(/\/$/, ''),
      one,
    ]),
  );
  const tags = new Map((document.tags as { name: string; description: string }[]).map((tag) => [tag.name, tag]));
  const all: PathOperation[] = Object.entries(document.paths as Record<string, Record<string, Json>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).flatMap(([method, one]) => {
        const declared = operations.get(one.operationId as string);
        return declared && !declared.access.public && !declared.deprecated && !ALIKE.test(path)
          ? [{ path, shape: shapeOf(path), method, one, declared }]
          : [];
      }),
  );
  const reader = new OperationReader(components, types);
  const isList = ({ method, declared }: PathOperation): boolean =>
    method === 'get' && declared.list !== undefined && declared.feed === undefined && !declared.summarizes;
  const lists = all.filter(isList);
  const others = all.filter((operation) => !isList(operation));
  const familyOf = (name: string): string[] =>
    (document['x-tagGroups'] as { name: string; tags: string[] }[]).find((group) => group.name === name)!.tags;
  const collections = lists.map((list): PageCollection => {
    const { path, shape, one, declared } = list;
    const found = resources.get(shape);
    const record = found?.record;
    const reading = others.find(
      ({ method, path: other }) =>
        method === 'get' && other.startsWith(`${path}/{`) && !other.slice(path.length + 1).includes('/'),
    );
    const own = others.filter((other) => isOf(list, reading, other));
    return {
      path,
      label: record ? (one.summary as string).replace(/^List (?:the )?/, '') : wordsOf(path.split('/').at(-1)!),
      // The description of a resource says nothing about the history of its records.
      ...(!ABOUT_ONE.test(path) && { about: plainWords(tags.get(declared.tag)?.description) }),
      type: types.refer({ $ref: `/${declared.response!.name}` }) ?? '',
      role: declared.access.role,
      area: declared.access.area,
      ...(ABOUT_ONE.test(path) ? { filters: [] } : reader.parametersOf(one)),
      ...(declared.picture && { picture: true }),
      ...(declared.list!.columns && { columns: declared.list!.columns }),
      ...found?.controlled.view,
      ...(record && apartOf(record).length > 0 && { apart: apartOf(record) }),
      ...(record && namesRepeat(record) && { namesRepeat: true }),
      ...(record && { resource: resourceNameOf(tableOf(record)), one: labelOf(record) }),
      ...(reading && { record: reading.path }),
      operations: own.map((other) => reader.operationOf(other)),
      ...rightsOf(all, path, 'import'),
      ...rightsOf(all, path, 'bulk'),
    };
  });
  const families = (document['x-tagGroups'] as { name: string }[]).map(({ name }) => ({
    name,
    collections: lists
      .filter(({ path, declared }) => !path.includes('{') && familyOf(name).includes(declared.tag))
      .map(({ path }) => path),
  }));
  const customisable = Object.fromEntries(
    [...customisableResources()].map(([name, record]) => [name, pluralLabelOf(record, tableOf(record))]),
  );
  return {
    families: families.filter((family) => family.collections.length > 0),
    collections,
    types: types.all,
    customisable,
  };
}

/** The changes of the declarations by custom fields: lists and types, which replace those of the same path and name. */
export function ownDeclarations(
  app: INestApplication,
  document: OpenAPIObject,
  fields: DefinedFields,
): Pick<PageDeclarations, 'collections' | 'types'> {
  const { collections, types } = pageDeclarations(app, document, fields);
  const hasOwn = (type: string): boolean => types[type]?.some(({ custom }) => custom !== undefined) === true;
  return {
    collections: collections.filter(({ type, filters }) => hasOwn(type) && filters.length > 0),
    types: Object.fromEntries(Object.entries(types).filter(([name]) => hasOwn(name))),
  };
}

/** The access rule of an operation on the whole list, if there is one. */
function rightsOf(
  all: readonly PathOperation[],
  path: string,
  name: 'import' | 'bulk',
): { [key in typeof name]?: PageRights } {
  const found = all.find((other) => other.path === `${path}/${name}` && other.method === 'post');
  return found ? { [name]: { role: found.declared.access.role, area: found.declared.access.area } } : {};
}

interface PathOperation {
  path: string;
  /** The path without the names of its parameters. */
  shape: string;
  method: string;
  one: Json;
  declared: DeclaredOperation;
}

const shapeOf = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');

/** Whether an operation belongs to a collection: to the whole of it, or to one of its records. @param record reads one of them */
function isOf(
  list: PathOperation,
  record: PathOperation | undefined,
  { path, shape, declared }: PathOperation,
): boolean {
  if (declared.upload || declared.summarizes || declared.stream || /\/(?:bulk|import)$/.test(path)) return false;
  if (path === list.path || path === record?.path) return true;
  const below = (other: PathOperation): string | undefined =>
    shape.startsWith(`${other.shape}/`) ? shape.slice(other.shape.length + 1) : undefined;
  const rest = below(record ?? list);
  if (rest !== undefined) return !rest.includes('/');
  const whole = below(list);
  return whole !== undefined && !whole.includes('/') && !whole.includes('{') && declared.body !== undefined;
}

/** Reads operations as the page needs them. */
class OperationReader {
  constructor(
    private readonly components: Record<string, Record<string, Json>>,
    private readonly types: PageTypes,
  ) {}

  operationOf({ path, method, one, declared }: PathOperation): PageOperation {
    const { access, body, response, picture } = declared;
    const query = this.queryOf(one).map(({ name }) => name as string);
    return {
      id: declared.operationId,
      method,
      path,
      summary: declared.text.summary,
      ...(method === 'post' && { description: plainWords(declared.text.description?.split('\n\n')[0]) }),
      role: access.role,
      area: access.area,
      ...(body && { body: this.types.refer({ $ref: `/${body.name}` }) }),
      ...(declared.bodyOptional && { bodyOptional: true }),
      ...(response && { response: this.types.refer({ $ref: `/${response.name}` }) }),
      ...((declared.several || declared.list) && { list: true }),
      ...(picture && { picture: response || declared.data ? 'also' : 'only' }),
      ...(declared.conditional && { conditional: true }),
      ...(declared.idempotent && { idempotent: true }),
      ...(query.length > 0 && { query }),
    };
  }

  parametersOf(one: Json): Pick<PageCollection, 'filters' | 'search' | 'sort' | 'expand'> {
    const query = this.queryOf(one);
    const named = (name: string): Json | undefined => query.find((parameter) => parameter.name === name);
    const choicesOf = (name: string): string[] | undefined => {
      const schema = named(name)?.schema as Json | undefined;
      return schema && this.values((schema.items as Json | undefined) ?? schema);
    };
    const operators = new Map<string, string[]>();
    for (const parameter of query) {
      const of = parameter[OPERATOR_OF] as string | undefined;
      if (of === undefined) continue;
      const list = operators.get(of) ?? [];
      operators.set(of, [...list, (parameter.name as string).slice(of.length + 2)]);
    }
    const filters = query
      .filter((parameter) => !(OPERATOR_OF in parameter) && !HANDLED.has(parameter.name as string))
      .map((parameter): PageFilter => {
        const name = parameter.name as string;
        const schema = parameter.schema as Json;
        const item = (schema.items as Json | undefined) ?? schema;
        const resolved = { ...this.components.schemas![nameIn(item)], ...item };
        return {
          name,
          ...(operators.has(name) && { operators: operators.get(name) }),
          ...(!operators.has(name) && {
            description: plainWords(parameter.description as string),
            type: resolved.type as string,
            format: resolved.format as string | undefined,
            ...(parameter.required === true && { required: true }),
            ...(schema.default !== undefined && { default: schema.default }),
          }),
          ...(this.values(item) && { values: this.values(item) }),
        };
      });
    return {
      filters,
      search: named('search')?.description as string | undefined,
      sort: choicesOf('sort'),
      expand: choicesOf('expand'),
    };
  }

  /** The query parameters. Deprecated ones are not offered. */
  private queryOf({ parameters = [] }: Json): Json[] {
    return (parameters as Json[])
      .map((one) => (typeof one.$ref === 'string' ? this.components.parameters![nameIn(one)]! : one))
      .filter(({ in: place, deprecated }) => place === 'query' && !deprecated);
  }

  /** The only values of a schema. */
  private values(schema: Json): string[] | undefined {
    const referred = ((schema.allOf as Json[] | undefined)?.[0] ?? schema) as Json;
    const { enum: values } = { ...this.components.schemas![nameIn(referred)], ...referred } as { enum?: string[] };
    return values;
  }
}

const nameIn = ({ $ref }: Json): string => (typeof $ref === 'string' ? $ref.split('/').at(-1)! : '');
