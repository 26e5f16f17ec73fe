/* The icons, which are parts of one picture. */

import type { IconName } from '../icons.js';

export type { IconName } from '../icons.js';

/** Its address, which `bundle.ts` puts in. */
declare const ICONS: string;

/** An icon beside a text that says the same, or within something that has a label. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" aria-hidden="true" focusable="false">
    <use href={`${ICONS}#${name}`} />
  </svg>
);
