import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { meets, type AccessRule } from '../access/access.js';
import { identifier, join, literal, raw, sql, where, type Sql } from '../database/sql.js';
import type { RequestContext } from '../lists/request-context.js';
import { isList, type StoredField } from '../fields/field.js';
import { namingOf } from '../fields/naming.js';
import { customisableResources, type DefinedFields } from '../fields/custom/defined-fields.js';
import type { Class } from '../fields/field.js';
import { hasCustomFields } from '../fields/record-entity.js';
import type { StoredRecord } from '../fields/record.js';
import type { ListReply } from '../http/replies.js';
import { ComputedLists, type ComputedList } from '../lists/computed-list.js';
import { normalForms, patterns } from '../lists/search-text.js';
import type { PageRequest } from '../lists/parameters/paging.js';
import { besideSql } from '../lists/named-sql.js';
import { columnOf, declaredSqlOf, resourceNameOf, tableOf, type RecordSql } from '../lists/record-sql.js';
import { conditionsOf, type Owner } from '../records/owner.js';
import { ownResources } from '../resource/controlled-resources.js';
import { MATCHES } from './search-match.js';
import { Order } from '../lists/order.js';

export interface SearchRequest extends PageRequest {
  /** Text to find. */
  q: string;
  /** Names of the resources to search; all if there are none. */
  resources: readonly string[];
}

interface Searched {
  name: string;
  resource: RecordSql;
  read: AccessRule;
  /** Path of a record, up to the id of its owner, if it has one, or to its own. */
  prefix: string;
  /** Path between the id of the owner and its own id; null if the record is read with its owner, whose path is then shown. */
  infix: string | null;
  /** Column that refers to the owner. */
  owner?: string;
  visible?: (ctx: RequestContext) => Owner | undefined;
}

/** A searched text, as the patterns of conditions. */
interface Asked {
  q: string;
  contains: Sql;
  begins: Sql;
  equals: Sql;
  /** Regular expression of the text as whole words. */
  words: Sql;
  numbers(found: string[]): Sql;
}

// The trigram indexes need three letters or digits in a row.
const INDEXED = /[\p{L}\p{N}]{3}/u;

// The rank of a match: first its kind, then whether it is only a part of a word, then the position of the field in its record.
const FIELDS = 1000;
const KIND = 2 * FIELDS;

/** SQL of whether the record is a shipped one that no customer has changed. Records without a source are identified by their slugs. */
function shippedOf({ table, fields }: RecordSql): string {
  const has = (name: string): boolean => fields.some(({ property }) => property === name);
  if (has('source')) return `t.source = 'vendor'`;
  if (!has('slug')) return 'false';
  return `(t.updated_at = t.created_at AND EXISTS (SELECT FROM catalogue_entries e WHERE e.kind = '${table}' AND e.slug = t.slug))`;
}

/** Finds records of every resource by a text. */
@Injectable()
export class SearchService {
  private searched?: readonly Searched[];

  constructor(
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
    @Inject(ComputedLists) private readonly lists: ComputedLists,
  ) {}

  /** @throws DomainError not_acceptable, unavailable, ValidationFailed */
  search(ctx: RequestContext, request: SearchRequest): Promise<ListReply> {
    return this.lists.list(ctx, request, this.listFor(ctx, request));
  }

  /** Names of the resources that are searched. */
  names({ fields }: Pick<RequestContext, 'fields'>): string[] {
    return searchedNames(this.modules, fields);
  }

