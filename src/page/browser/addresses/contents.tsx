/* The contents of a prefix: its utilisation, its next free addresses, and its recorded addresses. */

import { useGet } from '../api.js';
import { Meter } from '../format.js';
import { collectionAt, may, typed } from '../model.js';
import { Short } from '../parts-of.js';
import { Loaded } from '../parts.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { PanelProps } from '../types.js';
import { carvedFrom } from './space.js';

type Schemas = components['schemas'];

const OFFERED = 12;

export function FreeAddresses({ path, collection, record }: PanelProps) {
  const prefix = typed<'Prefix'>(record);
  const free = useGet(`${path}/available-ips?pageSize=${OFFERED}`);
  const mayAllocate = may(collection.operations.find(({ id }) => id === 'allocateIps'));
  if (prefix.status === 'container') return <Carved path={path} prefix={prefix} />;
  return (
    <section class="card" aria-label="Free addresses">
      <h2>
        Free addresses
        {prefix.utilisation !== null && (
          <span class="end">
            <Meter value={prefix.utilisation} />
          </span>
        )}
      </h2>
      <Loaded from={free}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="muted">None is free.</p>
          ) : (
            <p class="chips">
              {(data as Schemas['AvailableIp'][]).map(({ address }) =>
                mayAllocate ? (
                  <a
                    key={address}
                    class="chip"
                    href={`#${path.slice(4)}/do/allocateIps?address=${encodeURIComponent(address)}`}
                  >
                    {address.split('/')[0]}
                  </a>
                ) : (
                  <span key={address} class="chip">
                    {address.split('/')[0]}
                  </span>
                ),
              )}
            </p>
          )
        }
      </Loaded>
    </section>
  );
}

/** The page size of children; the largest of the service. */
const MOST = 10_000;

/** What a container has given to the prefixes in it. They are direct children, so no address counts twice. */
function Carved({ path, prefix }: { path: string; prefix: Schemas['Prefix'] }) {
  const children = useGet(`${path}/children?pageSize=${MOST}`);
  return (
    <section class="card" aria-label="Carved from it">
      <h2>Carved from it</h2>
      <Loaded from={children}>
        {({ data, total }) =>
          data.length === 0 ? (
            <p class="muted">Nothing yet: no prefix lies in it.</p>
          ) : (
            <>
              {/* The share of a part of them would be too small. */}
              {total === data.length && <Meter value={carvedFrom(prefix, data as Schemas['Prefix'][])} />}
              <p class="muted">{total === 1 ? 'One prefix lies' : `${total} prefixes lie`} directly in it.</p>
            </>
          )
        }
      </Loaded>
    </section>
  );
}

const COLUMNS = ['address', 'status', 'deviceId', 'dnsName'];

export function Addresses({ record }: PanelProps) {
  const { prefix, vrfId } = typed<'Prefix'>(record);
  const list = collectionAt('/api/ip-addresses');
  if (!list) return null;
  const within: Record<string, string> = { within: prefix, ...(vrfId ? { vrfId } : { vrfId__empty: 'true' }) };
  return (
    <Short
      title="Addresses"
      columns={COLUMNS}
      from={list.path}
      filters={within}
      all={`#/ip-addresses?${new URLSearchParams(within).toString()}`}
      list={list}
    />
  );
}
