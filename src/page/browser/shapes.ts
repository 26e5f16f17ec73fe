/* Forms whose inputs depend on what is filled in, and what stands beside forms: one line for each, by the name of its operation. */

import { DEFINING, REDEFINING } from './defining/definition.js';
import { HOOKS, TOKENS } from './hooks/definition.js';
import { onDemand } from './on-demand.js';
import type { FunctionComponent } from 'preact';
import type { BesideFormProps, Shape } from './types.js';

export const SHAPES: Readonly<Record<string, Shape>> = {
  createCustomField: DEFINING,
  updateCustomField: REDEFINING,
  createWebhook: HOOKS,
  updateWebhook: HOOKS,
  createToken: TOKENS,
};

/** What is chosen beside a form, where the screen is wide enough. */
export const BESIDE: Readonly<Record<string, FunctionComponent<BesideFormProps>>> = {
  createDevice: onDemand(() => import('./rack/choosing.js').then((one) => one.ChoosingUnit)),
};
