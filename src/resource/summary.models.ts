import { orNull, referOrNull, referredTo, valuesOf } from '../fields/custom/custom-schema.js';
import { fieldsOf, type Class, type CustomFields, type StoredField } from '../fields/field.js';
import { StoredRecord } from '../fields/record.js';
import { referencedRecordOf, relationOf } from '../fields/naming.js';
import { responseSchema } from '../fields/property-schema.js';
import { capital } from '../fields/words.js';
import { groupingsOf, numberOf, summableOf, type Summable } from '../lists/summary/summary-query.js';
import { declaredSqlOf } from '../lists/record-sql.js';
import { FurtherProperties, type FurtherProperty } from '../openapi/body.js';
import { named, type Model } from '../openapi/schema.js';
import { COUNT, model } from './document-model.js';

type Schema = Record<string, unknown>;

const PATTERNS = { day: String.raw`^\d{4}-\d{2}-\d{2}$`, month: String.raw`^\d{4}-\d{2}$`, year: String.raw`^\d{4}$` };
const EXAMPLES = { day: '2026-03-01', month: '2026-03', year: '2026' };

/** A group of a resource's summary, as the document shows it. */
export function summaryModel(record: Class): Model {
  const resource = declaredSqlOf(record as Class<StoredRecord>);
  const properties: Record<string, object> = {};
  for (const { key, field, unit } of groupingsOf(resource)) {
    const schema = unit ? unitSchema(field, unit) : (responseSchema(record, field) as object);
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
    const sums = summable.map((field) => [
      field.property,
      { ...sumSchema(field, field.description), nullable: true, required: false },
    ]);
    const Sums = model(`${record.name}Sums`, Object.fromEntries(sums) as Record<string, object>);
    properties.sum = { type: () => Sums, description: SUMS, required: false };
  }
  const Summary = model(`${record.name}Summary`, properties);
  FurtherProperties((_, installation) => customProperties(record, installation.of(record), summable.length > 0))(
    Summary,
  );
  return Summary;
}

/** The time unit of a grouping. That of a field that every record has is the same in all summaries, which refer to one schema. */
function unitSchema({ property, description }: StoredField, unit: keyof typeof PATTERNS): Schema {
  const schema = {
    type: 'string',
    pattern: PATTERNS[unit],
    example: EXAMPLES[unit],
    description: `The ${unit}, in UTC, of: ${description}`,
  };
  const isEverywhere = fieldsOf(StoredRecord).some((field) => field.property === property);
  return isEverywhere ? named({ name: `${capital(property)}${capital(unit)}`, whole: true }, schema) : schema;
}

const SUMS = 'The requested sums; null where there are no values';

function sumSchema(field: Summable, description: string): Schema {
  const number = numberOf(field);
  return {
    type: number === 'decimal' ? 'string' : number,
    ...(number === 'integer' && { format: 'int64' }),
    description: `Sum of: ${description}`,
  };
}

/** Further properties of the groups in an installation: the values and the sums of custom fields. */
function customProperties(record: Class, { fields }: CustomFields, hasSums: boolean): Record<string, FurtherProperty> {
  const custom = { filtered: fields };
  const groups = groupingsOf(custom).map(({ key, field, unit }): [string, FurtherProperty] => {
    if (unit) {
      const description = `The ${unit}, in UTC, of \`${field.property}\``;
      return [key, { schema: { type: ['string', 'null'], pattern: PATTERNS[unit], description } }];
    }
    const { references } = field;
    if (references) return [key, { schema: referredTo(references(), `The record that \`${key}\` refers to`) }];
    return [key, { schema: referOrNull(valuesOf(field)) }];
  });
  const summable = summableOf(custom);
  if (summable.length === 0) return Object.fromEntries(groups);
  const sums = {
    type: 'object',
    properties: Object.fromEntries(
      summable.map((field) => [field.property, orNull(sumSchema(field, `\`${field.property}\``))]),
    ),
  };
  const own = { allOf: [{ $ref: `#/components/schemas/${record.name}Sums` }, sums] };
  return { ...Object.fromEntries(groups), sum: { schema: { ...(hasSums ? own : sums), description: SUMS } } };
}
