/* Bookable assets by day. Bookings are links, and a click on a free day books it. */

import { useEffect, useState } from 'preact/hooks';
import { get, queryOf, useGet, whenReloaded } from '../api.js';
import { collectionAt, mayCreate } from '../model.js';
import { LOCALE } from '../locale.js';
import { Loaded, Title } from '../parts.js';
import { ReferenceInput } from '../reference-input.js';
import { shortened, useArrows, useWidth } from '../room.js';
import { addressWith, changed, go } from '../route.js';
import { Steps } from '../table.js';
import { instantOf } from '../times.js';
import { midnight, READERS } from '../zones.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { Values } from '../types.js';
import { Booking, type Chosen } from './booking.js';

type Schemas = components['schemas'];
type Asset = Schemas['Asset'];

const ROWS = 20;
const MOST = 1000;
const LABELS = 150;
const NARROW_LABELS = 96;
const HEAD = 30;
const ROW = 32;
/** Minimum width of a day in pixels. A narrower drawing shows a week. */
const LEAST = 44;
/** Least width of a day with its weekday. */
const NARROW = 54;
const DAY = 86_400_000;
const BOOKABLE = ['in_stock', 'in_use', 'reserved', 'pending'];

const iso = (time: number): string => new Date(time).toISOString();

export function Calendar({ query }: { query: URLSearchParams }) {
  const [chosen, setChosen] = useState<Chosen>();
  const { element, width } = useWidth();
  const count = (width - LABELS) / 14 < LEAST ? 7 : 14;
  const set = (values: Values): void =>
    go(addressWith('/pictures/bookings', changed(query, { page: undefined, ...values })));
  const from = midnight(instantOf(query.get('from')) ?? Date.now(), READERS);
  const days = Array.from({ length: count + 1 }, (_, at) => midnight(from, READERS, at));
  const narrowed = Object.fromEntries(['categoryId', 'siteId', 'locationId'].map((name) => [name, query.get(name)]));
  const page = Number(query.get('page') ?? 1);
  const assets = useGet(`/api/assets${queryOf({ ...narrowed, status: BOOKABLE, sort: 'name', page, pageSize: ROWS })}`);
  useEffect(() => document.getElementById('booking-category')?.focus(), []);
  const date = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: READERS });
  return (
    <>
      <Title text="Booking calendar" meta={`${date.formatRange(from, days.at(-2)!)}, ${READERS}`}>
        <span class="tools">
          <a href="#/bookings">As a list</a>
        </span>
      </Title>
      <div class="bar">
        <ReferenceInput
          label="Category"
          resource="asset-categories"
          fieldId="booking-category"
          value={query.get('categoryId')}
          set={(categoryId) => set({ categoryId: categoryId ?? '' })}
        />
        <ReferenceInput
          label="Site"
          resource="sites"
          value={query.get('siteId')}
          set={(siteId) => set({ siteId: siteId ?? '' })}
        />
        <span class="line" role="group" aria-label="Move through time">
          <button type="button" onClick={() => set({ from: iso(midnight(from, READERS, -count)) })}>
            Earlier
          </button>
          <button type="button" onClick={() => set({ from: undefined })}>
            Today
          </button>
          <button type="button" onClick={() => set({ from: iso(days.at(-1)!) })}>
            Later
          </button>
        </span>
      </div>
      <div ref={element}>
        <Loaded from={assets}>
          {({ data, total, hasMore }) => (
            <>
              {data.length === 0 ? (
                <p class="empty">There is nothing here that can be booked.</p>
              ) : (
                <Days
                  key={days.join()}
                  assets={data}
                  days={days}
                  width={width}
                  choose={setChosen}
                  narrowed={narrowed}
                />
              )}
              {total > ROWS && (
                <nav class="pages" aria-label="Pages">
                  <Steps page={page} hasMore={hasMore} set={(next) => set({ page: next })} />
                </nav>
              )}
            </>
          )}
        </Loaded>
      </div>
      {chosen && <Booking {...chosen} close={() => setChosen(undefined)} />}
    </>
  );
}

/** Ids of the assets that are free on each day, from the service. */
function useFree(days: readonly number[], narrowed: object): readonly ReadonlySet<string>[] {
  const [free, setFree] = useState<readonly ReadonlySet<string>[]>([]);
  const [turn, setTurn] = useState(0);
  useEffect(() => whenReloaded(() => setTurn((one) => one + 1)), []);
  useEffect(() => {
    const controller = new AbortController();
    const ask = async (day: number, at: number): Promise<ReadonlySet<string>> => {
      const asked = { ...narrowed, from: iso(day), to: iso(days[at + 1]!), pageSize: MOST };
      const { data } = await get(`/api/bookings/available${queryOf(asked)}`, controller.signal);
      return new Set((data as Asset[]).map(({ id }) => id));
    };
    // If a day cannot be read, it offers nothing. The list of assets shows the error of the service.
    Promise.all(days.slice(0, -1).map(ask)).then(setFree, () => {});
    return () => controller.abort();
  }, [days.join(), JSON.stringify(narrowed), turn]);
  return free;
}

