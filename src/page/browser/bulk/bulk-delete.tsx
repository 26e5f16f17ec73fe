/* Deleting all ticked rows in one request, once it is said what refers to them. */

import { useEffect, useState } from 'preact/hooks';
import { get, reloadAll, send, useKey } from '../api.js';
import { Icon } from '../icon.js';
import { below } from '../model.js';
import { Dialog, Loading } from '../parts.js';
import { planned, queryIn, usePlanOfMany } from '../plan.js';
import { ReferenceCounts, summed } from '../references.js';
import { Frame, useTask } from '../task.js';
import { say } from '../toasts.js';
import type { Fault, Row, SelectionProps } from '../types.js';
import { undoOf } from '../undo.js';

/** Records whose references are read; each takes a request. */
const MOST = 50;

export function BulkDelete(props: SelectionProps) {
  const [isOpen, setOpen] = useState(false);
  const count = `${props.rows.length} ${props.rows.length === 1 ? 'record' : 'records'}`;
  return (
    <>
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        <Icon name="trash" />
        Delete
      </button>
      {isOpen && (
        <Dialog label={`Delete ${count}`} close={() => setOpen(false)}>
          <h2>Delete {count}?</h2>
          <Deleting {...props} count={count} close={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

function Deleting({ collection, rows, clear, close, count }: SelectionProps & { close: () => void; count: string }) {
  const [references, setReferences] = useState<Row[]>();
  const plan = usePlanOfMany(collection);
  const keyOf = useKey();
  const isCounted = below(collection).references;
  const doing = useTask(async () => {
    const body = { operations: rows.map(({ id }) => ({ op: 'delete', id })) };
    const answer = await send('POST', `${collection.path}/bulk${queryIn(plan)}`, { body, headers: keyOf(body) });
    clear();
    close();
    if (plan) return planned(plan, `Deleting ${count}`);
    say(`${count} deleted`, { undo: undoOf(answer) });
    reloadAll();
  });
  const ids = rows.slice(0, MOST).map(({ id }) => id as string);
  useEffect(() => {
    if (!isCounted) return undefined;
    const controller = new AbortController();
    const read = (id: string) => get(`${collection.path}/${id}/references?pageSize=50`, controller.signal);
    Promise.all(ids.map(read)).then(
      (answers) => setReferences(summed(answers.flatMap(({ data }) => data as Row[]))),
      (refused: Fault) => controller.signal.aborted || doing.refuse(refused),
    );
    return () => controller.abort();
  }, []);
  return (
    <Frame
      doing={doing}
      className="bulk"
      label={plan ? 'Plan the deletion' : `Delete ${count}`}
      cancel={close}
      isPlanned={plan !== undefined}
    >
      {isCounted && (references ? <ReferenceCounts rows={references} ids={ids} /> : <Loading />)}
      {rows.length > MOST && <p class="muted">Only what refers to the first {MOST} is counted.</p>}
    </Frame>
  );
}
