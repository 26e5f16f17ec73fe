/* Assigning the next free address of a prefix, or a chosen one, to a port. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import { useKey, reloadAll, send, useGet } from '../api.js';
import { defaultsOf } from '../form.js';
import { labelOf } from '../model.js';
import { ownBody, ownFieldAt, ownFieldsOf, OwnInputs } from '../own-inputs.js';
import { crumbsOf } from '../record.js';
import { ReferenceInput } from '../reference-input.js';
import { go } from '../route.js';
import { Frame, TextInput, useTask } from '../task.js';
import { say } from '../toasts.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { Fault, Field, TaskProps } from '../types.js';

type Schemas = components['schemas'];

const NEXT = '';
const OFFERED = 50;

export function Allocating({ path, collection, record, query }: TaskProps) {
  const prefix = record as Schemas['Prefix'];
  const free = useGet(`${path}/available-ips?pageSize=${OFFERED}`);
  const [address, setAddress] = useState(query.get('address') ?? NEXT);
  const [deviceId, setDevice] = useState<string | null>(query.get('deviceId'));
  const [interfaceId, setPort] = useState<string | null>(null);
  const [dnsName, setName] = useState('');
  const fields = useMemo(() => ownFieldsOf('AllocatedIp'), []);
  const [own, setOwn] = useState(() => defaultsOf(fields));
  const keyOf = useKey();
  const back = `#${path.slice(4)}`;
  // After the device, the focus moves to the port.
  useEffect(() => document.getElementById(deviceId ? 'allocated-port' : 'allocated-device')?.focus(), [deviceId]);
  const all = (free.answer?.data ?? []) as Schemas['AvailableIp'][];
  const doing = useTask(
    async () => {
      const bound = interfaceId ? { interfaceId } : deviceId ? { deviceId } : {};
      const given = { ...bound, ...(dnsName.trim() && { dnsName: dnsName.trim() }), ...ownBody(fields, own) };
      const headers = keyOf(address, given);
      // The service selects the next one, so that two people never get the same.
      const made =
        address === NEXT
          ? (await send('POST', `${path}/available-ips`, { body: { addresses: [given] }, headers })).data[0]
          : (await send('POST', '/api/ip-addresses', { body: { ...given, address, vrfId: prefix.vrfId }, headers }))
              .data;
      say(`${made.address} allocated`, {
        address: `#/ip-addresses/${made.id}`,
        undo: async () => {
          await send('DELETE', `/api/ip-addresses/${made.id}`);
          reloadAll();
        },
      });
      go(back);
      reloadAll();
    },
    { named: (refused) => named(refused, fields) },
  );
  return (
    <Frame
      doing={doing}
      title={`Allocate an address of ${prefix.prefix}`}
      crumbs={[...crumbsOf(collection, path), [prefix.prefix, back]]}
      label="Allocate"
      cancel={back}
    >
      <section class="section">
        <div class="inputs">
          <ReferenceInput
            label="Device"
            resource="devices"
            fieldId="allocated-device"
            value={deviceId}
            set={(id) => {
              setDevice(id);
              setPort(null);
            }}
          />
          {deviceId && (
            <ReferenceInput
              key={deviceId}
              label="Port"
              resource="device-ports"
              fieldId="allocated-port"
              path={`/api/devices/${deviceId}/ports`}
              value={interfaceId}
              set={setPort}
            />
          )}
          <div class="control">
            <label for="allocated-address">Address</label>
            <select
              id="allocated-address"
              value={address}
              onChange={({ currentTarget: { value } }) => setAddress(value)}
            >
              <option value={NEXT}>{all[0] ? `The next free one, ${all[0].address}` : 'The next free one'}</option>
              {address !== NEXT && !all.some((one) => one.address === address) && (
                <option value={address}>{address}</option>
              )}
              {all.map((one) => (
                <option key={one.address} value={one.address}>
                  {one.address}
                </option>
              ))}
            </select>
          </div>
          <TextInput id="allocated-name" label="DNS name" value={dnsName} set={setName} />
        </div>
      </section>
      <OwnInputs fields={fields} values={own} set={setOwn} error={doing.error} />
    </Frame>
  );
}

/** A refusal in the words of the form, instead of the paths of the body. */
function named({ message, details }: Fault, own: Field[]): Fault {
  if (!details?.length) return { message };
  return {
    message: 'Nothing was allocated yet',
    details: details.map(({ field, message: said }) => ({
      field: labelOf(ownFieldAt(own, field) ?? field.replace(/^addresses\[0\]\./, '')),
      message: said,
    })),
  };
}
