/* The records that an input for a reference offers. */

import { get, queryOf } from './api.js';
import { apartIn, nameOf, namingOf } from './model.js';
import type { Plan } from './plan.js';
import { newRecordsOf } from './planned-records.js';
import type { Collection, Fault, Row } from './types.js';

/** Records that are offered at first. */
export const OFFERED = 10;

export interface Offer {
  data: Row[];
  total: number;
  /** Number of the first ones that are only planned. */
  planned?: number;
}

interface Asked {
  collection: Collection;
  /** Path of the list. */
  path: string;
  search: string;
  size?: number;
  within: Record<string, string>;
  /** The change set whose new records are offered too. */
  plan: Plan | undefined;
  signal?: AbortSignal;
}

/** The owners of parts: the path of their list, and the property of a part with the id of its owner. */
export function ownersOf({ path }: Collection): { list: string; property: string } | undefined {
  const [, list, property] = /^(.*)\/\{(\w+)\}\/[^/]+$/.exec(path) ?? [];
  return list && property ? { list, property } : undefined;
}

/** Records that the same change set creates, whose names have the text. */
async function plannedOffers({ collection, path, search, within, plan }: Asked): Promise<Row[]> {
  const { property } = ownersOf(collection) ?? {};
  const values = Object.entries({ ...within, ...(property && { [property]: path.split('/').at(-2) }) });
  return (await newRecordsOf(plan, collection.resource!)).filter(
    (one) =>
      values.every(([name, value]) => one[name] === value) &&
      nameOf(collection, one).toLowerCase().includes(search.toLowerCase()),
  );
}

/** The records that are offered for a text: those whose name begins with it before those that have it anywhere. */
export async function offers(asked: Asked): Promise<Offer> {
  const [planned, standing] = await Promise.all([plannedOffers(asked), standingOffers(asked)]);
  const found = {
    data: [...planned, ...standing.data],
    total: planned.length + standing.total,
    planned: planned.length,
  };
  // If the site has none, records elsewhere are better than nothing.
  return found.total === 0 && Object.keys(asked.within).length > 0 ? offers({ ...asked, within: {} }) : found;
}

async function standingOffers({
  collection,
  path,
  search,
  size = OFFERED,
  within,
  plan,
  signal,
}: Asked): Promise<Offer> {
  const naming = namingOf(collection);
  const ask = (query: Record<string, unknown>): Promise<Offer> =>
    get(`${path}${queryOf({ ...within, ...query, pageSize: size, expand: apartIn(collection) })}`, signal).catch(
      (fault: Fault) => {
        // A planned record has no list of its parts.
        if (plan && fault.status === 404) return { data: [], total: 0 };
        throw fault;
      },
    );
  const hasBeginning = collection.filters.some((one) => one.name === naming && one.operators?.includes('isw'));
  const first = search && hasBeginning ? await ask({ [`${naming}__isw`]: search }) : { data: [], total: 0 };
  if (first.data.length >= size && !collection.search) return first;
  const all = search && !collection.search ? first : await ask({ search });
  const begun = new Set(first.data.map(({ id }) => id));
  return {
    data: [...first.data, ...all.data.filter(({ id }) => !begun.has(id))].slice(0, size),
    total: Math.max(first.total, all.total),
  };
}
