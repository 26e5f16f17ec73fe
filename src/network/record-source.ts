import { EnumField } from '../fields/fields.js';

/** The source of a record: the shipped catalogue, or a caller of the API. */
export const RecordSourceField = () =>
  EnumField(
    'Origin: `vendor` in the catalogue that the service ships, `customer` when created through the API',
    'RecordSource',
    ['vendor', 'customer'],
    { default: 'customer', readOnly: true },
  );
