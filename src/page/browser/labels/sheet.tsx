/* A sheet of labels for the ticked assets. */

import { queryOf } from '../api.js';
import { Icon } from '../icon.js';
import type { SelectionProps } from '../types.js';

export const LabelSheet = ({ rows }: SelectionProps) => (
  <a
    class="button"
    href={`/api/assets/labels.svg${queryOf({ id: rows.map(({ id }) => id) })}`}
    target="_blank"
    rel="noopener"
  >
    <Icon name="printer" />
    Print labels
  </a>
);
