/* Connecting a port in the table of its device, and taking the cable away there. */

import { useEffect } from 'preact/hooks';
import { reloadAll, send } from '../api.js';
import { collectionAt, operationOn } from '../model.js';
import { Dialog } from '../parts.js';
import { planned, queryIn, usePlanOf } from '../plan.js';
import { say, sayRefusal } from '../toasts.js';
import { undoOf } from '../undo.js';
import { CableForm } from './drawing.js';
import type { Port } from './port-columns.js';

/** What is asked of a cable that is drawn in passing. Its own form has the rest. */
const ASKED = ['type', 'color', 'label', 'lengthM'];

/** @param owner the name of the device */
export function Connecting({ port, owner, close }: { port: Port; owner: string; close: () => void }) {
  const one = { resource: 'device-ports', id: port.id, kind: port.kind!, name: `${owner} ${port.name}` };
  // What the other end is comes before it, and is nearly always a port.
  useEffect(() => document.querySelector<HTMLElement>('.connecting [role=combobox]')?.focus(), []);
  return (
    <Dialog label={`Connect ${port.name}`} close={close} className="connecting">
      <h2>
        Connect <bdi>{port.name}</bdi>
      </h2>
      <CableForm one={one} only={ASKED} cancel={close} done={close} />
      <p class="more">
        <a href={`#/cables/new?aId=${port.id}`}>All fields of a cable</a>
      </p>
    </Dialog>
  );
}

/** @param name of the port @param id of its cable */
export function Disconnect({ name, id }: { name: string; id: string }) {
  const plan = usePlanOf(operationOn(collectionAt('/api/cables')!, 'delete')!);
  const unplug = async (): Promise<void> => {
    try {
      const answer = await send('DELETE', `/api/cables/${id}${queryIn(plan)}`);
      if (plan) return planned(plan, `Disconnecting ${name}`);
      say(`${name} is disconnected`, { undo: undoOf(answer) });
      reloadAll();
    } catch (refused) {
      sayRefusal(refused);
    }
  };
  return (
    <button type="button" class="quiet" aria-label={`Disconnect ${name}`} onClick={() => void unplug()}>
      Disconnect
    </button>
  );
}
