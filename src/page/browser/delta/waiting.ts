/* What waits for the approval of the session. */

import { useEffect, useState } from 'preact/hooks';
import { get, queryOf, useGet } from '../api.js';
import { collectionAt, currentProfile, may } from '../model.js';
import type { Loadable, Row } from '../types.js';

/** Records of a kind that are looked at. */
const MOST = 10;

/** Whether the session has decided on a record as it is now. */
async function isDecided(path: string, email: string): Promise<boolean> {
  const { data } = await get(`${path}/approvals${queryOf({ approver: email, pageSize: 50 })}`);
  return (data as Row[]).some(({ isCurrent }) => isCurrent);
}

/** Change sets of others, and submitted change requests, that the session could approve and has not decided on. */
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
      // A change request whose change set is there is read with it.
      ...open
        .filter(({ changeRequestId }) => !changeRequestId || submitted.some(({ id }) => id === changeRequestId))
        .map((set) => ({ ...set, resource: 'change-sets' })),
      ...submitted.filter(({ id }) => !planned.has(id)).map((one) => ({ ...one, resource: 'change-requests' })),
    ] as Row[];
    const pathOf = ({ id, resource, changeRequestId }: Row): string =>
      changeRequestId ? `/api/change-requests/${changeRequestId}` : `/api/${resource}/${id}`;
    void Promise.all(asked.map((one) => isDecided(pathOf(one), me.email).catch(() => true))).then(
      (decided) => isShown && setFound(asked.filter((_, at) => !decided[at])),
    );
    return () => {
      isShown = false;
    };
  }, [sets.answer, requests.answer]);
  if (!isAsked) return undefined;
  return { ...sets, answer: found && sets.answer && { ...sets.answer, data: found, total: found.length } };
}
