import { ComputedField } from '../fields/fields.js';
import { EXAMPLE_ID } from '../openapi/schema.js';

/** The cable at an end of cables. */
export const CableIdField = () =>
  ComputedField(
    'The cable at it; null without one',
    (t) => `(SELECT e.cable_id FROM cable_ends e WHERE e.end_id = ${t}.id)`,
    { type: 'string', format: 'uuid', example: EXAMPLE_ID },
    { nullable: true },
  );
