/* Expirations of the next twelve months: a row for each kind, a column for each month, and the contents of the chosen cell. */

import { LOCALE } from '../locale.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import { useAll } from '../api.js';
import { DaysLeft, money } from '../format.js';
import { sumOf } from '../numbers.js';
import { dayOf } from '../times.js';
import { labelOf } from '../model.js';
import { Linked } from '../names.js';
import { Line, Loaded, Title } from '../parts.js';
import { useArrows } from '../room.js';
import { addressWith } from '../route.js';

/** What ends on a day. Stock below its minimum has none. */
type Expiration = components['schemas']['Expiration'] & { date: string; daysLeft: number };

const MONTHS = 12;
const LATE = 'overdue';
const LABELS = 120;
const COLUMN = 66;
const ROW = 34;
const HEAD = 28;

const monthName = new Intl.DateTimeFormat(LOCALE, { month: 'short', year: '2-digit', timeZone: 'UTC' });
const whole = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const nameOf = (month: string, format: Intl.DateTimeFormat): string =>
  month === LATE ? 'Overdue' : format.format(dayOf(`${month}-01`));

const monthOf = ({ date, daysLeft }: Expiration): string => (daysLeft < 0 ? LATE : date.slice(0, 7));

/** What is overdue, this month, and the twelve after it. */
function monthsFrom(now: Date): string[] {
  const months = Array.from({ length: MONTHS + 1 }, (_, index) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + index)).toISOString().slice(0, 7),
  );
  return [LATE, ...months];
}

/** The sums of entries, one for each currency. */
function sumsOf(entries: readonly Expiration[]): string {
  const sums = new Map<string, string[]>();
  for (const { amount, currency } of entries)
    if (amount !== null) sums.set(currency ?? '', (sums.get(currency ?? '') ?? []).concat(amount));
  return [...sums].map(([currency, amounts]) => money(sumOf(amounts), currency)).join(' and ');
}

export function Year({ query }: { query: URLSearchParams }) {
  const loaded = useAll('/api/expirations?within=365');
  return (
    <>
      <Title text="A year of expirations">
        <span class="tools">
          <a href="#/expirations?within=365">As a list</a>
        </span>
      </Title>
      <Loaded from={loaded}>
        {({ data }) => <Months entries={(data as Expiration[]).filter(({ date }) => date !== null)} query={query} />}
      </Loaded>
    </>
  );
}

function Months({ entries, query }: { entries: readonly Expiration[]; query: URLSearchParams }) {
  const arrows = useArrows();
  const months = monthsFrom(new Date());
  const kinds = [...new Set(entries.map(({ kind }) => kind))].toSorted();
  const month = query.get('month') ?? months.find((one) => entries.some((entry) => monthOf(entry) === one)) ?? LATE;
  const kind = query.get('kind');
  const address = (values: Record<string, string>): string =>
    addressWith('/pictures/expirations', new URLSearchParams(values));
  const shown = entries.filter((one) => monthOf(one) === month && (!kind || one.kind === kind));
  if (entries.length === 0) return <p class="empty">Nothing ends in the next year.</p>;
  const rows = [undefined, ...kinds];
  const countOf = (of: string, row: string | undefined): number =>
    entries.filter((one) => monthOf(one) === of && (!row || one.kind === row)).length;
  const width = LABELS + months.length * COLUMN;
  const height = HEAD + rows.length * ROW;
  return (
    <>
      <div class="drawn" tabindex={0} role="region" aria-label="Months">
        <svg
          {...arrows}
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="group"
          aria-label="Number of entries by kind and month"
        >
          {months.map((one, column) => (
            <text key={one} class="faint" x={LABELS + column * COLUMN + COLUMN / 2} y={16} text-anchor="middle">
              {nameOf(one, monthName)}
            </text>
          ))}
          {rows.map((row, index) => (
            <g key={row ?? ''}>
              <text class="roster" x={0} y={HEAD + index * ROW + 21}>
                {row ? labelOf(row) : 'All'}
              </text>
              {months.map((one, column) => {
                const count = countOf(one, row);
                if (count === 0) return null;
                const isChosen = one === month && (row ?? null) === kind;
                return (
                  <a
                    key={one}
                    class={`cell ${one === LATE ? 'late' : ''} ${isChosen ? 'chosen' : ''}`}
                    href={address({ month: one, ...(row && { kind: row }) })}
                    aria-label={`${row ? labelOf(row) : 'All'}, ${nameOf(one, whole)}: ${count}`}
                    aria-current={isChosen ? 'true' : undefined}
                  >
                    <rect
                      x={LABELS + column * COLUMN + 2}
                      y={HEAD + index * ROW + 2}
                      width={COLUMN - 4}
                      height={ROW - 4}
                      rx={5}
                    />
                    <text x={LABELS + column * COLUMN + COLUMN / 2} y={HEAD + index * ROW + 21} text-anchor="middle">
                      {count}
                    </text>
                  </a>
                );
              })}
            </g>
          ))}
        </svg>
      </div>
      <nav class="as-list card" aria-label="Months">
        <ul class="lines">
          {months
            .filter((one) => countOf(one, undefined) > 0)
            .map((one) => (
              <li key={one}>
                <a class="main" href={address({ month: one })} aria-current={one === month ? 'true' : undefined}>
                  {nameOf(one, whole)}
                </a>
                <span class="aside">{countOf(one, undefined)}</span>
              </li>
            ))}
        </ul>
      </nav>
      <section class="card" aria-label={nameOf(month, whole)}>
        <h2>
          {nameOf(month, whole)}
          {kind && `: ${labelOf(kind).toLowerCase()}`}
          <span class="count">{shown.length}</span>
          {sumsOf(shown) !== '' && <span class="muted">{sumsOf(shown)}</span>}
        </h2>
        <ul class="lines">
          {shown.map((one) => (
            <Line
              key={`${one.kind} ${one.id}`}
              main={<Linked {...one} />}
              note={
                <>
                  {labelOf(one.kind)}
                  {one.amount !== null && `, ${money(one.amount, one.currency)}`}
                </>
              }
              aside={<DaysLeft date={one.date} days={one.daysLeft} />}
            />
          ))}
        </ul>
      </section>
    </>
  );
}
