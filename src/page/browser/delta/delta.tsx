/* A change set for its author and approvers: its effects, its conflicts, and the next steps. */

import { useEffect, useState } from 'preact/hooks';
import { get, onceKey, queryOf, reloadAll, send, useGet } from '../api.js';
import { Entry } from '../history.js';
import { currentProfile, may, operationOn, typed } from '../model.js';
import { Dialog, Failure, Loaded, Loading } from '../parts.js';
import { openPlan, setPlan, usePlan } from '../plan.js';
import { go } from '../route.js';
import { say, sayRefusal } from '../toasts.js';
import type { Answer, Fault, PanelProps, Row } from '../types.js';
import { Affected } from './affected.js';
import { ApprovalList, Approving, useApproving } from './approving.js';
import { Changes } from './changes.js';
import { Conflicts } from './conflicts.js';
import { groupsOf, saidOf, type Preview } from './words.js';

/** Number of change log entries that are shown of a merge. */
const SHOWN = 50;

export function Delta(props: PanelProps) {
  const set = typed<'ChangeSet'>(props.record);
  if (set.status === 'open') return <Open {...props} />;
  return (
    <>
      {set.status === 'merged' && <Merged {...props} />}
      <ApprovalList path={props.path} />
    </>
  );
}

interface Previewed {
  of: object;
  preview?: Preview;
  digest: string;
  etag?: string;
  /** The digest of its change request, read before the preview. A change between the two makes it stale. */
  requestDigest?: string;
  error?: Fault;
}

/** Operations that one request reads. */
const MOST = 50;

/** A refused operation leaves its record unchanged. Its intended effect is shown nevertheless. */
async function showPlanned(path: string, { operations, conflicts }: Preview): Promise<void> {
  const ids = [...new Set(conflicts.map(({ operationId }) => operationId))].slice(0, MOST);
  if (ids.length === 0) return;
  const { data } = await get(`${path}/operations${queryOf({ id: ids, pageSize: MOST })}`);
  const written = new Map((data as Row[]).map((one) => [one.id, one]));
  for (const one of operations) {
    const own = written.get(one.id);
    if (!own) continue;
    one.before ??= own.op === 'create' ? null : own.base;
    if (own.op !== 'delete') one.after = { ...one.after, ...own.base, ...own.data };
    one.before = own.op === 'update' ? { ...one.before, ...own.base } : one.before;
  }
}

/** The preview of the merge, repeated whenever its record is read. */
function usePreview(path: string, record: object, requestId: string | null): Previewed | undefined {
  const [last, setLast] = useState<Previewed>();
  useEffect(() => {
    let isShown = true;
    const read = async (): Promise<Previewed> => {
      const request = requestId
        ? await get(`/api/change-requests/${requestId}/transitions`).catch(() => undefined)
        : undefined;
      const { data, etag, digest } = (await send('POST', `${path}/preview`)) as Answer & { digest: string };
      await showPlanned(path, data as Preview);
      const requestDigest = (request as { digest?: string } | undefined)?.digest;
      return { of: record, preview: data as Preview, etag, digest, requestDigest };
    };
    read()
      .catch((error: Fault): Previewed => ({ of: record, digest: '', error }))
      .then((found) => isShown && setLast(found));
    return () => {
      isShown = false;
    };
  }, [record]);
  return last;
}

