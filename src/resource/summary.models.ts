import type { Class } from '../fields/field.js';
import { referencedRecordOf, relationOf } from '../fields/naming.js';
import { responseSchema } from '../fields/property-schema.js';
import { groupingsOf, summableOf } from '../lists/summary/summary-query.js';
import { recordSqlOf } from '../lists/record-sql.js';
import type { Model } from '../openapi/schema.js';
import { COUNT, model } from './document-model.js';

const PATTERNS = { day: String.raw`^\d{4}-\d{2}-\d{2}$`, month: String.raw`^\d{4}-\d{2}$`, year: String.raw`^\d{4}$` };
const EXAMPLES = { day: '2026-03-01', month: '2026-03', year: '2026' };

/** A group of a resource's summary, as the document shows it. */
export function summaryModel(record: Class): Model {
  const resource = recordSqlOf(record as never);
  const properties: Record<string, object> = {};
  for (const { key, field, unit } of groupingsOf(resource)) {
    const schema = unit
      ? {
          type: 'string',
          pattern: PATTERNS[unit],
          example: EXAMPLES[unit],
          description: `The ${unit}, in UTC, of: ${field.description}`,
        }
      : (responseSchema(record, field) as object);
    properties[key] = { ...schema, nullable: true, required: false, readOnly: undefined };
    const { references } = field;
    if (!references || unit) continue;
    properties[relationOf(field.property)] = {
      description: `The record that \`${key}\` refers to`,
      // The class may not be loaded yet.
      type: () => referencedRecordOf(references()),
      nullable: true,
      required: false,
    };
  }
  properties.count = { ...COUNT, description: 'Number of records in the group', required: true };
  const summable = summableOf(resource);
  if (summable.length > 0) {
    const sums = Object.fromEntries(
      summable.map(({ property, description, type }) => [
        property,
        {
          type: type.sqlType === 'numeric' ? 'string' : type.sqlType === 'integer' ? 'integer' : 'number',
          ...(type.sqlType === 'integer' && { format: 'int64' }),
          nullable: true,
          required: false,
          description: `Sum of: ${description}`,
        },
      ]),
    );
    const Sums = model(`${record.name}Sums`, sums);
    properties.sum = {
      type: () => Sums,
      description: 'The sums that were asked for; that of nothing is null',
      required: false,
    };
  }
  return model(`${record.name}Summary`, properties);
}
