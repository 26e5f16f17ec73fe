/* The time zone in which a roster was planned. Shifts are instants, so it is the zone in which they begin at the same time of day. */

import { useEffect, useState } from 'preact/hooks';
import { get, queryOf } from '../api.js';
import { keep, kept } from '../kept.js';
import { isZone, localIn, READERS } from '../zones.js';
import type { Row } from '../types.js';

/** The time zones that somebody has planned rosters in with this browser. */
const CHOSEN = 'zones of rosters';
/** Shifts that are looked at, the latest of the roster. */
const MOST = 100;
/** Milliseconds after which a name counts as typed. */
const PAUSE = 300;

const chosen = (): Record<string, string> => kept(CHOSEN, {});
export const keepZone = (roster: string, zone: string): void => keep(CHOSEN, { ...chosen(), [roster]: zone });

/** The first of some zones in which times have the fewest different times of day. Hand-overs keep theirs at clock changes. */
export function zoneOf(times: readonly string[], zones: readonly string[]): string | undefined {
  const counts = zones.map((zone) => new Set(times.map((time) => localIn(Date.parse(time), zone).slice(11))).size);
  return zones[counts.indexOf(Math.min(...counts))];
}

/** Tries the zone that this browser remembers, the reader's zone, and those of the sites. */
async function findZone(roster: string, signal: AbortSignal): Promise<string | undefined> {
  const asked = { rotation: roster, startTime__empty: false, sort: 'startTime', order: 'desc', pageSize: MOST };
  const [shifts, sites] = await Promise.all([
    get(`/api/on-call-schedules${queryOf(asked)}`, signal),
    get('/api/sites/summary?groupBy=timeZone', signal),
  ]);
  const ofSites = (sites.data as Row[]).toSorted((one, other) => other.count - one.count).map((row) => row.timeZone);
  return zoneOf(
    (shifts.data as Row[]).map(({ startTime }) => startTime),
    [chosen()[roster], READERS, ...ofSites, 'UTC'].filter((zone) => zone && isZone(zone)),
  );
}

/** The time zone of a roster, or else that of the reader. */
export function usePlannedZone(roster: string): string {
  const [found, setFound] = useState<{ roster: string; zone: string | undefined }>();
  useEffect(() => {
    if (roster === '') return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      findZone(roster, controller.signal).then(
        (zone) => setFound({ roster, zone }),
        () => {},
      );
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [roster]);
  return (found?.roster === roster ? found.zone : undefined) ?? chosen()[roster] ?? READERS;
}
