/* The addresses of a device, which a search shows under it. */

import { get, queryOf } from '../api.js';
import type { Answer, Row } from '../types.js';

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

/** All matches, as the service counts them. */
export const unfolded = (matches: Row[]): Row[] => matches.flatMap((match) => [match, ...(match.addresses ?? [])]);
