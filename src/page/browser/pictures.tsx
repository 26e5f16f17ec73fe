/* Pictures of more than one record. The service draws them; the tree of prefixes is a list. */

import type { Row, Values } from './types.js';
import { useState } from 'preact/hooks';
import { queryOf, useGet } from './api.js';
import { Meter } from './format.js';
import { collectionAt, may } from './model.js';
import { Loaded, Title } from './parts.js';
import { ReferenceInput } from './reference-input.js';
import { addressWith, changed, go } from './route.js';

const RACKS = 12;
const BRANCHES = 50;

/** Racks of a location side by side, in the order of their names. */
function Racks({ query }: { query: URLSearchParams }) {
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
            <div class="row-of-racks" tabindex={0} role="region" aria-label="Racks">
              {data.map((rack: Row) => (
                <figure key={rack.id}>
                  <a href={`#/racks/${rack.id}`}>
                    <img
                      loading="lazy"
                      alt={`Rack ${rack.name}`}
                      src={`/api/racks/${rack.id}/elevation?format=svg&face=${face}`}
                    />
                  </a>
                  <figcaption>
                    <a href={`#/racks/${rack.id}`}>
                      <bdi>{rack.name}</bdi>
                    </a>
                  </figcaption>
                </figure>
              ))}
            </div>
            {total > RACKS && (
              <nav class="pages" aria-label="Pages">
                <button type="button" disabled={page === 1} onClick={() => set({ page: page - 1 })}>
                  Previous
                </button>
                <button type="button" disabled={!hasMore} onClick={() => set({ page: page + 1 })}>
                  Next
                </button>
              </nav>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

const Drawn = ({ title, src, list }: { title: string; src: string; list: string }) => (
  <>
    <Title text={title}>
      <span class="tools">
        <a href={list}>As a list</a>
      </span>
    </Title>
    <div class="drawn" tabindex={0} role="region" aria-label={title}>
      <a href={src} target="_blank" rel="noopener">
        <img src={src} alt={`${title} as a picture`} />
      </a>
    </div>
  </>
);

const Timeline = () => <Drawn title="On-call timeline" src="/api/on-call/shifts?format=svg" list="#/on-call/shifts" />;
const Year = () => (
  <Drawn title="A year of expirations" src="/api/expirations?format=svg&within=365" list="#/expirations?within=365" />
);

function Prefixes() {
  const top = useGet(`/api/prefixes${queryOf({ pageSize: BRANCHES, sort: 'prefix', expand: 'vrf' })}`);
  return (
    <>
      <Title text="Prefixes and how full they are" />
      <Loaded from={top}>
        {({ data, total }) => {
          // Those whose parent is on the same page are found below it.
          const shown = new Set(data.map(({ id }: Row) => id));
          const roots = data.filter(({ parentId }: Row) => parentId === null || !shown.has(parentId));
          return (
            <>
              <ul class="tree">
                {roots.map((prefix: Row) => (
                  <Branch key={prefix.id} prefix={prefix} />
                ))}
              </ul>
              {roots.length === 0 && <p class="empty">There is no prefix yet.</p>}
              {total > data.length && (
                <p>
                  <a href="#/prefixes?sort=prefix">All {total} prefixes</a>
                </p>
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function Branch({ prefix }: { prefix: Row }) {
  const [isOpen, setOpen] = useState(false);
  const children = useGet(isOpen ? `/api/prefixes/${prefix.id}/children?pageSize=${BRANCHES}` : undefined);
  return (
    <li>
      <div class="line">
        <button
          type="button"
          class="quiet"
          aria-expanded={isOpen}
          aria-label={`Children of ${prefix.prefix}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? '▾' : '▸'}
        </button>
        <a href={`#/prefixes/${prefix.id}`}>
          <bdi>{prefix.prefix}</bdi>
        </a>
        {prefix.vrf && (
          <span class="badge">
            <bdi>{prefix.vrf.name}</bdi>
          </span>
        )}
        <span class="muted">
          <bdi>{prefix.description ?? prefix.role ?? ''}</bdi>
        </span>
        <Meter value={prefix.utilisation} />
      </div>
      {isOpen && (
        <Loaded from={children}>
          {({ data, total }) => (
            <ul>
              {data.map((child: Row) => (
                <Branch key={child.id} prefix={child} />
              ))}
              {data.length === 0 && <li class="muted">No prefix within it</li>}
              {total > data.length && (
                <li>
                  <a href={`#/prefixes/${prefix.id}?tab=children`}>All {total}</a>
                </li>
              )}
            </ul>
          )}
        </Loaded>
      )}
    </li>
  );
}

const readable = (path: string) => (): boolean => {
  const collection = collectionAt(path);
  return collection !== undefined && may(collection);
};

export const PICTURES = [
  { path: '/pictures/racks', label: 'Racks side by side', view: Racks, isShown: readable('/api/racks') },
  { path: '/pictures/on-call', label: 'On-call timeline', view: Timeline, isShown: readable('/api/on-call/shifts') },
  { path: '/pictures/expirations', label: 'Year of expirations', view: Year, isShown: readable('/api/expirations') },
  { path: '/pictures/prefixes', label: 'Prefix tree', view: Prefixes, isShown: readable('/api/prefixes') },
];
