/* Forms whose inputs depend on what is filled in: one line for each, by the name of its operation. */

import { DEFINING, REDEFINING } from './defining/definition.js';
import { HOOKS, TOKENS } from './hooks/definition.js';
import type { Shape } from './types.js';

export const SHAPES: Readonly<Record<string, Shape>> = {
  createCustomField: DEFINING,
  updateCustomField: REDEFINING,
  createWebhook: HOOKS,
  updateWebhook: HOOKS,
  createToken: TOKENS,
};
