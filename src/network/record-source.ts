import { EnumField } from '../fields/fields.js';

/** Where a record comes from: the catalogue that the service ships, or a caller of the API. */
export const RecordSourceField = () =>
  EnumField(
    'Origin: `vendor` in the catalogue that the service ships, `customer` when created through the API',
    'RecordSource',
    ['vendor', 'customer'],
    { default: 'customer', readOnly: true },
  );
