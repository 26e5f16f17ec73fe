/* Today: what needs somebody's attention. A fixed few requests, each of one short page. */

import { queryOf, useGet } from './api.js';
import { Badge, Day, Meter, money, Reference, Time } from './format.js';
import { Entry } from './history.js';
import { html } from './html.js';
import { addressOf, collectionAt, collectionOf, currentProfile, labelOf, may } from './model.js';
import { Loaded, Title } from './parts.js';

const DAY = 86_400_000;
const SHORT = 8;
const FILLED = [
  ['prefixes', 'Prefixes nearly full'],
  ['racks', 'Racks nearly full'],
];

/** Names in the order in which people count: "Team 2" before "Team 10". */
const { compare } = new Intl.Collator('en', { numeric: true });

/** The beginning of a day of the reader, which need not be 24 hours long. @param days after today */
const midnight = (days) => {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
};

function Card({ title, address, path, children, empty }) {
  const collection = collectionAt(path?.split('?')[0]);
  const loaded = useGet(path);
  if (collection && !may(collection)) return null;
  return html`<section class="card" aria-label=${title}>
    <h2>${address ? html`<a href=${address}>${title}</a>` : title}</h2>
    <${Loaded} from=${loaded}
      >${(answer) => {
        const shown = children(answer);
        return shown.length === 0
          ? html`<p class="empty">${empty}</p>`
          : shown.length > SHORT && address
            ? html`<ul class="lines">
                  ${shown.slice(0, SHORT)}
                </ul>
                <p class="more">
                  <a href=${address}
                    >${answer.total > shown.length ? answer.total - SHORT : shown.length - SHORT} more</a
                  >
                </p>`
            : html`<ul class="lines">
                ${shown}
              </ul>`;
      }}<//
    >
  </section>`;
}

const Line = ({ main, aside, note }) =>
  html`<li>
    <span class="main">${main}</span>${note && html`<span class="note">${note}</span>`}<span class="aside"
      >${aside}</span
    >
  </li>`;
const link = (resource, { id, name }) => html`<a href=${addressOf(resource, id)}><bdi>${name}</bdi></a>`;

/** Who is on call. Somebody who is inactive covers nothing. */
const OnCall = ({ person }) => {
  const name = link('people', { id: person.id, name: person.fullName });
  return person.status === 'inactive' ? html`<span class="alarm">${name} (inactive)</span>` : name;
};

