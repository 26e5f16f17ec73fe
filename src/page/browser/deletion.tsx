/* Deleting a record, and restoring one that was deleted. */

import { LOCALE } from './locale.js';
import type { Collection, Operation, Row, Fault } from './types.js';
import { useState } from 'preact/hooks';
import { ifMatch, reloadAll, send, useGet } from './api.js';
import { AtOnce } from './at-once.js';
import { below, capital, may, nameOf, restoreOf } from './model.js';
import { Entry } from './history.js';
import { Icon } from './icon.js';
import { Dialog, Failure, Loaded, Title } from './parts.js';
import { planned, queryIn, usePlanOf } from './plan.js';
import { ReferenceCounts } from './references.js';
import { go } from './route.js';
import { say } from './toasts.js';

const records = (count: number): string =>
  `${new Intl.NumberFormat(LOCALE).format(count)} ${count === 1 ? 'record' : 'records'}`;

/** Who deletes what so many records refer to, types its name. */
const MUCH = 50;

export function Deletion({
  path,
  collection,
  record,
  operation,
}: {
  path: string;
  collection: Collection;
  record: Row;
  operation: Operation;
}) {
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<Fault>();
  const [isBusy, setBusy] = useState(false);
  const [typed, setTyped] = useState('');
  const plan = usePlanOf(operation);
  const references = useGet(isAsking && below(collection).references ? `${path}/references?pageSize=50` : undefined);
  const name = nameOf(collection, record);
  const referring = ((references.answer?.data ?? []) as Row[]).reduce((total, { count }) => total + count, 0);
  const asksName = referring >= MUCH && name !== '';
  /** The data that is deleted with the record, once the service has reported it. */
  const against = operation.query?.includes('dropValues') ? error?.against : undefined;
  const erase = async () => {
    setBusy(true);
    setError(undefined);
    try {
      // The displayed entity tag belongs to a record with expanded references.
      const { data, etag } = await send('GET', path);
      if (data.updatedAt !== record.updatedAt) throw Object.assign(new Error(), { status: 412 });
      const asked = queryIn(plan, { dropValues: against && true });
      await send('DELETE', `${path}${asked}`, { headers: ifMatch(operation, etag) });
      if (plan) {
        setAsking(false);
        setBusy(false);
        return planned(plan, `Deleting ${nameOf(collection, record) || `the ${collection.one ?? 'entry'}`}`);
      }
      const segments = path.slice(4).split('/');
      const list = segments.slice(0, -1).join('/');
      say(`${nameOf(collection, record) || capital(collection.one ?? 'entry')} deleted`, {
        undo: may(restoreOf(collection))
          ? async () => {
              await send('POST', `${path}/restore?relink=true`);
              go(path.slice(4));
              reloadAll();
            }
          : undefined,
      });
      go(collection.path.includes('{') ? `${segments.slice(0, -2).join('/')}?tab=${segments.at(-2)}` : list);
      reloadAll();
    } catch (refused) {
      setBusy(false);
      setError(refused as Fault);
    }
  };
  return (
    <>
      <button type="button" class="danger icon-only" title="Delete" onClick={() => setAsking(true)}>
        <Icon name="trash" />
        <span class="hidden">Delete</span>
      </button>{' '}
      {isAsking && (
        <Dialog label="Delete" close={() => setAsking(false)}>
          <h2>
            Delete <bdi>{nameOf(collection, record)}</bdi>?
          </h2>
          {below(collection).references && (
            <Loaded from={references}>{({ data }) => <ReferenceCounts rows={data} ids={[record.id]} />}</Loaded>
          )}
          {!restoreOf(collection) && <p>It cannot be restored.</p>}
          {against && (
            <p>
              <strong>The values of {records(against.count)} are lost with it.</strong> They do not come back with a new
              one of the same name.
            </p>
          )}
          {error && (
            <Failure
              error={
                error.status === 412
                  ? { message: 'Somebody has changed it since you opened it. Close this and look at it again' }
                  : error
              }
            />
          )}
          {asksName && (
            <div class="control">
              <label for="name-again">
                {records(referring)} refer to it. Type <bdi>{name}</bdi> to delete it
              </label>
              <input
                id="name-again"
                autocomplete="off"
                value={typed}
                onInput={({ currentTarget: { value } }) => setTyped(value)}
              />
            </div>
          )}
          <p class="tools">
            <button
              type="button"
              class="danger"
              disabled={isBusy || (asksName && typed.trim() !== name)}
              onClick={erase}
            >
              {plan
                ? 'Plan the deletion'
                : against
                  ? `Delete it with the values of ${records(against.count)}`
                  : 'Delete'}
            </button>
            <button type="button" autofocus onClick={() => setAsking(false)}>
              Keep it
            </button>
          </p>
        </Dialog>
      )}
    </>
  );
}

/** The view of a record that no longer exists. */
export function Restoring({
  path,
  collection,
  error,
  reload,
}: {
  path: string;
  collection: Collection;
  error: Fault;
  reload: () => void;
}) {
  const [refused, setRefused] = useState<Fault>();
  const history = useGet(
    below(collection).changes ? `${path}/changes?order=desc&sort=createdAt&pageSize=1` : undefined,
  );
  const [entry] = history.answer?.data ?? [];
  const act = async () => {
    try {
      await send('POST', `${path}/restore`);
      reload();
    } catch (problem) {
      setRefused(problem as Fault);
    }
  };
  return (
    <>
      <Title
        text={entry?.recordName ?? 'Not here'}
        crumbs={[[capital(collection.label), `#${collection.path.slice(4)}`]]}
      />
      <p>{error.message}.</p>
      {entry && (
        <ol class="history">
          <Entry entry={entry} />
        </ol>
      )}
      {refused && <Failure error={refused} />}
      {entry && may(restoreOf(collection)) && (
        <p>
          <button type="button" class="primary" onClick={act}>
            Restore it
          </button>{' '}
          <AtOnce />
        </p>
      )}
    </>
  );
}
