import { createExample } from '../fields/bodies/body-example.js';
import type { Concrete } from '../fields/field.js';
import { FAULT_CODES } from '../http/errors.js';
import { COUNT, model } from './document-model.js';

const text = (description: string): object => ({ type: 'string', description, required: true });
const place = (description: string): object => ({
  type: 'integer',
  format: 'int32',
  minimum: 1,
  description,
  required: true,
});
const count = (description: string): object => ({ ...COUNT, description, required: true });

const ImportFault = model('ImportFault', {
  row: place('Number of the row, from 1'),
  line: place('Line of the file on which the row starts'),
  field: text('Column; empty if the fault is of the row as a whole'),
  code: { ...text('The kind of the fault, for programs'), enum: FAULT_CODES, enumName: 'FaultCode' },
  message: text('What was expected'),
});

export const ImportResult = model('ImportResult', {
  rows: count('Number of rows, without the header'),
  created: count('Number of records that were created'),
  updated: count('Number of records that were changed'),
  unchanged: count('Number of records that already had the values of their rows'),
  failed: count('Number of rows with faults'),
  faults: {
    type: () => ImportFault,
    isArray: true,
    maxItems: 1000,
    description: 'The first 1,000 faults',
    required: true,
  },
  ids: {
    type: 'array',
    items: { type: ['string', 'null'], format: 'uuid' },
    description: 'With `report=ids`, the id of the record of each row; null for a row that was skipped',
    required: false,
  },
});

const cell = (value: unknown): string => {
  const written = typeof value === 'string' ? value : JSON.stringify(value);
  return /[",\r\n]/.test(written) ? `"${written.replaceAll('"', '""')}"` : written;
};

/** Files with one row, by their media types. */
export function importExamples(create: Concrete): Record<string, string> {
  const example = createExample(create);
  return {
    'text/csv': `${Object.keys(example).join(',')}\n${Object.values(example).map(cell).join(',')}\n`,
    'application/x-ndjson': `${JSON.stringify(example)}\n`,
  };
}
