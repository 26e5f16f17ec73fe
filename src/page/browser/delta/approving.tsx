/* The approvals of a change set, given and missing. If it belongs to a change request, that request is approved instead. */

import { reloadAll, send, useGet } from '../api.js';
import { Ago } from '../format.js';
import { collectionAt, currentProfile, labelOf, may, typed } from '../model.js';
import { Linked } from '../names.js';
import { Line } from '../parts.js';
import { say, sayRefusal } from '../toasts.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { Answer, Row } from '../types.js';
import type { VNode } from 'preact';

type Schemas = components['schemas'];
type Set = Schemas['ChangeSet'];

/** Statuses of a change request in which its changes may be carried out. */
const READY = new Set(['approved', 'scheduled', 'in_progress']);
/** Statuses in which no approval is needed any more. */
const OVER = new Set(['completed', 'failed', 'cancelled', 'rejected']);

/** The approvals of a record, with how many people's count, and whether one of the session would. */
export type Approvals = Answer & { given: number; mayApprove: boolean };

const pathOf = (path: string, requestId: string | null | undefined): string =>
  `${requestId ? `/api/change-requests/${requestId}` : path}/approvals`;

interface ApprovingState {
  /** The missing approvals; undefined if the merge waits for nobody. */
  waits?: VNode | string;
  /** Whether the session may approve and has not done so. */
  isAsked: boolean;
}

/** The data that decide about the approval of a change set. */
export function useApproving(path: string, { changeRequestId }: Set): ApprovingState {
  const isRead = may(collectionAt('/api/change-requests'));
  const request = useGet(changeRequestId && isRead ? `/api/change-requests/${changeRequestId}` : undefined);
  const moves = useGet(changeRequestId && isRead ? `/api/change-requests/${changeRequestId}/transitions` : undefined);
  const approvals = useGet(
    !changeRequestId || isRead ? `${pathOf(path, changeRequestId)}?order=desc&pageSize=50` : undefined,
  );
  const me = currentProfile()!;
  const current = ((approvals.answer?.data ?? []) as Schemas['ChangeSetApproval'][]).filter((one) => one.isCurrent);
  const rejection = current.find(({ decision }) => decision === 'reject');
  const own = current.find(({ approver }) => approver === me.email);
  const { given: counting, mayApprove } = (approvals.answer ?? { given: 0, mayApprove: false }) as Approvals;
  const found = request.answer && typed<'ChangeRequest'>(request.answer.data);
  const isAsked = mayApprove && !own && !(found && OVER.has(found.status));
  if (rejection) return { waits: `${rejection.approver} has rejected it.`, isAsked };
  if (!changeRequestId || !found) return { isAsked };
  const open = (moves.answer?.data ?? []) as Schemas['OpenTransition'][];
  const lacking = open.find(({ approvals: { needed, given } }) => needed > given);
  const link = <Linked resource="change-requests" id={found.id} name={found.name} />;
  if (!READY.has(found.status))
    return {
      waits: (
        <>
          Waits for the change request {link}, which is {labelOf(found.status).toLowerCase()}
          {lacking?.why ? `: ${lacking.why}` : '; it has to be approved'}.
        </>
      ),
      isAsked,
    };
  if (counting === 0)
    return { waits: <>Waits for an approval of {link} by a manager who has not written it.</>, isAsked };
  return { isAsked };
}

interface ApprovingProps {
  path: string;
  set: Set;
  approving: ApprovingState;
  last: { preview?: unknown; digest: string; requestDigest?: string } | undefined;
}

/** Approves exactly the displayed state. */
export function Approving({ path, set, approving, last }: ApprovingProps) {
  const digest = set.changeRequestId ? last?.requestDigest : last?.digest;
  if (!approving.isAsked || !last?.preview || !digest || set.operationCount === 0) return null;
  const decide = async (decision: 'approve' | 'reject'): Promise<void> => {
    await send('POST', pathOf(path, set.changeRequestId), { body: { decision, digest } });
    say(`${set.name} ${decision === 'approve' ? 'approved' : 'rejected'}`);
    reloadAll();
  };
  return (
    <>
      {(['approve', 'reject'] as const).map((decision) => (
        <button
          key={decision}
          type="button"
          class={decision === 'approve' ? 'primary' : undefined}
          onClick={() => void decide(decision).catch(sayRefusal)}
        >
          {labelOf(decision)}
        </button>
      ))}
    </>
  );
}

/** The approvals so far, including those of earlier states. */
export function ApprovalList({ path, requestId }: { path: string; requestId?: string | null }) {
  const { answer } = useGet(`${pathOf(path, requestId)}?order=desc&pageSize=50`);
  const all = (answer?.data ?? []) as (Row & Schemas['ChangeSetApproval'])[];
  if (all.length === 0) return null;
  return (
    <section class="card" aria-label="Approvals">
      <h2>Approvals</h2>
      <ul class="lines">
        {all.map(({ id, approver, role, decision, comment, isCurrent, createdAt }) => (
          <Line
            key={id}
            main={<bdi>{approver}</bdi>}
            note={
              <>
                {role},{' '}
                <span class={decision === 'reject' ? 'alarm' : ''}>
                  {decision === 'reject' ? 'rejected' : 'approved'}
                </span>
                {!isCurrent && ' an earlier state'}
                {comment && (
                  <>
                    : <bdi>{comment}</bdi>
                  </>
                )}
              </>
            }
            aside={<Ago value={createdAt} />}
          />
        ))}
      </ul>
    </section>
  );
}
