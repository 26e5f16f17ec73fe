/* The history of a record as sentences, and the slider through it. */

import { instantOf } from './times.js';
import { LOCALE } from './locale.js';
import type { ComponentChildren } from 'preact';
import type { Collection, Field, Row } from './types.js';
import { useEffect, useState } from 'preact/hooks';
import { useGet } from './api.js';
import { isCustom } from './custom.js';
import { Icon } from './icon.js';
import { sayRefusal } from './toasts.js';
import { Ago, Time, Value } from './format.js';
import { addressOf, collectionOf, fieldIn, isUuid, labelOf, oneOf } from './model.js';
import { Beside } from './names.js';
import { Loaded } from './parts.js';
import { DONE } from '../../fields/labels.js';
import { same, write, writes } from './writing.js';

const SHOWN = 50;
const HIDDEN = new Set(['id', 'createdAt', 'updatedAt']);

interface Change {
  field: Field;
  before: unknown;
  after: unknown;
}

/** The changes of a log entry: field, value before and after. Ids of what the page does not know are left out. */
function changesIn({ resource, before, after }: Row, record: Row | undefined): Change[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (name) => !HIDDEN.has(name),
  );
  const changes = names.map((name) => ({
    field: fieldIn(resource, name) as Field,
    before: before?.[name],
    after: after?.[name],
  }));
  const lists = new Set(changes.map(({ field }) => field.referencesBy));
  return changes.filter(
    ({ field: { name, type, referencesBy: by }, ...values }) =>
      !lists.has(name) &&
      (!by || (after ?? before)[by] || record?.[by]) &&
      (type || !isUuid(values.after ?? values.before)),
  );
}

/** One entry of the change log. */
export function Entry({
  entry,
  isNamed = false,
  record,
  children,
}: {
  entry: Row;
  isNamed?: boolean;
  /** The record as it is now, for the currency of amounts that an entry does not say. */
  record?: Row;
  children?: ComponentChildren;
}) {
  const changes = entry.action === 'update' || isNamed === false ? changesIn(entry, record) : [];
  const isUpdate = entry.action === 'update';
  const shown = isUpdate ? changes : changes.filter(({ after, before }) => (after ?? before) !== null);
  /** What tells how to show the values: the currency of amounts, and the lists that references are of. */
  const around = (values: Row | null): Row => ({
    id: entry.id,
    currency: (values ?? entry.before)?.currency ?? record?.currency,
    ...Object.fromEntries(
      changes.flatMap(({ field: { referencesBy: by } }) => (by ? [[by, values?.[by] ?? record?.[by]]] : [])),
    ),
  });
  const lines = (
    <ul class="changes">
      {shown.map(({ field, before, after }) => (
        <li>
          <span class="field">{labelOf(field)}</span>{' '}
          {isUpdate && (
            <>
              <del>
                <Value field={field} record={around(entry.before)} value={before} />
              </del>
              <span aria-hidden="true"> → </span>
              <span class="hidden"> became </span>
            </>
          )}
          <ins>
            {entry.action === 'delete' ? (
              <Value field={field} record={around(entry.before)} value={before} />
            ) : (
              <Value field={field} record={around(entry.after)} value={after} />
            )}
          </ins>
        </li>
      ))}
    </ul>
  );
  return (
    <li class="entry">
      <p>
        <strong class="who">
          <bdi>{entry.actor}</bdi>
        </strong>
        {entry.tokenName && (
          <>
            {' '}
            <span class="muted">
              with <bdi>{entry.tokenName}</bdi>
            </span>
          </>
        )}{' '}
        {DONE[entry.action] ?? entry.action} {isNamed ? <What entry={entry} /> : 'it'}
        <span class="when">
          <Time value={entry.createdAt} />
        </span>
        {children}
      </p>
      {isUpdate
        ? lines
        : !isNamed &&
          shown.length > 0 && (
            <details>
              <summary>{shown.length} fields</summary>
              {lines}
            </details>
          )}
    </li>
  );
}

/** The record that an entry of the change log is about: "the site Delft", or "an incident update". */
function What({ entry: { resource, recordId, recordName } }: { entry: Row }) {
  const address = addressOf(resource, recordId);
  const name = <bdi>{recordName}</bdi>;
  const one = oneOf(resource);
  return (
    <>
      {recordName ? `the ${one} ` : `${/^[aeio]/i.test(one) ? 'an' : 'a'} ${one}`}
      {address ? <a href={address}>{name}</a> : name}
      <Beside resource={resource} id={recordId} />
    </>
  );
}

interface Sentence {
  first: Row;
  count: number;
}

/** Whether two entries belong to one action, such as an import: the same action on records of one kind within a minute. */
const isSameAct = (one: Row, other: Row): boolean =>
  one.actor === other.actor &&
  one.action === other.action &&
  one.resource === other.resource &&
  Math.abs(Date.parse(one.createdAt) - Date.parse(other.createdAt)) < 60_000;

