/* What can be done with the ticked rows of a table. */

import { useRef } from 'preact/hooks';
import { SELECTIONS } from './selections.js';
import type { Collection, SelectionProps } from './types.js';

export const isTicked = (collection: Collection): boolean => SELECTIONS.some(({ isFor }) => isFor(collection));

export const Selected = ({ collection, rows, clear }: SelectionProps) =>
  rows.length > 0 && (
    <p class="tools selection" role="status">
      <strong>{rows.length} ticked</strong>
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
