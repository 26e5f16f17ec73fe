/* Forms whose inputs depend on what is filled in: one line for each, by the name of its operation. */

import { DEFINING, REDEFINING } from './defining/definition.js';
import type { Field, Values } from './types.js';

export interface Shape {
  /** The fields that are asked for. */
  fields: (all: Field[], values: Values) => Field[];
  /** What is sent. @param body the values of these fields @param values all that was filled in */
  body: (body: Values, values: Values) => Values;
}

export const SHAPES: Readonly<Record<string, Shape>> = {
  createCustomField: DEFINING,
  updateCustomField: REDEFINING,
};
