import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { meets, type AccessRule } from '../access/access.js';
import type { RequestContext } from '../access/request-context.js';
import { snakeCase } from '../database/naming.js';
import type { StoredField } from '../fields/field.js';
import { namingOf } from '../fields/naming.js';
import type { ListReply } from '../http/replies.js';
import { ComputedLists, type ComputedList } from '../answers/computed-list.js';
import { pattern } from '../lists/list-query.js';
import type { PageRequest } from '../parameters/paging.js';
import { columnOf, resourceNameOf, resourceOf, type Resource } from '../projection/resource.js';
import type { Owner } from '../records/resource.service.js';
import { controlledBy } from '../resource/resource.controller.js';
import { MATCHES } from './search-match.js';

export interface SearchRequest extends PageRequest {
  /** Text to find. */
  q: string;
  /** Names of the resources to search; all if there are none. */
  resources: readonly string[];
}

interface Searched {
  name: string;
  resource: Resource;
  read: AccessRule;
  /** Path of a record, up to the id of its owner, if it has one, or to its own. */
  prefix: string;
  /** Path between the id of the owner and its own. */
  infix: string;
  /** Column that refers to the owner. */
  owner?: string;
  visible?: (ctx: RequestContext) => Owner | undefined;
}

// The rank of a match is the kind of match, and then the place of the field among those of its record.
const FIELDS = 100;

/** Finds records of every resource by a text. */
@Injectable()
export class SearchService {
  private searched?: readonly Searched[];

  constructor(
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
    @Inject(ComputedLists) private readonly lists: ComputedLists,
  ) {}

  /** @throws DomainError notAcceptable, unavailable, ValidationFailed */
  search(ctx: RequestContext, request: SearchRequest): Promise<ListReply> {
    return this.lists.list(ctx, request, this.listFor(ctx, request));
  }

  /** Names of the resources that are searched. */
  get names(): string[] {
    return this.resources.map(({ name }) => name);
  }

  /** The records that match and that the caller may read. */
  listFor(ctx: RequestContext, { q, resources }: Pick<SearchRequest, 'q' | 'resources'>): ComputedList {
    const chosen = this.resources.filter(
      ({ name, read }) => meets(ctx.caller, read) && (resources.length === 0 || resources.includes(name)),
    );
    const about = chosen.map(({ name, prefix, infix, resource }) => ({
      name,
      prefix,
      infix,
      fields: resource.searched.map(({ property }) => property),
    }));
    const values: unknown[] = [pattern('ic', q), pattern('isw', q), pattern('ie', q), JSON.stringify(about)];
    const rows = chosen.map((searched, place) => matchesOf(searched, place, searched.visible?.(ctx), values));
    const of = (key: string): string => `($4::jsonb -> t.place ->> '${key}')`;
    return {
      name: 'search',
      rows: rows.join(' UNION ALL ') || NOTHING,
      values,
      columns: [
        { name: 'resource', sql: of('name'), isText: true },
        { name: 'id', sql: 't.id', isText: false },
        { name: 'path', sql: `${of('prefix')} || coalesce(t.owner || ${of('infix')}, '') || t.id`, isText: true },
        { name: 'name', sql: 't.name', isText: true },
        { name: 'field', sql: `($4::jsonb -> t.place -> 'fields' ->> (t.rank % ${FIELDS}))`, isText: true },
        { name: 'match', sql: `('{${MATCHES.join(',')}}'::text[])[1 + t.rank / ${FIELDS}]`, isText: true },
      ],
      orderBy: `t.rank / ${FIELDS}, t.place, t.name COLLATE "C", t.id`,
    };
  }

  private get resources(): readonly Searched[] {
    return (this.searched ??= searchedIn(this.modules));
  }
}

const NOTHING = `SELECT 0 AS place, NULL::uuid AS id, NULL::text AS name, NULL::text AS owner, 0 AS rank
  WHERE $1::text || $2::text || $3::text IS NULL`;

const searchedIn = (modules: ModulesContainer): Searched[] =>
  [...modules.values()].flatMap(({ controllers }) =>
    [...controllers.values()].flatMap(({ metatype }) => searchedBy(metatype as object)),
  );

/** Names of the resources that are searched in an application of these modules. */
export const searchedNames = (modules: ModulesContainer): string[] => searchedIn(modules).map(({ name }) => name);

function searchedBy(controller: object): Searched[] {
  const controlled = controlledBy(controller);
  if (!controlled) return [];
  const resource = resourceOf(controlled.record);
  if (resource.searched.length === 0) return [];
  const [prefix, infix = ''] = (Reflect.getMetadata('path', controller) as string).split(':id');
  return [
    {
      name: resourceNameOf(resource.table),
      resource,
      read: controlled.read,
      visible: controlled.visible,
      ...(controlled.owner === undefined
        ? { prefix: `/${prefix}/`, infix }
        : { prefix: `/${prefix}`, infix: `${infix}/`, owner: snakeCase(controlled.owner.field) }),
    },
  ];
}

const textOf = (field: StoredField): string => field.type.text?.(columnOf(field)) ?? columnOf(field);

/** SELECT of the matches of one resource, with only the columns that determine their order. */
function matchesOf({ resource, owner }: Searched, place: number, only: Owner | undefined, values: unknown[]): string {
  const texts = resource.searched.map(textOf);
  const ranks = texts.map(
    (text, index) =>
      `CASE WHEN ${text} ILIKE $3 THEN ${index} WHEN ${text} ILIKE $2 THEN ${FIELDS + index} WHEN ${text} ILIKE $1 THEN ${2 * FIELDS + index} END`,
  );
  const text = (values[0] as string).slice(1, -1);
  const containing = resource.containing(text, '$1', (numbers) => `$${values.push(numbers)}`);
  return `SELECT ${place} AS place, t.id, ${textOf(namingOf(resource.record)!)}::text AS name, ${owner ? `t.${owner}::text` : 'NULL'} AS owner, least(${ranks.join(', ')}) AS rank
    FROM ${resource.table} t WHERE ${containing.join(' AND ')}${
      only ? ` AND t.${resource.field(only.field).columnName} = $${values.push(only.id)}` : ''
    }`;
}
