/* Pictures of more than one record. The service draws them; the tree of prefixes is a list. */

import { useState } from './hooks.js';
import { queryOf, useGet } from './api.js';
import { Meter } from './format.js';
import { html } from './html.js';
import { collectionAt, may } from './model.js';
import { Loaded, Title } from './parts.js';
import { ReferenceInput } from './reference-input.js';
import { addressWith, changed, go } from './route.js';

const RACKS = 12;
const BRANCHES = 50;

/** Racks of a location side by side, in the order of their names. */
function Racks({ query }) {
  const set = (values) => go(addressWith('/pictures/racks', changed(query, { page: undefined, ...values })));
  const asked = {
    siteId: query.get('siteId'),
    locationId: query.get('locationId'),
    page: query.get('page') ?? 1,
    sort: 'name',
    pageSize: RACKS,
  };
  const racks = useGet(`/api/racks${queryOf(asked)}`);
  const face = query.get('face') ?? 'front';
  return html`<${Title} text="Racks side by side" />
    <div class="bar">
      <${ReferenceInput}
        label="Site"
        resource="sites"
        value=${query.get('siteId')}
        set=${(siteId) => set({ siteId: siteId ?? '' })}
      />
      <${ReferenceInput}
        label="Location"
        resource="locations"
        value=${query.get('locationId')}
        set=${(locationId) => set({ locationId: locationId ?? '' })}
      />
      <div class="control">
        <label for="face">Face</label
        ><select id="face" value=${face} onChange=${({ target }) => set({ face: target.value })}>
          <option value="front">Front</option>
          <option value="rear">Rear</option>
        </select>
      </div>
    </div>
    <${Loaded} from=${racks}
      >${({ data, page, hasMore, total }) => html`
        ${data.length === 0 && html`<p class="empty">There is no rack here.</p>`}
        <div class="row-of-racks" tabindex="0" role="region" aria-label="Racks">
          ${data.map(
            (rack) =>
              html`<figure key=${rack.id}>
                <a href=${`#/racks/${rack.id}`}
                  ><img
                    loading="lazy"
                    alt=${`Rack ${rack.name}`}
                    src=${`/api/racks/${rack.id}/elevation?format=svg&face=${face}`}
                /></a>
                <figcaption>
                  <a href=${`#/racks/${rack.id}`}><bdi>${rack.name}</bdi></a>
                </figcaption>
              </figure>`,
          )}
        </div>
        ${total > RACKS && html`<nav class="pages" aria-label="Pages"><button type="button" disabled=${page === 1} onClick=${() => set({ page: page - 1 })}>Previous</button><button type="button" disabled=${!hasMore} onClick=${() => set({ page: page + 1 })}>Next</button></nav>`}
      `}<//
    >`;
}

const Drawn = ({ title, src, list }) =>
  html`<${Title} text=${title}
      ><span class="tools"><a href=${list}>As a list</a></span><//
    >
    <div class="drawn" tabindex="0" role="region" aria-label=${title}>
      <a href=${src} target="_blank" rel="noopener"><img src=${src} alt=${`${title} as a picture`} /></a>
    </div>`;

const Timeline = () =>
  html`<${Drawn} title="On-call timeline" src="/api/on-call/shifts?format=svg" list="#/on-call/shifts" />`;
const Year = () =>
  html`<${Drawn}
    title="A year of expirations"
    src="/api/expirations?format=svg&within=365"
    list="#/expirations?within=365"
  />`;

function Prefixes() {
  const top = useGet(`/api/prefixes${queryOf({ pageSize: BRANCHES, sort: 'prefix', expand: 'vrf' })}`);
  return html`<${Title} text="Prefixes and how full they are" />
    <${Loaded} from=${top}
      >${({ data, total }) => {
        // Those whose parent is on the same page are found below it.
        const shown = new Set(data.map(({ id }) => id));
        const roots = data.filter(({ parentId }) => parentId === null || !shown.has(parentId));
        return html`<ul class="tree">
            ${roots.map((prefix) => html`<${Branch} key=${prefix.id} prefix=${prefix} />`)}
          </ul>
          ${roots.length === 0 && html`<p class="empty">There is no prefix yet.</p>`}
          ${total > data.length && html`<p><a href="#/prefixes?sort=prefix">All ${total} prefixes</a></p>`}`;
      }}<//
    >`;
}

function Branch({ prefix }) {
  const [isOpen, setOpen] = useState(false);
  const children = useGet(isOpen ? `/api/prefixes/${prefix.id}/children?pageSize=${BRANCHES}` : undefined);
  return html`<li>
    <div class="line">
      <button
        type="button"
        class="quiet"
        aria-expanded=${isOpen}
        aria-label=${`Children of ${prefix.prefix}`}
        onClick=${() => setOpen(!isOpen)}
      >
        ${isOpen ? '▾' : '▸'}
      </button>
      <a href=${`#/prefixes/${prefix.id}`}><bdi>${prefix.prefix}</bdi></a>
      ${prefix.vrf && html`<span class="badge"><bdi>${prefix.vrf.name}</bdi></span>`}
      <span class="muted"><bdi>${prefix.description ?? prefix.role ?? ''}</bdi></span
      ><${Meter} value=${prefix.utilisation} />
    </div>
    ${
      isOpen &&
      html`<${Loaded} from=${children}
        >${({ data, total }) =>
          html`<ul>
            ${data.map((child) => html`<${Branch} key=${child.id} prefix=${child} />`)}${data.length === 0 && html`<li class="muted">No prefix within it</li>`}${total > data.length && html`<li><a href=${`#/prefixes/${prefix.id}?tab=children`}>All ${total}</a></li>`}
          </ul>`}<//
      >`
    }
  </li>`;
}

const readable = (path) => () => Boolean(collectionAt(path) && may(collectionAt(path)));

export const PICTURES = [
  { path: '/pictures/racks', label: 'Racks side by side', view: Racks, isShown: readable('/api/racks') },
  { path: '/pictures/on-call', label: 'On-call timeline', view: Timeline, isShown: readable('/api/on-call/shifts') },
  { path: '/pictures/expirations', label: 'Year of expirations', view: Year, isShown: readable('/api/expirations') },
  { path: '/pictures/prefixes', label: 'Prefix tree', view: Prefixes, isShown: readable('/api/prefixes') },
];
