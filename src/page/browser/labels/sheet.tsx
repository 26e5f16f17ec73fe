/* A sheet of labels for the ticked assets. */

import { queryOf } from '../api.js';
import { Icon } from '../icon.js';
import type { SelectionProps } from '../types.js';

/** Labels of one sheet at most. */
const MOST = 100;

export const LabelSheet = ({ rows }: SelectionProps) => (
  <>
    {Array.from({ length: Math.ceil(rows.length / MOST) }, (_, sheet) => {
      const some = rows.slice(sheet * MOST, (sheet + 1) * MOST);
      return (
        <a
          key={sheet}
          class="button"
          href={`/api/assets/labels.svg${queryOf({ id: some.map(({ id }) => id) })}`}
          target="_blank"
          rel="noopener"
        >
          <Icon name="printer" />
          Print labels
          {rows.length > MOST && ` ${sheet * MOST + 1} to ${sheet * MOST + some.length}`}
        </a>
      );
    })}
  </>
);