function Days({
  assets,
  days,
  width,
  choose,
  narrowed,
}: {
  assets: readonly Asset[];
  days: readonly number[];
  width: number;
  choose: (chosen: Chosen) => void;
  narrowed: object;
}) {
  const arrows = useArrows();
  const free = useFree(days, narrowed);
  const [from, to] = [days[0]!, days.at(-1)!];
  const asked = { assetId: assets.map(({ id }) => id), status: ['booked', 'out'], expand: 'person', pageSize: MOST };
  const bookings = useGet(
    `/api/bookings${queryOf({ ...asked, startTime__lt: iso(to), endTime__gt: iso(from), sort: 'startTime' })}`,
  );
  const isWritable = mayCreate(collectionAt('/api/bookings'));
  const labels = width < 500 ? NARROW_LABELS : LABELS;
  const scale = (width - labels - 34) / (to - from);
  const x = (time: number): number => labels + (Math.min(Math.max(time, from), to) - from) * scale;
  // Narrow days only have room for their numbers.
  const isNarrow = scale * DAY < NARROW;
  const short = new Intl.DateTimeFormat(LOCALE, {
    ...(!isNarrow && { weekday: 'short' }),
    day: 'numeric',
    timeZone: READERS,
  });
  const long = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', day: 'numeric', month: 'long', timeZone: READERS });
  const time = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short', timeZone: READERS });
  const height = HEAD + assets.length * ROW;
  const all = (bookings.answer?.data ?? []) as Schemas['Booking'][];
  return (
    <div class="drawn" aria-busy={bookings.isOld || free.length === 0}>
      <svg {...arrows} width={width - 34} height={height} role="group" aria-label="Assets by days">
        {days.slice(0, -1).map((day) => (
          <g key={day}>
            <line class="tick" x1={x(day)} x2={x(day)} y1={HEAD - 8} y2={height} />
            <text class="faint" x={x(day) + 4} y={HEAD - 10}>
              {short.format(day)}
            </text>
          </g>
        ))}
        {assets.map((asset, row) => {
          const top = HEAD + row * ROW;
          return (
            <g key={asset.id}>
              <line class="tick" x1={0} x2={width} y1={top} y2={top} />
              <text class="roster" x={0} y={top + 20}>
                <title>{asset.name}</title>
                {shortened(asset.name, labels - 8)}
              </text>
              {days.slice(0, -1).map((day, at) => {
                if (!isWritable || !free[at]?.has(asset.id)) return null;
                const open = (): void => choose({ asset, from: day, to: days[at + 1]! });
                return (
                  <g
                    key={day}
                    class="offer"
                    role="button"
                    aria-label={`Book ${asset.name} on ${long.format(day)}`}
                    onClick={open}
                    onKeyDown={(event) => {
                      if (event.key !== 'Enter' && event.key !== ' ') return;
                      event.preventDefault();
                      open();
                    }}
                  >
                    <rect x={x(day) + 1} y={top + 2} width={x(days[at + 1]!) - x(day) - 2} height={ROW - 4} rx={4} />
                    <text x={(x(day) + x(days[at + 1]!)) / 2} y={top + 20} text-anchor="middle">
                      +
                    </text>
                  </g>
                );
              })}
              {all
                .filter(({ assetId }) => assetId === asset.id)
                .map((booking) => {
                  const [left, right] = [x(Date.parse(booking.startTime)), x(Date.parse(booking.endTime))];
                  const who = booking.person?.name ?? booking.purpose ?? 'Booked';
                  const span = time.formatRange(Date.parse(booking.startTime), Date.parse(booking.endTime));
                  return (
                    <a
                      key={booking.id}
                      class={`shift of-${booking.status === 'out' ? 2 : 0}`}
                      href={`#/bookings/${booking.id}`}
                      aria-label={`${who}, ${asset.name}, ${booking.status}, ${span}`}
                    >
                      <title>{`${who}, ${span}`}</title>
                      <rect x={left + 1} y={top + 3} width={Math.max(3, right - left - 2)} height={ROW - 6} rx={4} />
                      {right - left > LEAST && (
                        <text x={left + 7} y={top + 20}>
                          {shortened(who, right - left - 12)}
                        </text>
                      )}
                    </a>
                  );
                })}
            </g>
          );
        })}
      </svg>
    </div>
  );
}
