/* The effects of a change set: dependants of the records that it changes or deletes, and other work on them. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import { get } from '../api.js';
import { Card } from '../card/card.js';
import { Reached } from '../impact.js';
import { collectionAt, collectionOf, fill, may } from '../model.js';
import { ownersOf } from '../offers.js';
import { Failure, Loading } from '../parts.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { Collection, Fault, Row } from '../types.js';
import { counted, type Change } from './words.js';

type Impact = components['schemas']['Impact'];

/** Number of records whose impact is read, with one request for each. */
const MOST = 12;

/** Path of the impact of a record; undefined if records of its kind have none, or the session may not read it. */
function impactOf(collection: Collection | undefined, id: string): string | undefined {
  const view = collection?.operations.find(({ path }) => path === `${collection.record}/impact`);
  return view && may(view) ? fill(view.path, `${collection!.path}/${id}`) : undefined;
}

/** The same for a changed record: for a part, the path of its owner. A new record affects nothing yet. */
function touchedBy({ resource, recordId, before }: Change): string | undefined {
  const collection = collectionOf(resource);
  const owners = collection && ownersOf(collection);
  if (!before) return undefined;
  return owners
    ? impactOf(collectionAt(owners.list), (before as Row)[owners.property])
    : impactOf(collection, recordId);
}

/** Combines the impacts of several records. @param own ids of the records in the change set, and of its change request */
function joined(all: readonly Impact[], own: ReadonlySet<string>): object {
  const lists = new Map<string, Map<string, Row>>([['records', new Map()]]);
  const most: Record<string, number> = {};
  for (const one of all) {
    for (const [name, rows] of Object.entries(one)) {
      if (!Array.isArray(rows)) continue;
      const list = lists.get(name) ?? new Map<string, Row>();
      lists.set(name, list);
      for (const row of rows as Row[])
        if (!own.has(row.id) && list.get(row.id)?.effect !== 'down') list.set(row.id, row);
    }
    // Records that a response only counts may be the same in several responses.
    if (Object.values(one.counts).reduce((sum, count) => sum + count, 0) > one.records.length)
      for (const [resource, count] of Object.entries(one.counts)) most[resource] = Math.max(most[resource] ?? 0, count);
  }
  const named: Record<string, number> = {};
  for (const { resource } of lists.get('records')!.values()) named[resource] = (named[resource] ?? 0) + 1;
  const counts = { ...named };
  for (const [resource, count] of Object.entries(most)) counts[resource] = Math.max(named[resource] ?? 0, count);
  const values = [...lists].map(([name, list]) => [name, [...list.values()]]);
  return { record: { id: '' }, counts, ...Object.fromEntries(values) };
}

interface AffectedProps {
  changes: readonly Change[];
  requestId: string | null;
}

export function Affected({ changes, requestId }: AffectedProps) {
  const paths = useMemo(() => [...new Set(changes.flatMap((one) => touchedBy(one) ?? []))], [changes]);
  const [found, setFound] = useState<object>();
  const [error, setError] = useState<Fault>();
  useEffect(() => {
    let isShown = true;
    const own = new Set(changes.map(({ recordId }) => recordId));
    if (requestId) own.add(requestId);
    // A missing record is a conflict, and is shown as one.
    const read = (path: string): Promise<Impact[]> =>
      get(path).then(
        ({ data }) => [data as Impact],
        (fault: Fault) => {
          if (fault.status !== 404 && fault.status !== 410) throw fault;
          return [];
        },
      );
    Promise.all(paths.slice(0, MOST).map(read)).then(
      (all) => isShown && setFound(joined(all.flat(), own)),
      (fault: Fault) => isShown && setError(fault),
    );
    return () => {
      isShown = false;
    };
  }, [paths]);
  if (paths.length === 0 && !requestId) return null;
  return (
    <section class="view" aria-label="What it affects">
      <h2>What it affects</h2>
      {paths.length > 0 && (
        <p class="about">
          What goes down with the {counted(paths.length, 'record')} that it changes or deletes, and what else is going
          on with them.
          {paths.length > MOST && ` The first ${MOST} of them are looked at.`}
        </p>
      )}
      {error && <Failure error={error} />}
      {paths.length > 0 && !error && (found ? <Reached data={found} /> : <Loading />)}
      {requestId && <CardOfRequest id={requestId} />}
    </section>
  );
}

/** The card of its change request, on demand. */
function CardOfRequest({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  const collection = collectionAt('/api/change-requests');
  if (!collection || !may(collection)) return null;
  return (
    <details onToggle={({ currentTarget: { open } }) => setOpen(open)}>
      <summary>Card of its change request</summary>
      {isOpen && <Card path={`${collection.path}/${id}/card`} />}
    </details>
  );
}