function Open({ path, collection, record }: PanelProps) {
  const set = typed<'ChangeSet'>(record);
  const last = usePreview(path, record, set.changeRequestId);
  const approving = useApproving(path, set);
  const plan = usePlan();
  const mayWrite = may(operationOn(collection, 'patch'));
  const isOpened = plan?.path === path;
  const { preview } = last ?? {};
  const acting = (work: Promise<unknown>): void => void work.catch(sayRefusal);
  const takeOut = (id: string): void =>
    acting(
      send('DELETE', `${path}/operations/${id}`).then(() => {
        say('The change is taken out');
        reloadAll();
      }),
    );
  const groups = groupsOf(preview?.operations ?? []);
  return (
    <>
      <section class="card panel" aria-label="What it does">
        <h2>
          What it does
          <a class="end" href={`${path}/diff`} target="_blank" rel="noopener">
            Print
          </a>
        </h2>
        {!last && <Loading />}
        {last?.error && <Failure error={last.error} retry={reloadAll} />}
        {preview && groups.length === 0 && (
          <p class="muted">
            Nothing is planned yet.{' '}
            {isOpened &&
              'Change what you want to plan: every form has Plan in place of Save now, and nothing is done yet.'}
          </p>
        )}
        {preview && groups.length > 0 && (
          <p class="summary" role="status">
            It {saidOf(groups)}.{' '}
            {preview.conflicts.length === 0 ? (
              <span class="badge good">No conflicts</span>
            ) : (
              <span class="badge bad">{preview.conflicts.length} in conflict</span>
            )}
          </p>
        )}
        <p class="tools">
          {mayWrite && groups.length > 0 && (
            <Merge path={path} last={last} waits={approving.waits} said={saidOf(groups)} />
          )}
          <Approving path={path} set={set} approving={approving} last={last} />
          {mayWrite && !isOpened && (
            <button type="button" onClick={() => setPlan({ path, name: set.name })}>
              Plan in it
            </button>
          )}
          <button type="button" onClick={reloadAll}>
            Preview again
          </button>
          {mayWrite && (
            <button
              type="button"
              class="danger"
              onClick={() =>
                acting(
                  send('POST', `${path}/discard`, { headers: onceKey() }).then(() => {
                    leave(path);
                    say(`${set.name} is discarded`);
                    reloadAll();
                  }),
                )
              }
            >
              Discard
            </button>
          )}
        </p>
        {approving.waits && <p class="waits">{approving.waits}</p>}
      </section>
      {preview && preview.conflicts.length > 0 && (
        <Conflicts path={path} conflicts={preview.conflicts} changes={preview.operations} mayWrite={mayWrite} />
      )}
      {preview && groups.length > 0 && (
        <section class="card panel" aria-label="Changes">
          <h2>
            Changes
            <span class="count">{preview.operations.length}</span>
          </h2>
          <Changes
            changes={preview.operations}
            refused={new Set(preview.conflicts.map(({ operationId }) => operationId))}
            takeOut={mayWrite ? takeOut : undefined}
          />
        </section>
      )}
      {preview && groups.length > 0 && <Affected changes={preview.operations} requestId={set.changeRequestId} />}
      <ApprovalList path={path} requestId={set.changeRequestId} />
    </>
  );
}

/** Ends the planning in a change set that is no longer open. */
function leave(path: string): void {
  if (openPlan()?.path === path) setPlan(undefined);
}

interface MergeProps {
  path: string;
  last: Previewed | undefined;
  waits: unknown;
  said: string;
}

/** Merges exactly what was previewed. */
function Merge({ path, last, waits, said }: MergeProps) {
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<Fault>();
  const merge = async (): Promise<void> => {
    try {
      await send('POST', `${path}/merge`, { headers: { ...onceKey(), ...(last?.etag && { 'if-match': last.etag }) } });
      leave(path);
      say('Merged');
      setAsking(false);
      reloadAll();
    } catch (refused) {
      setError(refused as Fault);
    }
  };
  const inTheWay = last?.preview?.conflicts.length ?? 0;
  return (
    <>
      <button
        type="button"
        class="primary"
        disabled={!last?.preview || inTheWay > 0 || Boolean(waits)}
        onClick={() => {
          setError(undefined);
          setAsking(true);
        }}
      >
        Merge
      </button>
      {isAsking && (
        <Dialog label="Merge" close={() => setAsking(false)}>
          <h2>Merge?</h2>
          <p>It {said}, all in one moment. It can be reverted.</p>
          {error && <Failure error={error} />}
          <p class="tools">
            <button type="button" class="primary" autofocus onClick={() => void merge()}>
              Merge
            </button>
            <button type="button" onClick={() => setAsking(false)}>
              Cancel
            </button>
          </p>
        </Dialog>
      )}
    </>
  );
}

/** The effects of a merge, and its revert. */
function Merged({ path, collection, record }: PanelProps) {
  const set = typed<'ChangeSet'>(record);
  const isRead = currentProfile() !== undefined;
  const query = `changeSetId=${set.id}`;
  const loaded = useGet(isRead ? `/api/change-log?${query}&pageSize=${SHOWN}` : undefined);
  const revert = async (): Promise<void> => {
    const { data } = await send('POST', `${path}/revert`, { headers: onceKey() });
    const { warnings } = data as { warnings: string[] };
    say(warnings.length > 0 ? warnings.join(' ') : 'This takes it back, once it is merged', {
      isFault: warnings.length > 0,
    });
    go(`/change-sets/${data.id}`);
  };
  return (
    <section class="card panel" aria-label="What it did">
      <h2>What it did</h2>
      {may(operationOn(collection, 'patch')) && (
        <p class="tools">
          <button type="button" onClick={() => void revert().catch(sayRefusal)}>
            Revert
          </button>
        </p>
      )}
      <Loaded from={loaded}>
        {({ data, total }) => (
          <>
            <ol class="history">
              {(data as Row[]).map((entry) => (
                <Entry key={entry.id} entry={entry} isNamed />
              ))}
            </ol>
            {total > data.length && (
              <p class="more">
                <a href={`#/change-log?${query}`}>All {total}</a>
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
