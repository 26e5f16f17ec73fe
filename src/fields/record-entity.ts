import 'reflect-metadata';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Column, Entity, getMetadataArgsStorage } from 'typeorm';
import type { Area } from '../access/access.js';
import { once } from '../http/once.js';
import { named } from '../openapi/schema.js';
import { fieldsOf, isStored, type Class } from './field.js';
import { documentExpansions } from './naming.js';
import { articleOf, wordsOf } from './words.js';

/** Properties of a record class besides its fields. */
interface RecordDescription {
  /** Area that is required for writing, and in operations also for reading; null if a role is enough. */
  area: Area | null;
  /** True if every session may read the records and their change log entries without an area. */
  open?: true;
  /** False if changes of the record leave no entries in the change log. */
  logged?: false;
  /** True if the record is deleted with its owner, but has a list of its own. */
  listed?: true;
  /** SQL condition on the entry `c` of its deletion, which must hold for the record to be restored with the record that it is a part of. */
  restoredIf?: string;
  /** Columns that are not fields and whose values must not be in the change log. */
  withheld?: readonly string[];
  /** For a table partitioned by `created_at`: the type of (created_at, id) in the database. A lookup by id alone searches every partition. */
  key?: string;
  /** Whether an index covers the whole numbers in the searched texts (`numbers_in`), in the order of the fields. */
  numbers?: true;
  /** The record in words, as within a sentence: `IP address`. Its class name in words by default. */
  label?: string;
  /** The plural of `label`. The table name in words by default. */
  plural?: string;
  /** Indefinite article of `label`. By its spelling by default. */
  article?: 'a' | 'an';
  /** Properties that distinguish records of the same name. They are shown beside the name where a record is chosen or found. */
  apart?: readonly string[];
  /** Whether triggers compare the records that refer to it with it. Requests then lock it against every change, not only against deletion. */
  compared?: true;
  /** Whether names often repeat. These properties are then shown wherever the name stands for a record. */
  namesRepeat?: true;
}

/** Column with the custom values of a record, as the API shows them; null if there are none. */
export const CUSTOM_COLUMN = 'custom_fields';

/** The values in a response. `GET /api/openapi.json` describes the fields of the installation. */
const CUSTOM_VALUES: ApiPropertyOptions = {
  ...named(
    {
      name: 'CustomFieldValues',
      description: 'Values of the fields that the installation has defined, by key; only where there are such fields',
      examples: [{ costCentre: '4711' }],
    },
    { type: 'object', additionalProperties: true },
  ),
  required: false,
  readOnly: true,
} as ApiPropertyOptions;

const DESCRIPTION = Symbol('record description');
const RESOURCE = Symbol('resource of a record');

/** Declares a record that is stored in `table`. The table also names its resource. */
export function RecordEntity(table: string, description: RecordDescription): (target: Class) => void {
  return (target) => {
    Entity(table)(target);
    if (description.key !== undefined) keyByTime(target);
    // Records of the families have custom fields. Their values are not a field of the class, because an installation defines them.
    if (description.area !== null) {
      Column({ type: 'jsonb', name: CUSTOM_COLUMN, nullable: true })(target.prototype as object, 'customFields');
      ApiProperty(CUSTOM_VALUES)(target.prototype as object, 'customFields');
    }
    Reflect.defineMetadata(DESCRIPTION, description, target);
    Reflect.defineMetadata(RESOURCE, table.replaceAll('_', '-'), target);
    documentExpansions(target);
  };
}

/** The primary key of a partitioned table contains the partition key. TypeORM takes the first declaration of a property. */
function keyByTime(target: Function): void {
  const { columns } = getMetadataArgsStorage();
  const declared = columns.find(({ propertyName }) => propertyName === 'createdAt')!;
  columns.unshift({ ...declared, target, options: { ...declared.options, primary: true } });
}

/** Description of a record, or of the record that it extends. */
export function descriptionOf(record: Class): RecordDescription {
  const description = Reflect.getMetadata(DESCRIPTION, record) as RecordDescription | undefined;
  if (!description) throw new Error(`${record.name} is not declared with @RecordEntity`);
  return description;
}

/** Name of a record's resource, as in the change log: `device-ports`; undefined for a class that is no record. */
export const resourceOf = (record: Class): string | undefined =>
  Reflect.getMetadata(RESOURCE, record) as string | undefined;

/** The same by the name of a record class, which is also the name of its schema in the document. */
export const resourceOfName = (name: string): string | undefined =>
  getMetadataArgsStorage()
    .tables.map(({ target }) => target as Class)
    .filter((target) => target.name === name)
    .map(resourceOf)[0];

export const areaOf = (record: Class): Area | null => descriptionOf(record).area;

export const hasCustomFields = (record: Class): boolean => areaOf(record) !== null;

/** Whether changes of a record leave entries in the change log. */
export const isLogged = (record: Class): boolean => descriptionOf(record).logged !== false;

/** Resources without an area that every session may read. */
export const openResources = once((): readonly string[] =>
  getMetadataArgsStorage().tables.flatMap(({ target }) => {
    const description = Reflect.getMetadata(DESCRIPTION, target as Class) as RecordDescription | undefined;
    return description?.open ? [resourceOf(target as Class)!] : [];
  }),
);

/** Whether a record is reached only through its owner. */
export const isPart = (record: Class): boolean =>
  descriptionOf(record).listed !== true &&
  fieldsOf(record).some((field) => isStored(field) && field.onDelete === 'CASCADE');

/** Properties that distinguish records of the same name. */
export const apartOf = (record: Class): readonly string[] => descriptionOf(record).apart ?? [];

/** Whether names of records often repeat. */
export const namesRepeat = (record: Class): boolean => descriptionOf(record).namesRepeat === true;

/** A record in words: `on-call schedule`, `IP address`. */
export const labelOf = (record: Class): string => descriptionOf(record).label ?? wordsOf(record.name);

/** Several records in words: `on-call schedules`, `IP addresses`. */
export const pluralLabelOf = (record: Class, table: string): string => descriptionOf(record).plural ?? wordsOf(table);

/** A record in words with its indefinite article: `an SLA`, `a device`. */
export function withArticle(record: Class): string {
  const label = labelOf(record);
  return `${descriptionOf(record).article ?? articleOf(label)} ${label}`;
}
