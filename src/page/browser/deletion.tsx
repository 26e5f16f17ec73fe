/* Deleting a record, and restoring one that was deleted. */

import type { Collection, Operation, Row, Fault } from './types.js';
import { useState } from 'preact/hooks';
import { reloadAll, send, useGet } from './api.js';
import { below, capital, may, nameOf } from './model.js';
import { Entry } from './history.js';
import { Dialog, Failure, Loaded, Title } from './parts.js';
import { ReferenceCounts } from './references.js';
import { go } from './route.js';
import { say } from './toasts.js';

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
  const references = useGet(isAsking && below(collection).references ? `${path}/references?pageSize=50` : undefined);
  const erase = async () => {
    setBusy(true);
    try {
      // The entity tag of what is shown is that of a record with its references expanded.
      const { data, etag } = await send('GET', path);
      if (data.updatedAt !== record.updatedAt) throw Object.assign(new Error(), { status: 412 });
      await send('DELETE', path, { headers: operation.conditional && etag ? { 'if-match': etag } : {} });
      const restore = collection.operations.find((one) => one.path === `${collection.record}/restore`);
      const segments = path.slice(4).split('/');
      const list = segments.slice(0, -1).join('/');
      say(`${nameOf(collection, record) || capital(collection.one ?? 'entry')} deleted`, {
        undo:
          restore && may(restore)
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
      <button type="button" class="danger" onClick={() => setAsking(true)}>
        Delete
      </button>{' '}
      {isAsking && (
        <Dialog label="Delete" close={() => setAsking(false)}>
          <h2>
            Delete <bdi>{nameOf(collection, record)}</bdi>?
          </h2>
          {below(collection).references && (
            <Loaded from={references}>{({ data }) => <ReferenceCounts rows={data} id={record.id} />}</Loaded>
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
          <p class="tools">
            <button type="button" class="danger" disabled={isBusy} onClick={erase}>
              Delete
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

/** What is shown where a record is no more. */
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
  const restore = collection.operations.find((one) => one.path === `${collection.record}/restore`);
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
          <Entry entry={entry} collection={collection} />
        </ol>
      )}
      {refused && <Failure error={refused} />}
      {entry && restore && may(restore) && (
        <p>
          <button type="button" class="primary" onClick={act}>
            Restore it
          </button>
        </p>
      )}
    </>
  );
}
