import { ComputedField } from '../fields/fields.js';
import { EXAMPLE_ID, REFERENCES } from '../openapi/schema.js';

// It names its list, and is no reference of its own: what refers to the record is the cable.
const schema = { type: 'string', format: 'uuid', example: EXAMPLE_ID, [REFERENCES]: 'cables' } as const;

/** The cable at an end of cables. */
export const CableIdField = () =>
  ComputedField(
    'The cable at it; null without one',
    (t) => `(SELECT e.cable_id FROM cable_ends e WHERE e.end_id = ${t}.id)`,
    schema,
    { nullable: true },
  );
