/* What can be done with the ticked rows of a table. */

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

/** The box of a row, and that of the heading of all rows. */
export const Tick = ({
  name,
  ids,
  ticked,
  tick,
}: {
  name: string;
  ids: readonly string[];
  ticked: ReadonlySet<string>;
  tick: ((ids: ReadonlySet<string>) => void) | undefined;
}) => (
  <input
    type="checkbox"
    aria-label={name}
    checked={ids.length > 0 && ids.every((id) => ticked.has(id))}
    onChange={({ currentTarget: { checked } }) =>
      tick?.(checked ? new Set([...ticked, ...ids]) : new Set([...ticked].filter((id) => !ids.includes(id))))
    }
  />
);
