/* Approvals that the session can give. */

import { useEffect, useState } from 'preact/hooks';
import { get, queryOf, useGet } from '../api.js';
import { collectionAt, currentProfile, may } from '../model.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { Loadable, Row } from '../types.js';
import type { Approvals } from './approving.js';

type Schemas = components['schemas'];

/** Maximum number of records of a kind. */
const MOST = 10;

/** Whether a record lacks approvals, and the session could give one and has not decided about its current state. */
async function isAwaited(path: string, email: string): Promise<boolean> {
  const [approvals, moves] = await Promise.all([
    get(`${path}/approvals${queryOf({ approver: email, pageSize: 50 })}`) as Promise<Approvals>,
    path.startsWith('/api/change-requests/') ? get(`${path}/transitions`) : undefined,
  ]);
  const asked = ((moves?.data ?? []) as Schemas['OpenTransition'][]).map((one) => one.approvals.needed);
  const { data, given, mayApprove } = approvals;
  return mayApprove && given < Math.max(1, ...asked) && !(data as Row[]).some(({ isCurrent }) => isCurrent);
}

/** Change sets, and submitted change requests, that wait for an approval of the session. */
export function useWaiting(): Loadable | undefined {
  const me = currentProfile()!;
  const isAsked = ['manager', 'admin'].includes(me.role);
  const sets = useGet(
    isAsked ? `/api/change-sets${queryOf({ status: 'open', createdBy__n: me.email, pageSize: MOST })}` : undefined,
  );
  const isRead = isAsked && may(collectionAt('/api/change-requests'));
  const requests = useGet(
    isRead ? `/api/change-requests${queryOf({ status: 'submitted', pageSize: MOST })}` : undefined,
  );
  const [found, setFound] = useState<Row[]>();
  useEffect(() => {
    if (!sets.answer || (isRead && !requests.answer)) return undefined;
    let isShown = true;
    const open = (sets.answer.data as Row[]).filter(({ operationCount }) => operationCount > 0);
    const submitted = (requests.answer?.data ?? []) as Row[];
    const planned = new Set(open.map(({ changeRequestId }) => changeRequestId));
    const asked = [
      // A change request is shown with its change set if both are listed.
      ...open
        .filter(({ changeRequestId }) => !changeRequestId || submitted.some(({ id }) => id === changeRequestId))
        .map((set) => ({ ...set, resource: 'change-sets' })),
      ...submitted.filter(({ id }) => !planned.has(id)).map((one) => ({ ...one, resource: 'change-requests' })),
    ] as Row[];
    const pathOf = ({ id, resource, changeRequestId }: Row): string =>
      changeRequestId ? `/api/change-requests/${changeRequestId}` : `/api/${resource}/${id}`;
    void Promise.all(asked.map((one) => isAwaited(pathOf(one), me.email).catch(() => false))).then(
      (awaited) => isShown && setFound(asked.filter((_, at) => awaited[at])),
    );
    return () => {
      isShown = false;
    };
  }, [sets.answer, requests.answer]);
  if (!isAsked) return undefined;
  return { ...sets, answer: found && sets.answer && { ...sets.answer, data: found, total: found.length } };
}