/** Entries of the change log as sentences, one for each action. @param all address of the list of all entries */
export function Sentences({ entries, most, all }: { entries: Row[]; most: number; all: string }) {
  const acts: Sentence[] = [];
  for (const entry of entries) {
    const last = acts.at(-1);
    if (last && isSameAct(last.first, entry)) last.count += 1;
    else acts.push({ first: entry, count: 1 });
  }
  return (
    <ul class="lines">
      {acts.slice(0, most).map(({ first, count }) => {
        const collection = collectionOf(first.resource);
        return (
          <li key={first.id} class="act">
            <span class="said">
              <bdi class="who">{first.actor}</bdi> {DONE[first.action] ?? first.action}{' '}
              {count > 1 ? (
                <a href={`${all}&resource=${first.resource}`}>
                  {count} {collection?.label ?? labelOf(first.resource).toLowerCase()}
                </a>
              ) : (
                <What entry={first} />
              )}
            </span>
            <span class="aside">
              <Ago value={first.createdAt} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Reverts the last change of a record. */
function UndoLast({
  path,
  collection,
  record,
  entry,
}: {
  path: string;
  collection: Collection;
  record: Row;
  entry: Row;
}) {
  const found = writes(collection, entry.before ?? {});
  if (!found) return null;
  return (
    <button
      type="button"
      class="undo"
      onClick={() =>
        // The record may be older than the history, and a change of its parts sets its time without an entry.
        void write(path, found, 'The last change is undone', entry.createdAt, record.updatedAt).catch(sayRefusal)
      }
    >
      <Icon name="arrow-uturn-left" />
      Undo
    </button>
  );
}

/** Restores the values of a record at the time of the slider. */
export function BringBack({
  path,
  collection,
  record,
  values,
}: {
  path: string;
  collection: Collection;
  record: Row;
  values: Row;
}) {
  const names = new Set([...Object.keys(values), ...Object.keys(record).filter(isCustom)]);
  const differing = Object.fromEntries(
    [...names].filter((name) => !same(values[name], record[name])).map((name) => [name, values[name] ?? null]),
  );
  const found = writes(collection, differing);
  if (!found) return null;
  return (
    <button type="button" onClick={() => void write(path, found, 'Brought back', record.updatedAt).catch(sayRefusal)}>
      <Icon name="arrow-uturn-left" />
      Bring this back
    </button>
  );
}

export function History({ path, collection, record }: { path: string; collection: Collection; record: Row }) {
  const [page, setPage] = useState(1);
  const loaded = useGet(`${path}/changes?order=desc&sort=createdAt&pageSize=${SHOWN}&page=${page}`);
  return (
    <Loaded from={loaded}>
      {({ data, hasMore, total }) => (
        <>
          <ol class="history">
            {data.map((entry: Row, index: number) => (
              <Entry key={entry.id} entry={entry} record={record}>
                {page === 1 && index === 0 && entry.action === 'update' && (
                  <UndoLast path={path} collection={collection} record={record} entry={entry} />
                )}
              </Entry>
            ))}
          </ol>
          {data.length === 0 && <p class="empty">No change was recorded.</p>}
          {total > SHOWN && (
            <nav class="pages" aria-label="Pages">
              <button type="button" disabled={page === 1} onClick={() => setPage(page - 1)}>
                Newer
              </button>
              <button type="button" disabled={!hasMore} onClick={() => setPage(page + 1)}>
                Older
              </button>
            </nav>
          )}
        </>
      )}
    </Loaded>
  );
}

/** A slider through the states of a record: one for each of its newest changes. */
export function Moments({
  path,
  past,
  setPast,
  children,
}: {
  path: string;
  past: string | undefined;
  setPast: (time: string | undefined) => void;
  /** The actions for the shown state. */
  children?: ComponentChildren;
}) {
  const loaded = useGet(`${path}/changes?order=desc&sort=createdAt&pageSize=${SHOWN}`);
  const entries = ((loaded.answer?.data ?? []) as Row[]).toReversed();
  const last = entries.length - 1;
  const [at, setAt] = useState<number>();
  useEffect(() => {
    if (at === undefined) return undefined;
    const timer = setTimeout(() => setPast(at >= last ? undefined : entries[at]!.createdAt), 150);
    return () => clearTimeout(timer);
  }, [at]);
  if (last < 1) return null;
  const shown = Math.min(at ?? last, last);
  const isNow = shown === last;
  return (
    <div class={`moments ${past ? 'past' : ''}`}>
      <label for="moment">Through time</label>
      <input
        id="moment"
        type="range"
        min="0"
        max={last}
        value={shown}
        aria-valuetext={
          isNow
            ? 'now'
            : new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' }).format(
                instantOf(entries[shown]!.createdAt),
              )
        }
        onInput={({ currentTarget: target }) => setAt(Number(target.value))}
      />
      <output for="moment">
        {isNow ? (
          'As it is now'
        ) : (
          <>
            As of <Time value={entries[shown]!.createdAt} />, by <bdi>{entries[shown]!.actor}</bdi>
          </>
        )}
      </output>
      {children}
    </div>
  );
}
