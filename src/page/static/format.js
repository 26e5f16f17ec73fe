/* Values as people read them. Everything that comes from a record is text. */

import { useEffect, useState } from './hooks.js';
import { get, queryOf } from './api.js';
import { html } from './html.js';
import { addressOf, collectionOf, fieldsOf, labelOf, nameOf, relationOf } from './model.js';

const shown = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const whole = new Intl.NumberFormat();

/** A time in the zone of the reader, and in UTC on hover. */
export function Time({ value }) {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return html`<bdi>${String(value)}</bdi>`;
  const utc = `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return html`<time datetime=${date.toISOString()} title=${utc}>${shown.format(date)}</time>`;
}

export const Day = ({ value }) => {
  const date = new Date(`${value}T00:00:00Z`);
  return Number.isNaN(date.getTime())
    ? html`<bdi>${String(value)}</bdi>`
    : html`<time datetime=${value}>${day.format(date)}</time>`;
};

const TONES = {
  good: 'active approved available completed confirmed connected enabled healthy ok online received resolved success up',
  bad: 'critical disposed error expired failed high lapsed lost major offline open overdue sev1 sev2 terminated',
  busy: 'detected due investigating in_progress medium minor monitoring ordered partially_received pending sev3 soon submitted',
  calm: 'assigned draft low planned reserved scheduled staged',
};
const toneOf = (word) =>
  Object.keys(TONES).find((tone) => TONES[tone].split(' ').includes(String(word).toLowerCase())) ?? 'plain';

export const Badge = ({ value }) =>
  html`<span class=${`badge ${toneOf(value)}`}><bdi>${String(value).replaceAll('_', ' ')}</bdi></span>`;

export const Nothing = () => html`<span class="nothing" title="No value">–</span>`;

export const money = (amount, currency) => {
  if (amount === null || amount === undefined) return '';
  const digits = String(amount).split('.')[1]?.length ?? 0;
  // From its text, because a number would round it.
  const text = new Intl.NumberFormat(undefined, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(String(amount));
  return `${text}${currency ? ` ${currency}` : ''}`;
};

/** Names that were asked for in the same moment are read with one request a resource. */
const names = new Map();
let waiting = new Map();
const MOST = 50;
function nameFor(resource, id) {
  const key = `${resource}/${id}`;
  if (!names.has(key)) {
    if (waiting.size === 0) setTimeout(readNames);
    names.set(key, new Promise((done) => waiting.set(resource, [...(waiting.get(resource) ?? []), { id, done }])));
  }
  return names.get(key);
}
async function readNames() {
  const asked = waiting;
  waiting = new Map();
  for (const [resource, all] of asked) {
    const collection = collectionOf(resource);
    for (let at = 0; at < all.length; at += MOST) {
      const some = all.slice(at, at + MOST);
      const path = `${collection.path}${queryOf({ id: some.map(({ id }) => id), pageSize: MOST })}`;
      const { data } = await get(path).catch(() => ({ data: [] }));
      for (const { id, done } of some) {
        const record = data.find((one) => one.id === id);
        if (!record) names.delete(`${resource}/${id}`);
        done(record && nameOf(collection, record));
      }
    }
  }
}

/** Link to a record of which only the id is known. */
export function Reference({ resource, id }) {
  const [name, setName] = useState();
  const isKnown = collectionOf(resource) && !collectionOf(resource).path.includes('{');
  useEffect(() => {
    let isShown = true;
    setName(undefined);
    if (isKnown) void nameFor(resource, id).then((found) => isShown && setName(found));
    return () => (isShown = false);
  }, [resource, id]);
  const address = addressOf(resource, id);
  const text = name ?? id.slice(0, 8);
  return address ? html`<a href=${address}><bdi>${text}</bdi></a>` : html`<bdi title=${id}>${text}</bdi>`;
}

const nameIn = ({ name, fullName }) => name ?? fullName;
const isRecord = (value) => typeof value === 'object' && value !== null && 'id' in value && nameIn(value) !== undefined;

const RecordLink = ({ value, resource }) => {
  const address = addressOf(value.resource ?? resource, value.id);
  return address
    ? html`<a href=${address}><bdi>${nameIn(value) ?? value.id}</bdi></a>`
    : html`<bdi>${nameIn(value) ?? value.id}</bdi>`;
};

/** The value of a field of a record. */
export function Value({ field, record, value = record[field.name] }) {
  const relation = field.references && record?.[relationOf(field.name)];
  if (value === null || value === undefined || value === '') return html`<${Nothing} />`;
  if (relation && isRecord(relation)) return html`<${RecordLink} value=${relation} resource=${field.references} />`;
  if (field.references && typeof value === 'string')
    return html`<${Reference} resource=${field.references} id=${value} />`;
  const resource = field.referencesBy && record?.[field.referencesBy];
  if (resource) return html`<${Reference} resource=${resource} id=${value} />`;
  if (field.day && typeof value === 'string') return html`<${Day} value=${value.slice(0, 10)} />`;
  if (field.nominal) return html`<span class="number">${String(value)}</span>`;
  if (field.format === 'date-time') return html`<${Time} value=${value} />`;
  if (field.format === 'date') return html`<${Day} value=${value} />`;
  if (field.values && typeof value === 'string') return html`<${Badge} value=${value} />`;
  if (field.known && typeof value === 'string') return html`<${Badge} value=${value} />`;
  return html`<${Plain} value=${value} type=${field.of} name=${field.name} currency=${record?.currency} />`;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** A value of which only its kind is known. */
export function Plain({ value, type, name = '', currency }) {
  if (value === null || value === undefined || value === '') return html`<${Nothing} />`;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (name === 'utilisation') return html`<${Meter} value=${value} />`;
  if (typeof value === 'number')
    return html`<span class="number">${Number.isInteger(value) ? whole.format(value) : value}</span>`;
  if (Array.isArray(value)) return html`<${Several} value=${value} type=${type} />`;
  if (isRecord(value)) return html`<${RecordLink} value=${value} resource=${value.resource ?? guessed(name)} />`;
  if (typeof value === 'object') return html`<${Properties} value=${value} type=${type} />`;
  if (TIME.test(value)) return html`<${Time} value=${value} />`;
  if (/(?:amount|price|cost)$/i.test(name) && /^-?\d+(?:\.\d+)?$/.test(value))
    return html`<span class="number">${money(value, currency)}</span>`;
  if (/^https?:\/\/\S+$/.test(value))
    return html`<a href=${value} rel="noopener noreferrer" target="_blank"><bdi>${value}</bdi></a>`;
  return html`<bdi class=${value.includes('\n') ? 'lines' : undefined}>${value}</bdi>`;
}

const guessed = (name) =>
  ({ person: 'people', currentAssignee: 'people' })[name] ?? (collectionOf(`${name}s`) && `${name}s`);

const MOST_ROWS = 200;

/** A list within a record: values in a row, objects as a table. */
function Several({ value, type }) {
  if (value.length === 0) return html`<${Nothing} />`;
  if (typeof value[0] !== 'object')
    return html`<span class="chips"
      >${value.map((one) => html`<span class="chip"><bdi>${String(one)}</bdi></span>`)}</span
    >`;
  const declared = fieldsOf(type);
  const hidden = new Set(['id', 'createdAt', 'updatedAt', 'sortOrder']);
  const keys = Object.keys(value[0]).filter((key) => !hidden.has(key));
  const fields = keys.map((key) => declared.find(({ name }) => name === key) ?? { name: key });
  const filled = fields.filter(({ name }) => value.some((one) => one[name] !== null));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table">
    <table>
      <thead>
        <tr>
          ${filled.map(({ name }) => html`<th scope="col">${labelOf(name)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${value.slice(0, MOST_ROWS).map(
          (row) =>
            html`<tr>
              ${filled.map((field) => html`<td>${field.type === undefined && isRecord(row) && field.name === 'name' ? html`<${RecordLink} value=${row} />` : html`<${Value} field=${field} record=${row} />`}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
    ${value.length > MOST_ROWS && html`<p class="muted">${value.length - MOST_ROWS} more are in the answer of the API.</p>`}
  </div>`;
}

/** An object as names and values. */
export function Properties({ value, type }) {
  const declared = fieldsOf(type);
  return html`<dl class="fields">
    ${Object.entries(value).map(([name, one]) => {
      const field = declared.find((candidate) => candidate.name === name) ?? { name };
      return html`<div>
        <dt title=${field.description}>${labelOf(name)}</dt>
        <dd><${Value} field=${field} record=${value} value=${one} /></dd>
      </div>`;
    })}
  </dl>`;
}

/** A share from 0 to 1 as a bar. */
export function Meter({ value }) {
  const share = Math.min(100, Math.max(0, 100 * Number(value)));
  return html`<span class="meter"
    ><span class="bar" aria-hidden="true"
      ><span class=${share >= 90 ? 'full' : share >= 75 ? 'high' : ''} style=${{ width: `${share}%` }}></span></span
    >${Math.round(share)} %</span
  >`;
}
