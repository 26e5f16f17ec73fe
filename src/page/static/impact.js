/* What goes down with a record: what operations has to do with it first, then what is reached, by kind. */

import { useState } from './hooks.js';
import { useGet } from './api.js';
import { Badge } from './format.js';
import { html } from './html.js';
import { addressOf, below, capital, collectionOf, labelOf } from './model.js';

const SHORT = 25;
/** Planned records of which the conflicts are counted, a request each. */
const COUNTED = 8;

export const isImpact = (data) => Boolean(data?.record && data.counts && Array.isArray(data.records));

const labelFor = (resource) => capital(collectionOf(resource)?.label ?? labelOf(resource));

const Linked = ({ resource, id, name }) => {
  const address = addressOf(resource, id);
  return address ? html`<a href=${address}><bdi>${name}</bdi></a>` : html`<bdi>${name}</bdi>`;
};

/** The first entries of a group, and all of them on demand. */
function Group({ title, total, rows, children }) {
  const [isAll, setAll] = useState(false);
  return html`<section class="card" aria-label=${title}>
    <h2>${title} <span class="count">${total}</span></h2>
    <ul class="lines">
      ${(isAll ? rows : rows.slice(0, SHORT)).map((row, index) => html`<li key=${row.id}>${children(row, index)}</li>`)}
    </ul>
    ${!isAll && rows.length > SHORT && html`<button type="button" class="quiet" onClick=${() => setAll(true)}>${rows.length - SHORT} more</button>`}
    ${(isAll || rows.length <= SHORT) && total > rows.length && html`<p class="muted">${total - rows.length} more are not named.</p>`}
  </section>`;
}

/** How many conflicts something planned has, with a link to them. */
function Conflicts({ resource, id }) {
  const collection = collectionOf(resource);
  const has = collection && below(collection).parts.some(({ path }) => path.endsWith('/conflicts'));
  const { answer } = useGet(has ? `${collection.path}/${id}/conflicts?pageSize=1` : undefined);
  return answer?.total > 0
    ? html`<a class="alarm" href=${`${addressOf(resource, id)}?tab=conflicts`}
        >${answer.total} ${answer.total === 1 ? 'conflict' : 'conflicts'}</a
      >`
    : null;
}

export function Impact({ data }) {
  const planned = Object.entries(data).filter(([name, value]) => name !== 'records' && Array.isArray(value));
  const kinds = Object.entries(data.counts);
  return html`<div class="impact">
    <div class="beside">
      ${planned.map(
        ([name, rows]) =>
          rows.length > 0 &&
          html`<${Group} title=${labelOf(name)} total=${rows.length} rows=${rows}
            >${(row, index) => html`<span class="main"><${Linked} ...${row} /></span><span class="aside">${index < COUNTED && html`<${Conflicts} ...${row} />`}</span>`}<//
          >`,
      )}
      ${planned.length > 0 && planned.every(([, rows]) => rows.length === 0) && html`<p class="empty">No incident, window or change concerns it.</p>`}
    </div>
    <div class="reached">
      ${kinds.length === 0 && html`<p class="empty">Nothing goes down with it.</p>`}
      ${kinds.map(
        ([resource, total]) =>
          html`<${Group}
            key=${resource}
            title=${labelFor(resource)}
            total=${total}
            rows=${data.records.filter((row) => row.resource === resource)}
            >${(row) => html`<span class="main"><${Linked} ...${row} /></span><span class="aside">${row.effect && row.effect !== 'down' && html`<${Badge} value=${row.effect} />`}</span>${row.via && row.via.id !== data.record.id && html`<span class="note">with <${Linked} ...${row.via} /></span>`}`}<//
          >`,
      )}
    </div>
  </div>`;
}
