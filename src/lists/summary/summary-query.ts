import { isList, isStored, type ComputedField, type Field, type StoredField } from '../../fields/field.js';
import type { NamedReference } from '../../fields/references.js';
import type { ListQuery } from '../list-query.js';
import type { ListRequest } from '../list-request.js';
import { NarrowedQuery } from '../narrowed-query.js';
import { CURSOR, FILE_FORMATS, PAGE, RAW } from '../parameters/paging.js';
import { choice } from '../parameters/query-parameters.js';
import { words } from '../parameters/words.js';
import type { RecordSql } from '../record-sql.js';

/** Fields that records can be grouped by at once. */
const MOST_FIELDS = 3;

/** The units of time in UTC, each with how PostgreSQL writes one. */
export const TIME_UNITS = { day: 'YYYY-MM-DD', month: 'YYYY-MM', year: 'YYYY' } as const;
type TimeUnit = keyof typeof TIME_UNITS;

/** A grouping: the values of a field, or the days, months or years of a time. */
export interface Grouping {
  /** Property of a row: `status`, or `createdAt:month`. */
  key: string;
  field: StoredField;
  unit?: TimeUnit;
  /** The record that the field refers to, which a row names. */
  reference?: NamedReference;
}

/** A requested summary: which records, the groupings and the sums. */
export interface SummaryRequest extends ListRequest {
  groupings: readonly Grouping[];
  sums: readonly Summable[];
  /** Whether `format` asks for a picture. */
  asPicture: boolean;
}

const TIMES = new Set(['timestamptz', 'timestamp', 'date']);
const NUMBERS = new Set(['integer', 'double precision', 'numeric']);
const UNITS = Object.keys(TIME_UNITS) as TimeUnit[];

const isTime = ({ type }: StoredField): boolean => TIMES.has(type.sqlType);

/** The possible groupings of a resource: every field with a filter, except for lists. */
export const groupingsOf = ({ filtered }: Pick<RecordSql, 'filtered'>): Grouping[] =>
  filtered
    .filter((field) => !isList(field))
    .flatMap((field): Grouping[] =>
      isTime(field)
        ? UNITS.map((unit) => ({ key: `${field.property}:${unit}`, field, unit }))
        : [{ key: field.property, field }],
    );

/** A field that can be summed: a number that is stored or computed. */
export type Summable = StoredField | ComputedField;

/** The number type of a field. Sums of decimals are texts, like decimals. */
export function numberOf(field: Summable): 'integer' | 'number' | 'decimal' {
  if (isStored(field)) {
    const { sqlType } = field.type;
    return sqlType === 'numeric' ? 'decimal' : sqlType === 'integer' ? 'integer' : 'number';
  }
  return field.decimal ? 'decimal' : field.schema.type === 'integer' ? 'integer' : 'number';
}

const isComputedNumber = (field: Field): field is ComputedField =>
  field.kind === 'computed' &&
  (field.decimal === true || field.schema.type === 'integer' || field.schema.type === 'number');

/** The fields of a resource that can be summed up. */
export const summableOf = ({
  filtered,
  fields = [],
}: Pick<RecordSql, 'filtered'> & Partial<Pick<RecordSql, 'fields'>>): Summable[] => [
  ...filtered.filter((field) => NUMBERS.has(field.type.sqlType) && !isList(field)),
  ...fields.filter(isComputedNumber),
];

/** Parameters of a list that do not apply to a summary. */
const OF_RECORDS = new Set(['sort', 'order', 'expand']);

const FORMAT = choice<SummaryRequest, (typeof FILE_FORMATS)[number] | 'svg'>(
  'format',
  'ListOrPictureFormat',
  'The summary as a file, as of other lists, or `svg`, a picture: a bar chart of the counts, or of the sum if one is given. It has precedence over `Accept`',
  [...FILE_FORMATS, 'svg'],
  (request, format) => {
    if (format === 'svg') request.asPicture = true;
    else request.format = format;
  },
);

/** The query of a summary: groupings, sums, and the filters of the list. */
export const summaryOf = (list: ListQuery): NarrowedQuery<SummaryRequest> =>
  new NarrowedQuery<SummaryRequest>(list, (resource) => {
    const { record } = resource;
    const references = new Map(resource.named.map((reference) => [reference.field, reference]));
    const groupings = new Map(
      groupingsOf(resource).map((grouping) => [
        grouping.key,
        { ...grouping, reference: references.get(grouping.field) },
      ]),
    );
    const summable = new Map(summableOf(resource).map((field) => [field.property, field]));
    const groupBy = words<SummaryRequest, string>(
      'groupBy',
      `${record.name}Grouping`,
      `Fields to group by: up to ${MOST_FIELDS} fields, separated by commas or repeated. Times and dates are grouped by day, month or year, in UTC`,
      [...groupings.keys()],
      (request, given) => {
        request.groupings = given.map((key) => groupings.get(key)!);
        return given.length > MOST_FIELDS ? `must be at most ${MOST_FIELDS} fields` : undefined;
      },
      {
        separated: true,
        reason(word) {
          const units = UNITS.map((unit) => `${word}:${unit}`).filter((one) => groupings.has(one));
          return units.length > 0 ? `must have a unit of time: ${units.join(', ')}` : undefined;
        },
      },
    );
    const sum = words<SummaryRequest, string>(
      'sum',
      `${record.name}Summable`,
      'Fields to add up for each group, separated by commas or repeated',
      [...summable.keys()],
      (request, given) => {
        request.sums = given.map((property) => summable.get(property)!);
        return undefined;
      },
      { separated: true },
    );
    return {
      parameters: [
        ...PAGE,
        FORMAT,
        RAW,
        ...CURSOR,
        { ...groupBy, required: true },
        ...(summable.size > 0 ? [sum] : []),
      ],
      defaults: { groupings: [], sums: [], asPicture: false },
      without: OF_RECORDS,
    };
  });
