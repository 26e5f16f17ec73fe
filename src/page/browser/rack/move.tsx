/* Moving the ticked devices into a rack. Each gets the next free position that fits, unless the user chooses another one. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import { reloadAll, send, useKey } from '../api.js';
import { Icon } from '../icon.js';
import { Dialog } from '../parts.js';
import { planned, queryIn, usePlanOfMany } from '../plan.js';
import { PlannedIn } from '../planned-records.js';
import { ReferenceInput } from '../reference-input.js';
import { Frame, useTask } from '../task.js';
import { say } from '../toasts.js';
import { undoOf } from '../undo.js';
import type { Fault, SelectionProps } from '../types.js';
import { placesIn } from './places.js';

export function MoveToRack(props: SelectionProps) {
  const [isOpen, setOpen] = useState(false);
  const count = `${props.rows.length} ${props.rows.length === 1 ? 'device' : 'devices'}`;
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        <Icon name="server-stack" />
        Move to a rack
      </button>
      {isOpen && (
        <Dialog label={`Move ${count}`} close={() => setOpen(false)}>
          <h2>Move {count} to a rack</h2>
          <Moving {...props} count={count} close={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

function Moving({ collection, rows, clear, close, count }: SelectionProps & { close: () => void; count: string }) {
  const [rackId, setRack] = useState<string | null>(null);
  const [places, setPlaces] = useState<ReadonlyMap<string, number>>();
  const plan = usePlanOfMany(collection);
  const keyOf = useKey();
  const moved = useMemo(() => [...rows], []);
  const doing = useTask(async () => {
    const operations = moved.map(({ id }) => ({
      op: 'update',
      id,
      data: { rackId, rackPosition: places!.get(id) ?? null },
    }));
    const answer = await send('POST', `${collection.path}/bulk${queryIn(plan)}`, {
      body: { operations },
      headers: keyOf(operations),
    });
    clear();
    close();
    if (plan) return planned(plan, `The move of ${count}`);
    say(`${count} moved`, { undo: undoOf(answer) });
    reloadAll();
  });
  useEffect(() => {
    setPlaces(undefined);
    doing.refuse(undefined);
    if (!rackId) return undefined;
    let isShown = true;
    placesIn(plan, rackId, moved).then(
      (found) => isShown && setPlaces(found),
      (refused: Fault) => isShown && doing.refuse(refused),
    );
    return () => {
      isShown = false;
    };
  }, [rackId]);
  return (
    <Frame
      doing={doing}
      className="bulk"
      label={plan ? 'Plan' : 'Move'}
      cancel={close}
      isReady={places !== undefined}
      isPlanned={plan !== undefined}
    >
      <PlannedIn.Provider value={plan}>
        <ReferenceInput label="Rack" resource="racks" value={rackId} set={setRack} />
      </PlannedIn.Provider>
      {places && (
        <div class="inputs">
          {moved.map(({ id, name }) => (
            <div class="control" key={id}>
              <label for={`place-${id}`}>
                <bdi>{name}</bdi>, unit
              </label>
              <input
                id={`place-${id}`}
                type="number"
                min="1"
                step="0.5"
                placeholder="No free place fits"
                value={places.get(id) ?? ''}
                onInput={({ currentTarget: { value } }) => {
                  const next = new Map(places);
                  if (value === '') next.delete(id);
                  else next.set(id, Number(value));
                  setPlaces(next);
                }}
              />
            </div>
          ))}
        </div>
      )}
    </Frame>
  );
}
