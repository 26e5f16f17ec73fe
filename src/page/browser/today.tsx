/* Today: items that need attention, urgent ones first. It uses a fixed number of requests, each for one short page. */

import { byName, LOCALE } from './locale.js';
import type { VNode } from 'preact';
import type { components } from '../../../sdk/typescript/schema.js';
import type { Loadable, Row } from './types.js';
import { queryOf, useGet } from './api.js';
import { Conflicts } from './conflicts.js';
import { Ago, Day, DaysLeft, Hour, Meter, money, State, Time, Word } from './format.js';
import { FirstSteps } from './first-steps.js';
import { Sentences } from './history.js';
import { useWaiting } from './delta/waiting.js';
import { Icon } from './icon.js';
import { capital, collectionAt, collectionOf, labelOf, may } from './model.js';
import { Linked } from './names.js';
import { Line, Loaded, Title } from './parts.js';

type Schemas = components['schemas'];

const DAY = 86_400_000;
const SHORT = 8;
const LOG = '#/change-log?order=desc';

/** The start of a day in the reader's zone. A day may not have 24 hours. @param days after today */
const midnight = (days: number): Date => {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
};

/** The answer of a list, unless the session may not read it, or no path is given. */
function useList(path: string): Loadable | undefined {
  const collection = path === '' ? undefined : collectionAt(path.split('?')[0]!);
  const isRead = collection !== undefined && may(collection);
  const loaded = useGet(isRead ? path : undefined);
  return isRead ? loaded : undefined;
}

interface CardProps<T> {
  title: string;
  address: string;
  from: Loadable | undefined;
  lines: (data: T[]) => VNode[];
  /** What is said if there is nothing. */
  quiet: string;
  isUrgent?: boolean;
}

