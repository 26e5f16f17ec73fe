/* The card of a change, a window or an incident: its effects, on one sheet for the people who decide. */

import { useState } from 'preact/hooks';
import { queryOf, useGet } from '../api.js';
import { isMadeIn } from '../conflicts.js';
import { money, Time, Word } from '../format.js';
import { Sentences } from '../history.js';
import { Group, labelFor } from '../impact.js';
import { labelOf, may, rowsOf } from '../model.js';
import { Linked } from '../names.js';
import { Line, Loaded } from '../parts.js';
import { Reach } from '../responsibility/whom-to-call.js';
import type { PanelProps } from '../types.js';
import { Vendors } from './vendors.js';
import type { components } from '../../../../sdk/typescript/schema.js';

type Schemas = components['schemas'];
type Named = Schemas['NamedRecord'];

const HOUR = 60;
/** Maximum of the service. */
const MOST_MINUTES = 44_640;
/** Number of records of a kind that are shown at first, so that an ordinary card is one sheet. */
const SHOWN = 8;

const Interval = ({ from, to }: { from: string | null; to: string | null }) => (
  <>
    {from && <Time value={from} />}
    {to && (
      <>
        {' to '}
        <Time value={to} />
      </>
    )}
  </>
);

const Records = ({ title, of, total = of.length }: { title: string; of: readonly Named[]; total?: number }) => (
  <Group title={title} total={total} rows={rowsOf(of)} most={SHOWN}>
    {(row) => (
      <>
        <span class="main">
          <Linked {...(row as Named)} />
        </span>
        <span class="aside">{row.effect && row.effect !== 'down' && <Word value={row.effect} />}</span>
      </>
    )}
  </Group>
);

/** @param path of the card in the API */
export function Card({ path }: { path: string }) {
  const [minutes, setMinutes] = useState(HOUR);
  const loaded = useGet(`${path}${queryOf({ minutes })}`);
  return (
    <>
      <div class="tools line">
        {path.includes('/change-requests/') && (
          <label>
            Duration in minutes{' '}
            <input
              type="number"
              min={1}
              max={MOST_MINUTES}
              value={minutes}
              onChange={({ currentTarget: input }) => input.reportValidity() && setMinutes(Number(input.value))}
            />
          </label>
        )}
        <button type="button" onClick={() => print()}>
          Print
        </button>
      </div>
      <Loaded from={loaded}>{({ data }) => <Sheet card={data as Schemas['Card']} path={path} />}</Loaded>
    </>
  );
}

/** The people to call of each roster. If there are several turns, all of them. */
const OnCall = ({
  title,
  onCall,
  systems,
}: {
  title: string;
  /** Whose vendors are called too. */
  systems?: Schemas['Card']['targets'];
} & Pick<Schemas['Card'], 'onCall'>) => (
  <section class={`card ${systems ? 'first' : ''}`} aria-label={title}>
    <h2>{title}</h2>
    {onCall.length === 0 && <p class="muted">No roster operates it at a known time.</p>}
    <ul class="lines">
      {onCall.map(({ roster, intervals }) =>
        intervals.map(({ startTime, endTime, person, reason }) => (
          <Line
            key={`${roster} ${startTime}`}
            main={person ? <Reach {...person} /> : <span class="alarm">Nobody: {labelOf(reason ?? '')}</span>}
            note={
              <>
                <bdi>{roster}</bdi>
                {intervals.length > 1 && (
                  <>
                    , <Interval from={startTime} to={endTime} />
                  </>
                )}
              </>
            }
          />
        )),
      )}
      {systems && <Vendors targets={systems} />}
    </ul>
  </section>
);

/** Kinds whose records are listed by name. Other records that go down are counted by kind. */
const NAMED = ['devices', 'virtual-machines'];

