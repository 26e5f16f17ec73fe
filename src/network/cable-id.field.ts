import { ComputedField } from '../fields/fields.js';
import { EXAMPLE_ID, REFERENCES } from '../openapi/schema.js';

// It identifies an entry of a list and is not a reference: the cable is what the record refers to.
const schema = { type: 'string', format: 'uuid', example: EXAMPLE_ID, [REFERENCES]: 'cables' } as const;

/** The cable at an end of cables. */
export const CableIdField = () =>
  ComputedField(
    'The cable at it; null without one',
    (t) => `(SELECT e.cable_id FROM cable_ends e WHERE e.end_id = ${t}.id)`,
    schema,
    { nullable: true },
  );
