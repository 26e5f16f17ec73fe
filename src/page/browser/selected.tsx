/* What can be done with the ticked rows of a table. */

import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { get } from './api.js';
import { LOCALE } from './locale.js';
import { SELECTIONS } from './selections.js';
import { sayRefusal } from './toasts.js';
import type { Collection, Row, SelectionProps } from './types.js';

export const isTicked = (collection: Collection): boolean => SELECTIONS.some(({ isFor }) => isFor(collection));

/** Records that one request may change: the greatest number of operations of a bulk. */
const MOST = 1000;

/**
 * Offers all records of the list, once the whole page is ticked and there are more.
 * @param address of the list in the API, with what narrows and orders it
 */
export function AllOf({ address, total, tick }: { address: string; total: number; tick: (rows: Row[]) => void }) {
  const [isBusy, setBusy] = useState(false);
  const number = total.toLocaleString(LOCALE);
  if (total > MOST)
    return (
      <span class="muted">
        The list has {number}, and a request changes at most {MOST.toLocaleString(LOCALE)}: narrow it to select all
      </span>
    );
  const all = async (): Promise<void> => {
    setBusy(true);
    try {
      const { data } = await get(address);
      tick(data as Row[]);
    } catch (refused) {
      sayRefusal(refused);
    }
    setBusy(false);
  };
  return (
    <button type="button" disabled={isBusy} onClick={() => void all()}>
      Select all {number}
    </button>
  );
}

export const Selected = ({ collection, rows, clear, children }: SelectionProps & { children?: ComponentChildren }) =>
  rows.length > 0 && (
    <p class="tools selection" role="status">
      <strong>{rows.length.toLocaleString(LOCALE)} ticked</strong>
      {children}
      {SELECTIONS.filter(({ isFor }) => isFor(collection)).map(({ view: Offered }, index) => (
        <Offered key={index} collection={collection} rows={rows} clear={clear} />
      ))}
      <button type="button" class="quiet" onClick={clear}>
        Untick
      </button>
    </p>
  );

/** The rows that a click on one means: with Shift, those from the one that was clicked before. @param order of the rows that are shown */
export function useRange(order: readonly string[]): (id: string, isRange: boolean) => readonly string[] {
  const last = useRef<string>(undefined);
  return (id, isRange) => {
    const [from, to] = [order.indexOf(last.current ?? ''), order.indexOf(id)];
    last.current = id;
    return isRange && from >= 0 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
  };
}

/** The box of a row, and that of the heading of all rows. */
export const Tick = ({
  name,
  ids,
  ticked,
  tick,
  range,
}: {
  name: string;
  ids: readonly string[];
  ticked: ReadonlySet<string>;
  tick: ((ids: ReadonlySet<string>) => void) | undefined;
  range?: ReturnType<typeof useRange>;
}) => (
  <input
    type="checkbox"
    aria-label={name}
    checked={ids.length > 0 && ids.every((id) => ticked.has(id))}
    onClick={({ currentTarget: { checked }, shiftKey }) => {
      const meant = range ? range(ids[0]!, shiftKey) : ids;
      tick?.(checked ? new Set([...ticked, ...meant]) : new Set([...ticked].filter((id) => !meant.includes(id))));
    }}
  />
);
