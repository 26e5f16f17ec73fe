/* Today: what needs somebody's attention. A fixed few requests, each of one short page. */

import type { ComponentChildren, VNode } from 'preact';
import type { components } from '../../../sdk/typescript/schema.js';
import type { Row } from './types.js';
import { queryOf, useGet } from './api.js';
import { Badge, Day, Meter, money, Reference, Time } from './format.js';
import { Entry } from './history.js';
import { addressOf, collectionAt, collectionOf, currentProfile, labelOf, may } from './model.js';
import { Loaded, Title } from './parts.js';

type Schemas = components['schemas'];

const DAY = 86_400_000;
const SHORT = 8;
const FILLED = [
  ['prefixes', 'Prefixes nearly full'],
  ['racks', 'Racks nearly full'],
];

/** Names in the order in which people count: "Team 2" before "Team 10". */
const { compare } = new Intl.Collator('en', { numeric: true });

/** The beginning of a day of the reader, which need not be 24 hours long. @param days after today */
const midnight = (days: number): Date => {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
};

function Card<T>({
  title,
  address,
  path,
  children,
  empty,
}: {
  title: string;
  address?: string;
  path: string;
  children: (answer: T) => VNode[];
  empty: ComponentChildren;
}) {
  const collection = collectionAt(path.split('?')[0]!);
  const loaded = useGet(path);
  if (collection && !may(collection)) return null;
  return (
    <section class="card" aria-label={title}>
      <h2>{address ? <a href={address}>{title}</a> : title}</h2>
      <Loaded from={loaded}>
        {(answer) => {
          const shown = children(answer as T);
          return shown.length === 0 ? (
            <p class="empty">{empty}</p>
          ) : shown.length > SHORT && address ? (
            <>
              <ul class="lines">{shown.slice(0, SHORT)}</ul>
              <p class="more">
                <a href={address}>{answer.total > shown.length ? answer.total - SHORT : shown.length - SHORT} more</a>
              </p>
            </>
          ) : (
            <ul class="lines">{shown}</ul>
          );
        }}
      </Loaded>
    </section>
  );
}

const Line = ({
  main,
  aside,
  note,
}: {
  main: ComponentChildren;
  aside: ComponentChildren;
  note?: ComponentChildren;
}) => (
  <li>
    <span class="main">{main}</span>
    {note && <span class="note">{note}</span>}
    <span class="aside">{aside}</span>
  </li>
);
const link = (resource: string, { id, name }: { id: string; name: string }) => (
  <a href={addressOf(resource, id)}>
    <bdi>{name}</bdi>
  </a>
);

