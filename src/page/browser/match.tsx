/* A record that a search has found. */

import { get, queryOf } from './api.js';
import { capital, collectionAt, fieldIn, labelOf, lower, oneOf, resolve } from './model.js';
import { Beside } from './names.js';
import type { Answer, Row } from './types.js';

export const kindOf = (resource: string): string => capital(oneOf(resource));

/** The resources whose records the search finds. */
export const searchedResources = (): string[] =>
  (collectionAt('/api/search')?.filters.find(({ name }) => name === 'resource')?.values ?? []) as string[];

const MOST_IDS = 100;

/**
 * The matches of a search. Addresses of a device that is among them are in its match, as `addresses`, and not in the list.
 * @param path of the search, with its query
 */
export async function searched(path: string, signal?: AbortSignal): Promise<Answer> {
  const answer = await get(path, signal);
  const matches = answer.data as Row[];
  const isDevice = ({ resource }: Row): boolean => resource === 'devices';
  const ids = matches.filter(({ resource }) => resource === 'ip-addresses').map(({ id }) => id);
  if (ids.length === 0 || !matches.some(isDevice)) return answer;
  const read = await get(`/api/ip-addresses${queryOf({ id: ids.slice(0, MOST_IDS), pageSize: MOST_IDS })}`, signal);
  const owners = new Map((read.data as Row[]).map(({ id, deviceId }) => [id, deviceId as string | null]));
  const devices = new Set(matches.filter(isDevice).map(({ id }) => id));
  const isFolded = ({ id }: Row): boolean => devices.has(owners.get(id) ?? '');
  const data = matches
    .filter((match) => !isFolded(match))
    .map((match) => ({ ...match, addresses: matches.filter(({ id }) => owners.get(id) === match.id) }));
  return { ...answer, data };
}

/** Where a match leads, if it has a view of its own. */
export const addressOfMatch = ({ path }: Row): string | undefined => (resolve(path) ? `#${path.slice(4)}` : undefined);

const SHOWN = 2;

/**
 * A match: its name or its kind, the text that matched if that is another one, and its kind.
 * @param hasAddresses whether it names the addresses that are folded under it
 */
export const Match = ({ match, hasAddresses }: { match: Row; hasAddresses?: boolean }) => (
  <>
    <span class="found">
      <bdi>{match.name || kindOf(match.resource)}</bdi>
      <Beside resource={match.resource} id={match.id} always />
      {match.field && match.field !== 'name' && (
        <span class="muted">
          {' '}
          by <bdi>{lower(labelOf(fieldIn(match.resource, match.field)))}</bdi>
        </span>
      )}
      {hasAddresses && match.addresses?.length > 0 && (
        <span class="under muted">
          {match.addresses
            .slice(0, SHOWN)
            .map(({ name }: Row) => name)
            .join(', ')}
          {match.addresses.length > SHOWN && ` and ${match.addresses.length - SHOWN} more`}
        </span>
      )}
    </span>
    <span class="chip">{kindOf(match.resource)}</span>
  </>
);
