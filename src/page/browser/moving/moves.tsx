/* The open transitions of a record, as buttons, and its approval. */

import { reloadAll, send, useGet } from '../api.js';
import { labelOfValue } from '../../../fields/labels.js';
import { may, nameOf, operationOn } from '../model.js';
import { Decision } from '../planning/decision.js';
import { say, sayRefusal } from '../toasts.js';
import { write, writes } from '../writing.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { Answer, PanelProps } from '../types.js';

type Open = components['schemas']['OpenTransition'];

/** Without defined transitions, a change is decided by its status. A button shows what its transition lacks. */
export function Moves(props: PanelProps) {
  const { path, collection, record } = props;
  const answer = useGet(`${path}/transitions`).answer as (Answer & { digest: string }) | undefined;
  const open: readonly Open[] = answer?.data ?? [];
  if (!answer || !may(operationOn(collection, 'patch'))) return null;
  if (open.length === 0) return collection.path.endsWith('/change-requests') ? <Decision {...props} /> : null;
  const tried = (work: Promise<unknown>): void => void work.catch(sayRefusal);
  const approve = async (): Promise<void> => {
    const body = { decision: 'approve', digest: answer.digest };
    await send('POST', `${path}/approvals`, { body });
    say(`${nameOf(collection, record)} approved`);
    reloadAll();
  };
  const lacking = open.find(({ approvals }) => approvals.needed > 0);
  return (
    <>
      {lacking && (
        <button
          type="button"
          title={`${labelOfValue(lacking.to)}: ${lacking.why ?? ''}`}
          onClick={() => tried(approve())}
        >
          Approve
        </button>
      )}
      {open.map(({ field, to, allowed, why }) => (
        <button
          type="button"
          disabled={!allowed}
          title={why ?? ''}
          onClick={() => tried(write(path, writes(collection, { [field]: to })!, labelOfValue(to), record.updatedAt))}
        >
          {labelOfValue(to)}
        </button>
      ))}
    </>
  );
}
