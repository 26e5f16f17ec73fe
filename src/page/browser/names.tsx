/* Names of records, with their distinguishing texts. */

import type { Row } from './types.js';
import { useEffect, useState } from 'preact/hooks';
import { get, queryOf, whenReloaded } from './api.js';
import { addressOf, apartIn, collectionOf, nameOf, tellingOf } from './model.js';
import { openPlan } from './plan.js';
import { newRecordOf } from './planned-records.js';

/** Cache of names. Names that are requested at the same moment share a request per resource. A change may rename a record. */
const names = new Map<string, Promise<Found>>();
whenReloaded(() => names.clear());
/** The name of a record, and its distinguishing text. */
interface Called {
  name: string;
  telling: ReturnType<typeof tellingOf>;
  /** Whether it exists only in the open change set. */
  isNew?: true;
}
/** Null if the record does not exist, and undefined if it could not be read. */
type Found = Called | null | undefined;
type Waiting = { id: string; done: (called: Found) => void };
let waiting = new Map<string, Waiting[]>();
const MOST = 50;
function nameFor(resource: string, id: string): Promise<Found> {
  const key = `${resource}/${id}`;
  if (!names.has(key)) {
    if (waiting.size === 0) setTimeout(readNames);
    names.set(key, new Promise((done) => waiting.set(resource, [...(waiting.get(resource) ?? []), { id, done }])));
  }
  return names.get(key)!;
}
async function readNames() {
  const asked = waiting;
  waiting = new Map();
  for (const [resource, all] of asked) {
    const collection = collectionOf(resource)!;
    for (let at = 0; at < all.length; at += MOST) {
      const some = all.slice(at, at + MOST);
      const query = { id: some.map(({ id }) => id), pageSize: MOST, expand: apartIn(collection) };
      const path = `${collection.path}${queryOf(query)}`;
      const data = await get(path).then(
        (answer) => answer.data as Row[],
        () => undefined,
      );
      for (const { id, done } of some) {
        const record = data?.find((one) => one.id === id);
        if (record) {
          done({ name: nameOf(collection, record), telling: tellingOf(collection, record) });
          continue;
        }
        names.delete(`${resource}/${id}`);
        const planned = data && (await newRecordOf(openPlan(), resource, id));
        done(planned ? { name: nameOf(collection, planned), telling: [], isNew: true } : data && null);
      }
    }
  }
}

/** The display name of a record; `…` until it is known, undefined if it could not be read, and null if the record does not exist. */
function useCalled(resource: string, id: string, isWanted: boolean): Found | '…' {
  const [called, setCalled] = useState<Found | '…'>('…');
  useEffect(() => {
    let isShown = true;
    setCalled('…');
    if (isWanted)
      void nameFor(resource, id).then((found) => {
        if (isShown) setCalled(found);
      });
    return () => {
      isShown = false;
    };
  }, [resource, id, isWanted]);
  return called;
}

/** The distinguishing text of a record, after its name. */
export const Muted = ({ beside }: { beside: string | undefined }) =>
  beside ? (
    <>
      {' '}
      <bdi class="muted">· {beside}</bdi>
    </>
  ) : null;

/** The distinguishing text of a record. Parts that the referring record has too are left out, such as the site of both. */
const besideIn = (called: Found | '…', by?: Row): string | undefined =>
  (called === '…' ? undefined : called)?.telling
    .filter(([property, text]) => by?.[property]?.name !== text)
    .map(([, text]) => text)
    .join(' · ');

/**
 * The distinguishing text of a record, for display after its name.
 * @param always for records that are chosen or found; otherwise only if names often repeat
 * @param by the record that refers to it
 */
export function Beside({
  resource,
  id,
  always = false,
  by,
}: {
  resource: string;
  id: string;
  always?: boolean;
  by?: Row;
}) {
  const collection = collectionOf(resource);
  const isWanted =
    collection?.path.includes('{') === false &&
    collection.apart !== undefined &&
    (always || collection.namesRepeat === true);
  return <Muted beside={besideIn(useCalled(resource, id, isWanted), by)} />;
}

/** A name, which is a link if there is an address. */
const Named = ({
  address,
  text,
  otherwise,
}: {
  address: string | undefined;
  text: string | undefined;
  /** A name that is not a link. */
  otherwise?: string;
}) =>
  address ? (
    <a href={address}>
      <bdi>{text}</bdi>
    </a>
  ) : (
    <bdi class={otherwise}>{text}</bdi>
  );

/** A record that a change set creates. It has no view yet. */
export const New = ({ name }: { name: string }) => (
  <>
    <bdi>{name}</bdi> <span class="muted">(new)</span>
  </>
);

/** Link to a record whose id alone is known. @param by the record that refers to it */
export function Reference({ resource, id, by }: { resource: string; id: string; by?: Row }) {
  const collection = collectionOf(resource);
  const isKnown = collection?.path.includes('{') === false;
  const called = useCalled(resource, id, isKnown);
  if (called && called !== '…' && called.isNew) return <New name={called.name} />;
  const name = called === '…' || !called ? undefined : called.name;
  const one = collection?.one ?? 'record';
  const text = name ?? (called === null ? `a deleted ${one}` : isKnown && called === '…' ? called : `a ${one}`);
  return (
    <>
      <Named address={addressOf(resource, id)} text={text} otherwise="muted" />
      {collection?.namesRepeat && <Muted beside={besideIn(called, by)} />}
    </>
  );
}

/** A record by its name, with a link if it has an address. @param by the record that refers to it */
export const Linked = ({
  resource,
  id,
  name,
  by,
}: {
  resource: string;
  id: string;
  name: string | undefined;
  by?: Row;
}) => (
  <>
    <Named address={addressOf(resource, id)} text={name} />
    <Beside resource={resource} id={id} by={by} />
  </>
);
