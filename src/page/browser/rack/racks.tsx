/* Racks of a location side by side, in the order of their names. */

import type { components } from '../../../../sdk/typescript/schema.js';
import { queryOf, useGet } from '../api.js';
import { Loaded, Title } from '../parts.js';
import { ReferenceInput } from '../reference-input.js';
import { addressWith, changed, go } from '../route.js';
import { Steps } from '../table.js';
import type { Row, Values } from '../types.js';
import { RackFace } from './elevation.js';
import { UNCOLOURED } from './face.js';
import { useKnown, type KnownDevices } from './known.js';

const RACKS = 12;

export function Racks({ query }: { query: URLSearchParams }) {
  const set = (values: Values): void =>
    go(addressWith('/pictures/racks', changed(query, { page: undefined, ...values })));
  const asked = {
    siteId: query.get('siteId'),
    locationId: query.get('locationId'),
    page: query.get('page') ?? 1,
    sort: 'name',
    pageSize: RACKS,
  };
  const racks = useGet(`/api/racks${queryOf(asked)}`);
  const face = query.get('face') ?? 'front';
  const known = useKnown((racks.answer?.data ?? []).map(({ id }: Row) => id));
  return (
    <>
      <Title text="Racks side by side" />
      <div class="bar">
        <ReferenceInput
          label="Site"
          resource="sites"
          value={query.get('siteId')}
          set={(siteId) => set({ siteId: siteId ?? '' })}
        />
        <ReferenceInput
          label="Location"
          resource="locations"
          value={query.get('locationId')}
          set={(locationId) => set({ locationId: locationId ?? '' })}
        />
        <div class="control">
          <label for="face">Face</label>
          <select id="face" value={face} onChange={({ currentTarget: target }) => set({ face: target.value })}>
            <option value="front">Front</option>
            <option value="rear">Rear</option>
          </select>
        </div>
      </div>
      <Loaded from={racks}>
        {({ data, page, hasMore, total }) => (
          <>
            {data.length === 0 && <p class="empty">There is no rack here.</p>}
            <Legend known={known} />
            <div class="row-of-racks">
              {data.map((rack: Row) => (
                <figure key={rack.id}>
                  <figcaption>
                    <a href={`#/racks/${rack.id}`}>
                      <bdi>{rack.name}</bdi>
                    </a>
                  </figcaption>
                  <RackFace rack={rack as components['schemas']['Rack']} face={face} known={known} />
                </figure>
              ))}
            </div>
            {total > RACKS && (
              <nav class="pages" aria-label="Pages">
                <Steps page={page} hasMore={hasMore} set={(next) => set({ page: next })} />
              </nav>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

/** The roles of the devices that are drawn, with their colours. */
function Legend({ known }: { known: KnownDevices }) {
  const ids = [...new Set([...known.values()].flatMap(({ deviceRoleId }) => deviceRoleId ?? []))];
  const roles = useGet(
    ids.length > 0 ? `/api/device-roles${queryOf({ id: ids, sort: 'name', pageSize: 50 })}` : undefined,
  );
  if (!roles.answer) return null;
  return (
    <ul class="legend" aria-label="Roles">
      {(roles.answer.data as components['schemas']['DeviceRole'][]).map(({ id, name, color }) => (
        <li key={id}>
          <span class="swatch" style={{ background: color ?? UNCOLOURED }} />
          <bdi>{name}</bdi>
        </li>
      ))}
    </ul>
  );
}
