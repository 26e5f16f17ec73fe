/* The history of a record as sentences, and the slider through it. */

import type { Collection, Row, Field } from './types.js';
import { useEffect, useState } from 'preact/hooks';
import { useGet } from './api.js';
import { Time, Value } from './format.js';
import { addressOf, fieldsOf, labelOf } from './model.js';
import { Loaded } from './parts.js';

const SHOWN = 50;
const DONE: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  restore: 'restored',
};
const HIDDEN = new Set(['id', 'createdAt', 'updatedAt']);

interface Change {
  field: Field;
  before: unknown;
  after: unknown;
}

/** What an entry of the change log changed: field, value before and after. */
function changesIn({ before, after }: Row, collection: Collection | undefined): Change[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (name) => !HIDDEN.has(name),
  );
  const declared = collection ? fieldsOf(collection.type) : [];
  return names.map((name) => ({
    field: declared.find((one) => one.name === name) ?? { name },
    before: before?.[name],
    after: after?.[name],
  }));
}

/** One entry of the change log. @param collection of the record, for the names of its fields */
export function Entry({
  entry,
  collection,
  isNamed = false,
}: {
  entry: Row;
  collection?: Collection;
  isNamed?: boolean;
}) {
  const changes = entry.action === 'update' || isNamed === false ? changesIn(entry, collection) : [];
  const isUpdate = entry.action === 'update';
  const shown = isUpdate ? changes : changes.filter(({ after, before }) => (after ?? before) !== null);
  const address = addressOf(entry.resource, entry.recordId);
  const lines = (
    <ul class="changes">
      {shown.map(({ field, before, after }) => (
        <li>
          <span class="field">{labelOf(field.name)}</span>{' '}
          {isUpdate && (
            <>
              <del>
                <Value field={field} value={before} />
              </del>
              <span aria-hidden="true"> → </span>
              <span class="hidden"> became </span>
            </>
          )}
          <ins>
            <Value field={field} value={entry.action === 'delete' ? before : after} />
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
        {DONE[entry.action] ?? entry.action}{' '}
        {isNamed ? (
          <>
            {address ? (
              <a href={address}>
                <bdi>{entry.recordName ?? 'a record'}</bdi>
              </a>
            ) : (
              <bdi>{entry.recordName ?? 'a record'}</bdi>
            )}{' '}
            <span class="muted">{labelOf(entry.resource).toLowerCase()}</span>
          </>
        ) : (
          'it'
        )}
        <span class="when">
          <Time value={entry.createdAt} />
        </span>
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

export function History({ path, collection }: { path: string; collection: Collection }) {
  const [page, setPage] = useState(1);
  const loaded = useGet(`${path}/changes?order=desc&sort=createdAt&pageSize=${SHOWN}&page=${page}`);
  return (
    <Loaded from={loaded}>
      {({ data, hasMore, total }) => (
        <>
          <ol class="history">
            {data.map((entry: Row) => (
              <Entry key={entry.id} entry={entry} collection={collection} />
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
}: {
  path: string;
  past: string | undefined;
  setPast: (time: string | undefined) => void;
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
        aria-valuetext={isNow ? 'now' : new Date(entries[shown]!.createdAt).toLocaleString()}
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
    </div>
  );
}