/** Who is on call. Somebody who is inactive covers nothing. */
const OnCall = ({ person }: { person: Row }) => {
  const name = link('people', { id: person.id, name: person.fullName });
  return person.status === 'inactive' ? <span class="alarm">{name} (inactive)</span> : name;
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
  return (
    <>
      <Title text="Today">
        <span class="muted">
          {new Date().toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long' })},{' '}
          <bdi>{currentProfile()?.email}</bdi>
        </span>
      </Title>
      <div class="cards">
        <Card title="On call" address="#/on-call" path="/api/on-call?pageSize=50" empty="There is no roster.">
          {({ data }: Schemas['OnCallList']) =>
            data
              .toSorted((a, b) => compare(a.roster, b.roster))
              .map((one) => (
                <Line
                  main={<bdi>{one.roster}</bdi>}
                  note={one.person ? <OnCall person={one.person} /> : <span class="alarm">Nobody</span>}
                  aside={
                    one.endTime ? (
                      <>
                        until <Time value={one.endTime} />
                      </>
                    ) : (
                      ''
                    )
                  }
                />
              ))
          }
        </Card>
        <Card
          title="Open incidents"
          address={`#/incidents${queryOf({ ...incidents, pageSize: undefined })}`}
          path={`/api/incidents${queryOf(incidents)}`}
          empty="No incident is open."
        >
          {({ data }: Schemas['IncidentList']) =>
            data.map((one) => (
              <Line
                main={link('incidents', one)}
                note={
                  <>
                    {one.severity && <Badge value={one.severity} />} {one.status && <Badge value={one.status} />}
                  </>
                }
                aside={one.detectedAt && <Time value={one.detectedAt} />}
              />
            ))
          }
        </Card>
        <Card
          title="Maintenance windows of today"
          address={`#/maintenance-windows${queryOf({ ...windows, pageSize: undefined })}`}
          path={`/api/maintenance-windows${queryOf(windows)}`}
          empty="None today."
        >
          {({ data }: Schemas['MaintenanceWindowList']) =>
            data.map((one, index) => (
              <Line
                main={link('maintenance-windows', one)}
                note={
                  <>
                    <Badge value={one.status} />
                    {index < SHORT && (
                      <>
                        {' '}
                        <Conflicts path={`/maintenance-windows/${one.id}`} />
                      </>
                    )}
                  </>
                }
                aside={one.startTime && <Time value={one.startTime} />}
              />
            ))
          }
        </Card>
        <Card
          title="Changes of today"
          address={`#/change-requests${queryOf({ ...changes, pageSize: undefined })}`}
          path={`/api/change-requests${queryOf(changes)}`}
          empty="None today."
        >
          {({ data }: Schemas['ChangeRequestList']) =>
            data.map((one, index) => (
              <Line
                main={link('change-requests', one)}
                note={
                  <>
                    <Badge value={one.risk} /> <Badge value={one.status} />
                    {index < SHORT && (
                      <>
                        {' '}
                        <Conflicts path={`/change-requests/${one.id}`} />
                      </>
                    )}
                  </>
                }
                aside={<Time value={one.scheduledFor} />}
              />
            ))
          }
        </Card>
        <Card
          title="Nobody on call, next two weeks"
          address={`#/on-call/gaps${queryOf({ to: fortnight })}`}
          path={`/api/on-call/gaps${queryOf({ from: now.toISOString(), to: fortnight, pageSize: 50 })}`}
          empty="Every hour is covered."
        >
          {({ data }: Schemas['OnCallGapList']) =>
            data.map((one) => (
              <Line
                main={<bdi>{one.roster}</bdi>}
                note={labelOf(one.reason)}
                aside={
                  <>
                    <Time value={one.startTime} /> – <Time value={one.endTime} />
                  </>
                }
              />
            ))
          }
        </Card>
        <Card
          title="Expires or is due within 30 days"
          address="#/expirations?within=30"
          path="/api/expirations?within=30&pageSize=50"
          empty="Nothing is due."
        >
          {({ data }: Schemas['ExpirationList']) =>
            data.map((one) => (
              <Line
                main={collectionOf(one.resource) ? link(one.resource, one) : <bdi>{one.name}</bdi>}
                note={
                  <>
                    {labelOf(one.kind)}
                    {one.amount !== null ? (
                      <>
                        , <span class="number">{money(one.amount, one.currency)}</span>
                      </>
                    ) : (
                      ''
                    )}
                  </>
                }
                aside={
                  <span class={one.daysLeft < 0 ? 'alarm' : ''}>
                    <Day value={one.date} />
                  </span>
                }
              />
            ))
          }
        </Card>
        {FILLED.map(([resource, title]) => (
          <Card
            title={title}
            address={`#/utilisation?resource=${resource}`}
            path={`/api/utilisation?resource=${resource}&pageSize=50`}
            empty="None is."
          >
            {({ data }: Schemas['UtilisationEntryList']) =>
              data.map((one) => (
                <Line
                  main={link(resource, one)}
                  note={
                    <>
                      {Number(one.size) - Number(one.used)} free
                      {one.vrfId && (
                        <>
                          <span>·</span>
                          <Reference resource="vrfs" id={one.vrfId} />
                        </>
                      )}
                      {one.siteId && (
                        <>
                          <span>·</span>
                          <Reference resource="sites" id={one.siteId} />
                        </>
                      )}
                    </>
                  }
                  aside={<Meter value={one.utilisation} />}
                />
              ))
            }
          </Card>
        ))}
        <Card
          title="Last changes"
          address="#/change-log?order=desc"
          path="/api/change-log?sort=createdAt&order=desc&pageSize=8"
          empty="Nothing was changed yet."
        >
          {({ data }: Schemas['ChangeLogEntryList']) =>
            data.map((entry) => (
              <Entry key={entry.id} entry={entry} collection={collectionOf(entry.resource)} isNamed />
            ))
          }
        </Card>
      </div>
    </>
  );
}

/** The number of conflicts of a window or change; a link to them, if there are any. */
function Conflicts({ path }: { path: string }) {
  const { answer } = useGet(`/api${path}/conflicts?pageSize=1`);
  return answer && answer.total > 0 ? (
    <a class="alarm" href={`#${path}?tab=conflicts`}>
      {answer.total} {answer.total === 1 ? 'conflict' : 'conflicts'}
    </a>
  ) : null;
}
