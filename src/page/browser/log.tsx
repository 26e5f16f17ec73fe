/* The change log in sentences. All writes of a request are one entry, which unfolds and can be reverted as a whole. */

import { Icon } from './icon.js';
import { Time } from './format.js';
import { Entry } from './history.js';
import { DONE } from '../../fields/labels.js';
import { LOCALE } from './locale.js';
import { collectionOf, manyOf, may, oneOf, operationOn } from './model.js';
import { say, sayRefusal } from './toasts.js';
import type { Row } from './types.js';
import { undoOf, undoRequest } from './undo.js';

/** Entries of one request, which stand together. */
function requestsOf(entries: readonly Row[]): Row[][] {
  const requests: Row[][] = [];
  for (const entry of entries) {
    const last = requests.at(-1);
    if (last && entry.requestId !== null && last[0]!.requestId === entry.requestId) last.push(entry);
    else requests.push([entry]);
  }
  return requests;
}

const list = new Intl.ListFormat('en');

/** `created 24 ports and changed 1 device` */
function saidOf(entries: readonly Row[]): string {
  const counts = new Map<string, Row[]>();
  for (const one of entries) {
    const key = `${one.action} ${one.resource}`;
    counts.set(key, [...(counts.get(key) ?? []), one]);
  }
  return list.format(
    [...counts.values()].map((own) => {
      const { action, resource } = own[0]!;
      const collection = collectionOf(resource);
      const many = collection ? manyOf(collection) : `${oneOf(resource)}s`;
      const count = own.length.toLocaleString(LOCALE);
      return `${DONE[action] ?? action} ${count} ${own.length === 1 ? oneOf(resource) : many}`;
    }),
  );
}

/** Whether the session may write what a request wrote. The service decides whether it can still be reverted. */
const mayUndo = (entries: readonly Row[]): boolean =>
  Boolean(entries[0]!.requestId) &&
  entries.every(({ resource }) => {
    const collection = collectionOf(resource);
    const write = collection && operationOn(collection, 'delete');
    return write?.area !== undefined && may(write);
  });

function Undo({ entries }: { entries: readonly Row[] }) {
  if (!mayUndo(entries)) return null;
  const act = async (): Promise<void> => {
    const answer = await undoRequest(entries[0]!.requestId);
    say('Taken back', { undo: undoOf(answer) });
  };
  return (
    <button type="button" class="undo" onClick={() => void act().catch(sayRefusal)}>
      <Icon name="arrow-uturn-left" />
      Undo
    </button>
  );
}

export const Log = ({ entries }: { entries: readonly Row[] }) => (
  <ol class="history card">
    {requestsOf(entries).map((own) => {
      const [first] = own as [Row];
      if (own.length === 1)
        return (
          <Entry key={first.id} entry={first} isNamed>
            <Undo entries={own} />
          </Entry>
        );
      return (
        <li key={first.id} class="entry">
          <p>
            <strong class="who">
              <bdi>{first.actor}</bdi>
            </strong>{' '}
            {saidOf(own)}
            <span class="when">
              <Time value={first.createdAt} />
            </span>
            <Undo entries={own} />
          </p>
          <details>
            <summary>{own.length} entries</summary>
            <ol class="history">
              {own.map((entry) => (
                <Entry key={entry.id} entry={entry} isNamed />
              ))}
            </ol>
          </details>
        </li>
      );
    })}
  </ol>
);