  /** The records that match and that the caller may read. */
  listFor(ctx: RequestContext, { q, resources }: Pick<SearchRequest, 'q' | 'resources'>): ComputedList {
    const chosen = this.resources
      .map((searched) => ({ ...searched, resource: ctx.resource(searched.resource.record) }))
      .filter(
        ({ name, read, resource }) =>
          meets(ctx.caller, read) &&
          (resources.length === 0 || resources.includes(name)) &&
          resource.searched.length + customOf(resource).length > 0,
      );
    const about = chosen.map(({ name, prefix, infix, resource }) => ({
      name,
      prefix,
      infix,
      fields: [...resource.searched, ...customOf(resource)].map(({ property }) => property),
    }));
    // Planning a statement over all tables takes longer than running it. A generic plan is not worse, because the planner cannot look
    // into a subquery. But a text without a trigram reads whole tables, which only its value shows. And combinations of resources are
    // too many to stay prepared.
    const isKept = resources.length === 0 && INDEXED.test(q);
    const hidden = (parameter: Sql): Sql => (isKept ? sql`(SELECT ${parameter})` : parameter);
    const asked: Asked = {
      q,
      contains: patterns('ic', q, hidden),
      begins: patterns('isw', q, hidden),
      equals: patterns('ie', q, hidden),
      words: hidden(sql`${wholeWords(q)}`),
      numbers: (found) => hidden(sql`${found}::text[]`),
    };
    const rows = chosen.map((searched, place) => matchesOf(searched, place, searched.visible?.(ctx), asked));
    const table = sql`(${JSON.stringify(about)}::jsonb -> t.place)`;
    const of = (key: string): Sql => sql`(${table} ->> ${literal(key)})`;
    return {
      name: 'search',
      rows: rows.length > 0 ? join(rows, ' UNION ALL ') : NOTHING,
      isKept,
      columns: [
        { name: 'resource', sql: of('name'), isText: true },
        { name: 'id', sql: 't.id', isText: false },
        {
          name: 'path',
          sql: sql`${of('prefix')} || coalesce(t.owner, '') || coalesce(${of('infix')} || t.id, '')`,
          isText: true,
        },
        { name: 'name', sql: 't.name', isText: true },
        { name: 'field', sql: sql`(${table} -> 'fields' ->> (t.rank % ${raw(FIELDS)}))`, isText: true },
        { name: 'match', sql: `('{${MATCHES.join(',')}}'::text[])[1 + t.rank / ${KIND}]`, isText: true },
        { name: 'beside', sql: besideOf(chosen), isText: true },
      ],
      order: new Order([
        `t.rank / ${KIND}`,
        't.shipped',
        `t.rank / ${FIELDS}`,
        't.standing',
        't.place',
        't.name COLLATE "C"',
        't.id',
      ]),
    };
  }

  private get resources(): readonly Searched[] {
    return (this.searched ??= searchedIn(this.modules));
  }
}

/** SQL of the distinguishing text of a match `t`, such as the name of its site. It is looked up only for matches that are shown. */
function besideOf(chosen: readonly Searched[]): Sql {
  const cases = chosen.flatMap(({ resource: { record, table } }, place) => {
    const beside = besideSql(record, 'r');
    if (beside === undefined) return [];
    return [sql`WHEN ${raw(place)} THEN (SELECT ${raw(beside)} FROM ${identifier(table)} r WHERE r.id = t.id)`];
  });
  return cases.length > 0 ? sql`CASE t.place ${join(cases, ' ')} END` : raw('NULL::text');
}

const NOTHING = sql`SELECT 0 AS place, NULL::uuid AS id, NULL::text AS name, NULL::text AS owner, false AS shipped,
  0 AS standing, 0 AS rank WHERE false`;

function searchedIn(modules: ModulesContainer): Searched[] {
  const own = ownResources(modules).map(({ record, controlled: { read, visible }, ...at }): Searched => {
    const resource: RecordSql = declaredSqlOf(record);
    return { name: resourceNameOf(resource.table), resource, read, visible, ...at };
  });
  const byName = new Map(own.map((searched) => [searched.name, searched]));
  // Parts that are read with their owner, such as the lines of an order.
  const others = [...customisableResources()].flatMap(([name, record]): Searched[] => {
    if (byName.has(name)) return [];
    const resource: RecordSql = declaredSqlOf(record as Class<StoredRecord>);
    const field = resource.stored.find(({ onDelete, references }) => onDelete === 'CASCADE' && references)!;
    const { read, prefix } = byName.get(resourceNameOf(tableOf(field.references!())))!;
    return [{ name, resource, read, prefix, infix: null, owner: field.columnName }];
  });
  // Parts without a name are found only by custom fields.
  return [...own, ...others].filter(({ resource }) => resource.searched.length > 0 || hasCustomFields(resource.record));
}

