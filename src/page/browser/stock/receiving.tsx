/* Receiving the lines of an order that become stock. */

import { useMemo, useState } from 'preact/hooks';
import { reloadAll, send, useKey } from '../api.js';
import { defaultsOf } from '../form.js';
import { labelOf } from '../model.js';
import { ownBody, ownFieldsOf, OwnInputs } from '../own-inputs.js';
import { crumbsOf } from '../record.js';
import { ReferenceInput } from '../reference-input.js';
import { go } from '../route.js';
import { Frame, useTask } from '../task.js';
import { say } from '../toasts.js';
import { undoOf } from '../undo.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { Fault, TaskProps } from '../types.js';

type Schemas = components['schemas'];

export function ReceivingStock({ path, collection, record }: TaskProps) {
  const order = record as Schemas['PurchaseOrder'];
  const open = useMemo(
    () => order.items.filter(({ quantityRemaining, stockItemId }) => quantityRemaining > 0 && stockItemId),
    [],
  );
  const [units, setUnits] = useState<Record<string, number>>(() =>
    Object.fromEntries(open.map(({ id, quantityRemaining }) => [id, quantityRemaining])),
  );
  const [locationId, setLocation] = useState<string | null>(null);
  const fields = useMemo(() => ownFieldsOf('ReceiveStock'), []);
  const [own, setOwn] = useState(() => defaultsOf(fields));
  const keyOf = useKey();
  const back = `#${path.slice(4)}`;
  const total = Object.values(units).reduce((sum, one) => sum + one, 0);
  const sent = open.filter(({ id }) => units[id]! > 0);
  const doing = useTask(
    async () => {
      const items = sent.map(({ id }) => ({ itemId: id, quantity: units[id], ...(locationId && { locationId }) }));
      const body = { items, ...ownBody(fields, own) };
      const answer = await send('POST', `${path}/receive-stock`, { body, headers: keyOf(body) });
      say(`${total} received into stock`, { address: back, undo: undoOf(answer) });
      go(back);
      reloadAll();
    },
    { named: (refused) => named(refused, sent) },
  );
  return (
    <Frame
      doing={doing}
      title={`Receive ${order.orderNumber} into stock`}
      crumbs={[...crumbsOf(collection, path), [order.orderNumber, back]]}
      label={`Receive ${total}`}
      cancel={back}
      isReady={total > 0}
    >
      {open.length === 0 && <p class="empty">Everything is received.</p>}
      <section class="section">
        <div class="inputs">
          {open.map(({ id, name, quantityRemaining }) => (
            <div key={id} class="control">
              <label for={`units-${id}`}>
                <bdi>{name}</bdi>
              </label>
              <span class="line">
                <input
                  id={`units-${id}`}
                  class="short"
                  type="number"
                  min={0}
                  max={quantityRemaining}
                  value={units[id]}
                  onInput={({ currentTarget: { value } }) => {
                    const count = Number(value);
                    if (value !== '' && Number.isInteger(count) && count >= 0 && count <= quantityRemaining)
                      setUnits({ ...units, [id]: count });
                  }}
                />
                <span class="muted">of {quantityRemaining} that are missing</span>
              </span>
            </div>
          ))}
          <ReferenceInput
            label="Put at, if not where the order goes to"
            resource="locations"
            value={locationId}
            set={setLocation}
          />
        </div>
      </section>
      <OwnInputs title="Custom fields of the receipt" fields={fields} values={own} set={setOwn} error={doing.error} />
    </Frame>
  );
}

/** Faults by the lines that people see, in place of the paths of the body. */
const named = ({ message: why, details }: Fault, sent: readonly Schemas['PurchaseOrderItem'][]): Fault => ({
  message: why,
  details: details?.map(({ field, message }) => {
    const [, at, property] = /^items\[(\d+)\]\.?(\w*)/.exec(field) ?? [];
    const line = sent[Number(at)]?.name;
    return { field: line === undefined ? labelOf(field) : [line, labelOf(property ?? '')].join(' '), message };
  }),
});