/** A card of Today. An empty one is folded into the last line of the page. */
function Card<T>({ title, address, from, lines, isUrgent }: CardProps<T>) {
  if (!from || (from.answer && from.answer.data.length === 0)) return null;
  return (
    <section class="card" aria-label={title}>
      <h2>
        <a href={address}>{title}</a>
        {from.answer && (
          <span class={`count ${isUrgent ? 'bad' : ''}`}>{from.answer.total ?? from.answer.data.length}</span>
        )}
      </h2>
      <Loaded from={from}>
        {({ data, total }) => {
          const shown = lines(data as T[]);
          return (
            <>
              <ul class="lines">{shown.slice(0, SHORT)}</ul>
              {shown.length > SHORT && (
                <p class="more">
                  <a href={address}>{Math.max(total ?? 0, shown.length) - SHORT} more</a>
                </p>
              )}
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

/** The people on call. An inactive person covers nothing. */
const OnCall = ({ person }: { person: Row }) => {
  const name = <Linked resource="people" id={person.id} name={person.fullName} />;
  return person.status === 'inactive' ? <span class="alarm">{name} (inactive)</span> : name;
};

/** The most severe first, and among equals the oldest. Those without a severity come last. */
const byWorst = (one: Schemas['Incident'], other: Schemas['Incident']): number =>
  Number(!one.severity) - Number(!other.severity) ||
  byName(one.severity ?? '', other.severity ?? '') ||
  Date.parse(one.detectedAt ?? one.createdAt) - Date.parse(other.detectedAt ?? other.createdAt);

const incidentLine = (one: Schemas['Incident']): VNode => (
  <Line
    main={<Linked resource="incidents" id={one.id} name={one.name} />}
    note={
      <>
        {one.severity && <Word value={one.severity} />} {one.status && <State value={one.status} />}
      </>
    }
    aside={<Ago value={one.detectedAt ?? one.createdAt} />}
  />
);

const dueLine = (one: Schemas['Expiration']): VNode => (
  <Line
    main={<Linked {...one} />}
    note={
      <>
        {labelOf(one.kind)}
        {one.amount !== null && (
          <>
            , <span class="number">{money(one.amount, one.currency)}</span>
          </>
        )}
      </>
    }
    aside={
      one.date !== null &&
      one.daysLeft !== null && (
        <span class={one.daysLeft < 0 ? 'alarm' : ''}>
          <DaysLeft date={one.date} days={one.daysLeft} />
        </span>
      )
    }
  />
);

const exposedLine = (one: Schemas['ExposedDevice']): VNode => (
  <Line
    main={<Linked resource="devices" {...one.device} />}
    note={
      <>
        {one.lastCoveredBy && <Linked {...one.lastCoveredBy} />}
        {one.replacement && <span class="number">· {money(one.replacement.amount, one.replacement.currency)}</span>}
      </>
    }
    aside={<Day value={one.endsOn} />}
  />
);

/** Something planned for today. @param index of the line; the conflicts of the first ones are counted */
const planned =
  (resource: string, time: (one: Row) => string | null) =>
  (one: Row, index: number): VNode => (
    <Line
      main={<Linked resource={resource} id={one.id} name={one.name} />}
      note={
        <>
          {one.risk && <Word value={one.risk} />} <State value={one.status} />{' '}
          {index < SHORT && <Conflicts resource={resource} id={one.id} />}
        </>
      }
      aside={<Hour value={time(one)} />}
    />
  );

export function Today() {
  const day = { from: midnight(0).toISOString(), to: midnight(1).toISOString() };
  const now = new Date(Math.floor(Date.now() / 60_000) * 60_000);
  const fortnight = new Date(now.getTime() + 14 * DAY).toISOString();
  const windowsQuery = { during: `${day.from}/${day.to}`, sort: 'startTime' };
  const changesQuery = { scheduledFor__gte: day.from, scheduledFor__lt: day.to, sort: 'scheduledFor' };
  const incidentsQuery = {
    resolvedAt__empty: 'true',
    status__n: ['resolved', 'closed'],
    // The worst ones, whatever their number.
    sort: 'severity',
  };
  const incidents = useList(`/api/incidents${queryOf({ ...incidentsQuery, pageSize: 50 })}`);
  const waiting = useWaiting();
  const onCall = useList('/api/on-call?pageSize=50');
  const gaps = useList(`/api/on-call/gaps${queryOf({ from: now.toISOString(), to: fortnight, pageSize: 50 })}`);
  const due = useList('/api/expirations?within=30&pageSize=50');
  const uncovered = useList('/api/exposure?within=90&pageSize=50');
  const windows = useList(`/api/maintenance-windows${queryOf({ ...windowsQuery, pageSize: 50 })}`);
  const changes = useList(`/api/change-requests${queryOf({ ...changesQuery, pageSize: 50 })}`);
  const full = useList('/api/utilisation?pageSize=50');
  const log = useList('/api/change-log?sort=createdAt&order=desc&pageSize=50');
  // Among the entries on the page. Overdue ones come first, because the list is in order of time.
  const isLate = ({ daysLeft }: { daysLeft: number | null }): boolean => daysLeft !== null && daysLeft < 0;
  const parted = (late: boolean): Loadable | undefined => {
    if (!due?.answer) return due;
    const data = (due.answer.data as Schemas['Expiration'][]).filter((one) => isLate(one) === late);
    return { ...due, answer: { ...due.answer, data, total: data.length } };
  };
  const cards: CardProps<never>[] = [
    {
      title: 'Open incidents',
      address: `#/incidents${queryOf(incidentsQuery)}`,
      from: incidents,
      quiet: 'No incident is open',
      lines: (data) => (data as Schemas['Incident'][]).toSorted(byWorst).map(incidentLine),
      isUrgent: true,
    },
    {
      title: 'Waits for you',
      address: '#/change-sets?status=open',
      from: waiting,
      quiet: 'Nothing waits for your approval',
      isUrgent: true,
      lines: (data) =>
        (data as Row[]).map((one) => (
          <Line
            main={<Linked resource={one.resource} id={one.id} name={one.name} />}
            note={one.resource === 'change-sets' ? `${one.operationCount} planned` : labelOf(one.status)}
            aside={<Ago value={one.updatedAt} />}
          />
        )),
    },
    {
      title: 'Nobody on call, next two weeks',
      address: `#/on-call/gaps${queryOf({ to: fortnight })}`,
      from: gaps,
      quiet: 'Somebody is on call at every hour of the next two weeks',
      isUrgent: true,
      lines: (data) =>
        (data as Schemas['OnCallGap'][]).map((one) => (
          <Line
            main={<bdi>{one.roster}</bdi>}
            note={
              <>
                {labelOf(one.reason)}, until <Time value={one.endTime} />
              </>
            }
            aside={<Ago value={one.startTime} />}
          />
        )),
    },
    {
      title: 'Overdue',
      address: '#/expirations?overdue=true',
      from: parted(true),
      quiet: 'Nothing is overdue',
      lines: (data) => (data as Schemas['Expiration'][]).map(dueLine),
      isUrgent: true,
    },
    {
      title: 'On call',
      address: '#/on-call',
      from: onCall,
      quiet: 'Nobody is on a roster',
      lines: (data) =>
        (data as Schemas['OnCall'][])
          .toSorted((a, b) => byName(a.roster, b.roster))
          .map((one) => (
            <Line
              main={<bdi>{one.roster}</bdi>}
              note={one.person ? <OnCall person={one.person} /> : <span class="alarm">Nobody</span>}
              aside={
                one.endTime && (
                  <>
                    ends <Ago value={one.endTime} />
                  </>
                )
              }
            />
          )),
    },
    {
      title: 'Maintenance windows of today',
      address: `#/maintenance-windows${queryOf(windowsQuery)}`,
      from: windows,
      quiet: 'No maintenance window today',
      lines: (data) => data.map(planned('maintenance-windows', (one) => one.startTime)),
    },
    {
      title: 'Changes of today',
      address: `#/change-requests${queryOf(changesQuery)}`,
      from: changes,
      quiet: 'No change today',
      lines: (data) => data.map(planned('change-requests', (one) => one.scheduledFor)),
    },
    {
      title: 'Ends or is due within 30 days',
      address: '#/expirations?within=30&overdue=false',
      from: parted(false),
      quiet: 'Nothing is due',
      lines: (data) => (data as Schemas['Expiration'][]).map(dueLine),
    },
    {
      title: 'Coverage ends within 90 days',
      address: '#/exposure?within=90&columns=device,site,endsOn,lastCoveredBy,replacement,responsible',
      from: uncovered,
      quiet: 'No coverage ends within 90 days',
      lines: (data) => (data as Schemas['ExposedDevice'][]).map(exposedLine),
    },
    {
      title: 'Nearly full',
      address: '#/utilisation',
      from: full,
      quiet: 'No prefix or rack is nearly full',
      lines: (data) =>
        (data as Schemas['UtilisationEntry'][]).map((one) => (
          <Line
            main={<Linked {...one} />}
            note={
              <>
                {capital(collectionOf(one.resource)?.one ?? '')}, {Number(one.size) - Number(one.used)} free
              </>
            }
            aside={<Meter value={one.utilisation} />}
          />
        )),
    },
  ];
  // Without rosters nothing is said about hours.
  const isSilent = ({ from }: CardProps<never>): boolean => from === gaps && onCall?.answer?.data.length === 0;
  const quiet = cards.filter((card) => card.from?.answer?.data.length === 0 && !isSilent(card));
  // The log may be about profiles only, or have been pruned. So the lists show whether there are any records.
  const isDoubtful = log?.answer?.data.every(({ resource }: Row) => resource === 'profiles') ?? false;
  const begun = BEGINNINGS.map((path) => useList(isDoubtful ? `${path}?pageSize=1` : ''));
  const isEmpty = isDoubtful && begun.every((list) => list?.answer?.total === 0);
  return (
    <>
      <Title
        text="Today"
        meta={new Date().toLocaleDateString(LOCALE, { weekday: 'long', day: 'numeric', month: 'long' })}
      />
      {isEmpty ? (
        <FirstSteps />
      ) : (
        <div class="cards">
          {cards.map((card) => (
            <Card key={card.title} {...card} />
          ))}
          <section class="card" aria-label="Last changes">
            <h2>
              <a href={LOG}>Last changes</a>
            </h2>
            {log && <Loaded from={log}>{({ data }) => <Sentences entries={data} most={SHORT} all={LOG} />}</Loaded>}
          </section>
        </div>
      )}
      {quiet.length > 0 && !isEmpty && (
        <p class="quiet-line" aria-label="No action needed">
          {quiet.map(({ title, quiet: said, address }) => (
            <span key={title}>
              <Icon name="check" /> <a href={address}>{said}</a>
            </span>
          ))}
        </p>
      )}
    </>
  );
}

/** Lists that an inventory begins with. */
const BEGINNINGS = ['/api/sites', '/api/racks', '/api/devices', '/api/people', '/api/assets', '/api/ip-addresses'];