/** Names of the resources that are searched in an application of these modules. */
export const searchedNames = (modules: ModulesContainer, fields: Pick<DefinedFields, 'of'>): string[] =>
  searchedIn(modules)
    .filter(
      ({ resource: { searched, record } }) => searched.length > 0 || customOf({ custom: fields.of(record) }).length > 0,
    )
    .map(({ name }) => name);

/** The custom fields of a resource that are searched. */
const customOf = ({ custom }: Pick<RecordSql, 'custom'>): StoredField[] =>
  custom.fields.filter((field) => field.custom!.definition.searched);

/** A regular expression of a text, in any of its normal forms, that begins and ends at word boundaries. */
function wholeWords(q: string): string {
  const forms = normalForms(q).map((form) => form.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return `(^|[^[:alnum:]])(?:${forms.join('|')})([^[:alnum:]]|$)`;
}

const textOf = (field: StoredField): string => field.type.text?.(columnOf(field)) ?? columnOf(field);

/** SELECT of the matches of one resource, with only the columns that determine their order. */
function matchesOf(
  { resource, owner, read }: Searched,
  place: number,
  only: Owner | undefined,
  { q, contains, begins, equals, words, numbers }: Asked,
): Sql {
  const rankOf = (
    text: Sql,
    index: number,
  ): Sql => sql`CASE WHEN ${text} ILIKE ${equals} THEN ${raw(index)} WHEN ${text} ILIKE ${contains} THEN ${raw(index)}
      + CASE WHEN ${text} ILIKE ${begins} THEN ${raw(KIND)} ELSE ${raw(2 * KIND)} END
      + CASE WHEN ${text} ~* ${words} THEN 0 ELSE ${raw(FIELDS)} END END`;
  const custom = customOf(resource);
  const ranks = [
    ...resource.searched.map((field, index) => rankOf(raw(textOf(field)), index)),
    ...custom.map((field, index) => {
      const after = resource.searched.length + index;
      if (!isList(field)) return rankOf(raw(textOf(field)), after);
      return sql`(SELECT min(${rankOf(raw('tag.text'), after)}) FROM unnest(${raw(columnOf(field))}) tag (text))`;
    }),
  ];
  const found = [
    ...(resource.searched.length > 0 ? [sql`(${join(resource.containing(q, contains, numbers), ' AND ')})`] : []),
    ...custom.map((field) => containing(field, contains)),
  ];
  const conditions = [sql`(${join(found, ' OR ')})`, ...conditionsOf(resource, only)];
  const naming = namingOf(resource.record);
  const name = naming ? sql`coalesce(${raw(textOf(naming))}::text, '')` : raw("''");
  // What is called so comes before what has it in another field. The name of an incident or of a change is a sentence, so it comes between.
  const standing = naming
    ? sql`CASE WHEN ${name} ILIKE ${contains} THEN ${raw(read.area === 'operations' ? 1 : 0)} ELSE 2 END`
    : raw('2');
  const ownerId = owner ? sql`t.${identifier(owner)}::text` : raw('NULL');
  return sql`SELECT ${raw(place)} AS place, t.id, ${name} AS name, ${ownerId} AS owner,
      ${raw(shippedOf(resource))} AS shipped, ${standing} AS standing, least(${join(ranks)}) AS rank
    FROM ${identifier(resource.table)} t ${where(conditions)}`;
}

/** The condition that a custom field contains a text. The index finds the records that have a value of it. */
function containing(field: StoredField, pattern: Sql): Sql {
  const text = isList(field)
    ? sql`EXISTS (SELECT FROM unnest(${raw(columnOf(field))}) tag (text) WHERE tag.text ILIKE ${pattern})`
    : sql`${raw(textOf(field))} ILIKE ${pattern}`;
  return sql`(t.custom_fields ? ${literal(field.custom!.definition.storedAs)} AND ${text})`;
}