function GoingDown({ reached }: Pick<Schemas['Card'], 'reached'>) {
  const all = reached.counts as Record<string, number>;
  const counts = Object.entries(all);
  const rowsOfKind = (resource: string) => reached.records.filter((row) => row.resource === resource);
  const isNamed = (resource: string): boolean => NAMED.includes(resource) && rowsOfKind(resource).length > 0;
  const counted = counts.filter(([resource]) => !isNamed(resource));
  return (
    <>
      {NAMED.filter(isNamed).map((resource) => (
        <Records
          key={resource}
          title={`${labelFor(resource)} that go down`}
          total={all[resource]!}
          of={rowsOfKind(resource)}
        />
      ))}
      {(counted.length > 0 || counts.length === 0) && (
        <section class="card" aria-label="Goes down with it">
          <h2>Goes down with it</h2>
          {counts.length === 0 && <p class="muted">Nothing else.</p>}
          <ul class="lines">
            {counted.map(([resource, total]) => (
              <Line key={resource} main={labelFor(resource)} aside={<span class="number">{total}</span>} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** Below the systems and the people on call: cost, other planned work, and known issues. */
function Stakes({ card, path }: { card: Schemas['Card']; path: string }) {
  const { record, targets, coverage, replacement, knownIssues } = card;
  const conflicts = card.conflicts.filter((one) => !isMadeIn(record.resource, one));
  return (
    <>
      <section class="card" aria-label="Coverage and replacement">
        <h2>Coverage and replacement</h2>
        <ul class="lines">
          {replacement.amounts.map(({ currency, amount, records }) => (
            <Line
              key={currency}
              main={<span class="number">{money(amount, currency)}</span>}
              note={`to replace ${records}`}
            />
          ))}
          {replacement.unknown > 0 && <li class="muted">The price of {replacement.unknown} is unknown.</li>}
          <li class="muted">
            {targets.length === 0
              ? 'It names no systems.'
              : `With coverage: ${coverage.covered}. Without: ${coverage.uncovered.length}.`}
          </li>
        </ul>
      </section>
      <section class="card" aria-label="Conflicts">
        <h2>
          <a href={`#${path.slice(4).replace(/\/card$/, '?tab=conflicts')}`}>Conflicts</a>
        </h2>
        {conflicts.length === 0 && <p class="muted">No conflicts.</p>}
        <ul class="lines">
          {conflicts.map(({ kind, other, from: start, to: end }, index) => (
            <Line
              key={index}
              main={other ? <Linked {...other} /> : labelOf(kind)}
              note={
                <>
                  {other && `${labelOf(kind)}, `}
                  <Interval from={start} to={end} />
                </>
              }
            />
          ))}
        </ul>
      </section>
      {knownIssues.length > 0 && (
        <section class="card" aria-label="Known issues">
          <h2>Known issues</h2>
          <ul class="lines">
            {knownIssues.map(({ id, name, severity, workaround }) => (
              <Line
                key={id}
                main={<Linked resource="known-issues" id={id} name={name} />}
                note={workaround}
                aside={severity && <Word value={severity} />}
              />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** For an incident, beside its updates. */
export function CardOfIncident({ path, collection, record }: PanelProps) {
  const isRead = may(collection.operations.find((one) => one.path === `${collection.record}/card`));
  const at = `${path}/card`;
  const loaded = useGet(isRead ? at : undefined);
  if (!isRead) return null;
  return (
    <Loaded from={loaded}>
      {({ data }) => {
        const card = data as Schemas['Card'];
        // While it lasts: the people who are on call now.
        const now = card.onCall.map((one) => ({ ...one, intervals: one.intervals.slice(-1) }));
        return (
          <>
            {record.resolvedAt ? (
              <OnCall title="On call meanwhile" onCall={card.onCall} />
            ) : (
              <OnCall title="Whom to call" onCall={now} systems={card.targets} />
            )}
            <GoingDown reached={card.reached} />
            <Stakes card={card} path={at} />
          </>
        );
      }}
    </Loaded>
  );
}

function Sheet({ card, path }: { card: Schemas['Card']; path: string }) {
  const { from, to, targets, reached, onCall, coverage, changes } = card;
  return (
    <>
      <p class="about">
        {!from && 'Without a start'}
        <Interval from={from} to={to} />
      </p>
      <div class="cards">
        <Records title="Systems" of={targets} />
        <OnCall title="On call meanwhile" onCall={onCall} />
        <GoingDown reached={reached} />
        <Stakes card={card} path={path} />
        {coverage.uncovered.length > 0 && <Records title="Without coverage" of={coverage.uncovered} />}
        <section class="card" aria-label="Last changes">
          <h2>Last changes</h2>
          {changes.length === 0 && <p class="muted">None of its systems.</p>}
          <Sentences entries={rowsOf(changes)} most={changes.length} all="#/change-log?order=desc" />
        </section>
      </div>
    </>
  );
}
