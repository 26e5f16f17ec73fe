/* List columns from a second response, which is read for the displayed rows. */

import { useEffect, useState } from 'preact/hooks';
import { get, queryOf } from './api.js';
import type { Collection, Row } from './types.js';

/** Rows that are asked for at once. */
const MOST = 50;

interface JoinedColumn {
  name: string;
  /** Values by the ids of rows. */
  read: (ids: readonly string[], signal: AbortSignal) => Promise<[id: string, value: string][]>;
}

/** The management address of a host, selected like in the outputs. */
const addressOf = (resource: string): JoinedColumn => ({
  name: 'address',
  async read(ids, signal) {
    const answer = await get(`/api/outputs/prometheus${queryOf({ resource, id: ids, minTargets: 0 })}`, signal);
    const hosts = Object.values(answer).filter((one) => one?.targets) as { targets: string[]; labels: Row }[];
    return hosts.map(({ targets, labels }) => [
      labels.__meta_inventory_id as string,
      // Without the port, and the brackets of IPv6.
      targets[0]!.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'),
    ]);
  },
});

/** The columns, by the paths of their lists. */
const JOINED: Readonly<Record<string, JoinedColumn>> = {
  '/api/devices': addressOf('devices'),
  '/api/virtual-machines': addressOf('virtual-machines'),
};

export const joinedName = ({ path }: Collection): string | undefined => JOINED[path]?.name;

/** Rows with the value of the joined column, if it is shown. */
export function useJoined({ path }: Collection, rows: readonly Row[] | undefined, chosen: readonly string[]) {
  const column = JOINED[path];
  const isShown = column !== undefined && chosen.includes(column.name);
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    if (!isShown || !rows || rows.length === 0) return undefined;
    const controller = new AbortController();
    const ids = rows.map(({ id }) => id as string);
    const parts = Array.from({ length: Math.ceil(ids.length / MOST) }, (_, at) =>
      ids.slice(at * MOST, (at + 1) * MOST),
    );
    // The rest of the list is shown without it.
    Promise.all(parts.map((some) => column.read(some, controller.signal))).then(
      (found) => setValues(new Map(found.flat())),
      () => {},
    );
    return () => controller.abort();
  }, [rows, isShown]);
  return isShown && rows ? rows.map((row) => ({ ...row, [column.name]: values.get(row.id) ?? null })) : rows;
}