export function Today() {
  const day = { from: midnight(0).toISOString(), to: midnight(1).toISOString() };
  const now = new Date(Math.floor(Date.now() / 60_000) * 60_000);
  const fortnight = new Date(now.getTime() + 14 * DAY).toISOString();
  const windows = { during: `${day.from}/${day.to}`, sort: 'startTime', pageSize: 50 };
  const changes = { scheduledFor__gte: day.from, scheduledFor__lt: day.to, sort: 'scheduledFor', pageSize: 50 };
  const incidents = {
    resolvedAt__empty: 'true',
    status__n: ['resolved', 'closed'],
    sort: 'detectedAt',
    order: 'desc',
    pageSize: 50,
  };
  return html`<${Title} text="Today"
      ><span class="muted"
        >${new Date().toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long' })},${' '}
        <bdi>${currentProfile().email}</bdi></span
      ><//
    >
    <div class="cards">
      <${Card} title="On call" address="#/on-call" path="/api/on-call?pageSize=50" empty="There is no roster."
        >${({ data }) =>
          data
            .toSorted((a, b) => compare(a.roster, b.roster))
            .map(
              (one) =>
                html`<${Line}
                  main=${html`<bdi>${one.roster}</bdi>`}
                  note=${one.person ? html`<${OnCall} person=${one.person} />` : html`<span class="alarm">Nobody</span>`}
                  aside=${one.endTime ? html`until <${Time} value=${one.endTime} />` : ''}
                />`,
            )}<//
      >
      <${Card}
        title="Open incidents"
        address=${`#/incidents${queryOf({ ...incidents, pageSize: undefined })}`}
        path=${`/api/incidents${queryOf(incidents)}`}
        empty="No incident is open."
        >${({ data }) =>
          data.map(
            (one) =>
              html`<${Line}
                main=${link('incidents', one)}
                note=${html`${one.severity && html`<${Badge} value=${one.severity} />`} ${one.status && html`<${Badge} value=${one.status} />`}`}
                aside=${one.detectedAt && html`<${Time} value=${one.detectedAt} />`}
              />`,
          )}<//
      >
      <${Card}
        title="Maintenance windows of today"
        address=${`#/maintenance-windows${queryOf({ ...windows, pageSize: undefined })}`}
        path=${`/api/maintenance-windows${queryOf(windows)}`}
        empty="None today."
        >${({ data }) =>
          data.map(
            (one, index) =>
              html`<${Line}
                main=${link('maintenance-windows', one)}
                note=${html`<${Badge} value=${one.status} />${index < SHORT && html` <${Conflicts} path=${`/maintenance-windows/${one.id}`} />`}`}
                aside=${one.startTime && html`<${Time} value=${one.startTime} />`}
              />`,
          )}<//
      >
      <${Card}
        title="Changes of today"
        address=${`#/change-requests${queryOf({ ...changes, pageSize: undefined })}`}
        path=${`/api/change-requests${queryOf(changes)}`}
        empty="None today."
        >${({ data }) =>
          data.map(
            (one, index) =>
              html`<${Line}
                main=${link('change-requests', one)}
                note=${html`<${Badge} value=${one.risk} /> <${Badge} value=${one.status} />${index < SHORT && html` <${Conflicts} path=${`/change-requests/${one.id}`} />`}`}
                aside=${html`<${Time} value=${one.scheduledFor} />`}
              />`,
          )}<//
      >
      <${Card}
        title="Nobody on call, next two weeks"
        address=${`#/on-call/gaps${queryOf({ to: fortnight })}`}
        path=${`/api/on-call/gaps${queryOf({ from: now.toISOString(), to: fortnight, pageSize: 50 })}`}
        empty="Every hour is covered."
        >${({ data }) =>
          data.map(
            (one) =>
              html`<${Line}
                main=${html`<bdi>${one.roster}</bdi>`}
                note=${labelOf(one.reason)}
                aside=${html`<${Time} value=${one.startTime} /> – <${Time} value=${one.endTime} />`}
              />`,
          )}<//
      >
      <${Card}
        title="Expires or is due within 30 days"
        address="#/expirations?within=30"
        path="/api/expirations?within=30&pageSize=50"
        empty="Nothing is due."
        >${({ data }) =>
          data.map(
            (one) =>
              html`<${Line}
                main=${collectionOf(one.resource) ? link(one.resource, one) : html`<bdi>${one.name}</bdi>`}
                note=${html`${labelOf(one.kind)}${one.amount !== null ? html`, <span class="number">${money(one.amount, one.currency)}</span>` : ''}`}
                aside=${html`<span class=${one.daysLeft < 0 ? 'alarm' : ''}><${Day} value=${one.date} /></span>`}
              />`,
          )}<//
      >
      ${FILLED.map(
        ([resource, title]) =>
          html`<${Card}
            title=${title}
            address=${`#/utilisation?resource=${resource}`}
            path=${`/api/utilisation?resource=${resource}&pageSize=50`}
            empty="None is."
            >${({ data }) =>
              data.map(
                (one) =>
                  html`<${Line}
                    main=${link(resource, one)}
                    note=${html`${one.size - one.used} free${one.vrfId && html`<span>·</span><${Reference} resource="vrfs" id=${one.vrfId} />`}${one.siteId && html`<span>·</span><${Reference} resource="sites" id=${one.siteId} />`}`}
                    aside=${html`<${Meter} value=${one.utilisation} />`}
                  />`,
              )}<//
          >`,
      )}
      <${Card}
        title="Last changes"
        address="#/change-log?order=desc"
        path="/api/change-log?sort=createdAt&order=desc&pageSize=8"
        empty="Nothing was changed yet."
        >${({ data }) =>
          data.map(
            (entry) =>
              html`<${Entry} key=${entry.id} entry=${entry} collection=${collectionOf(entry.resource)} isNamed />`,
          )}<//
      >
    </div>`;
}

/** The number of conflicts of a window or change; a link to them, if there are any. */
function Conflicts({ path }) {
  const { answer } = useGet(`/api${path}/conflicts?pageSize=1`);
  return answer?.total > 0
    ? html`<a class="alarm" href=${`#${path}?tab=conflicts`}
        >${answer.total} ${answer.total === 1 ? 'conflict' : 'conflicts'}</a
      >`
    : null;
}
