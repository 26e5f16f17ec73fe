/* The way from the ticked assets to their labels. */

import { queryOf } from '../api.js';
import { Icon } from '../icon.js';
import type { SelectionProps } from '../types.js';

export const LabelSheet = ({ rows }: SelectionProps) => (
  <a class="button" href={`#/pictures/labels${queryOf({ id: rows.map(({ id }) => id) })}`}>
    <Icon name="printer" />
    Print labels
  </a>
);
