import 'reflect-metadata';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { Check, Column, Index, JoinColumn, ManyToOne } from 'typeorm';
import { snakeCase } from '../database/naming.js';
import { SCHEMA_NAME, type FieldOptions, type FieldType } from './field-types.js';

export type Class<T = object> = abstract new (...args: never[]) => T;
export type Concrete<T = object> = new () => T;

/** SQL of a value that is worked out when a record is read; `t` is the alias of the record's table. */
export type SqlExpression = (t: string) => string;

/** One field of a record or of a request body: the only declaration that storage, validation, lists and OpenAPI read. */
export interface Field extends FieldOptions {
  property: string;
  /** Name of the column; of a value that is not stored, the snake case of its property. */
  columnName: string;
  type: FieldType;
  /** Shown in Swagger UI and in generated clients. */
  description: string;
  example?: unknown;
  /** Must be in a create body. */
  required: boolean;
  /** May be null, in bodies and in responses. */
  nullable: boolean;
  /** Value where a create body has none. Set by the database, so that a PATCH can never bring it back. */
  default?: unknown;
  /** Default as an SQL expression. */
  databaseDefault?: string;
  /** In responses only; ignored in bodies, so that a client can send back what it read. */
  readOnly: boolean;
  /** In bodies only. */
  writeOnly?: boolean;
  /** Names the record, in the change log and wherever another record shows it. */
  naming?: boolean;
  /** Name of the schema that it has in responses, where that must not be left to generators. */
  schemaName?: string;
  /** Part of `search`. */
  searchable?: boolean;
  /** Encrypted at rest and readable by managers; not searched, sorted or filtered by. */
  secret?: boolean;
  /** Words that are usual in an open field; documented, not enforced. */
  knownValues?: readonly string[];
  /** The record that an `…Id` field refers to. */
  references?: () => Class;
  onDelete?: 'SET NULL' | 'CASCADE';
  unique?: boolean;
  /** Read from the record that another field refers to. */
  joined?: { via: string; property: string };
  /** Read by an SQL expression, with its schema in the OpenAPI document. */
  computed?: { sql: SqlExpression; schema: ApiPropertyOptions };
  /** Parts that are written and read with the record. */
  parts?: { body: () => Concrete; sql: SqlExpression; response: () => Class; min: number };
  /** False: another decorator made the column. */
  column?: boolean;
}

export type FieldDeclaration = Omit<Field, 'property' | 'columnName'>;

const FIELDS = Symbol('fields');

/** Base class of request bodies that are not derived from a record. */
// oxlint-disable-next-line typescript/no-extraneous-class -- what matters is to be its subclass
export abstract class RequestBody {}

/** The fields of a record or body, those of its base classes first, `createdAt` and `updatedAt` last. */
export function fieldsOf(target: Class): readonly Field[] {
  const all: Field[] = [];
  for (let at: unknown = target; typeof at === 'function'; at = Object.getPrototypeOf(at)) {
    all.unshift(...((Reflect.getOwnMetadata(FIELDS, at) as Field[] | undefined) ?? []));
  }
  const last = new Set(['createdAt', 'updatedAt']);
  return [...all.filter((field) => !last.has(field.property)), ...all.filter((field) => last.has(field.property))];
}

export const isStored = (field: Field): boolean => !field.joined && !field.computed && !field.parts;

/**
 * Declares a field: on a record it makes the column, its constraints and the property of the response schema; on a
 * request body the validation and the property of the request schema.
 */
export function defineField(target: Class, property: string, declaration: FieldDeclaration): void {
  const field: Field = { ...declaration, property, columnName: snakeCase(property) };
  const own = (Reflect.getOwnMetadata(FIELDS, target) as Field[] | undefined) ?? [];
  Reflect.defineMetadata(FIELDS, [...own, field], target);
  const prototype = target.prototype as object;
  if (prototype instanceof RequestBody) {
    validation(prototype, field);
    ApiProperty(bodySchema(field))(prototype, property);
  } else {
    if (isStored(field) && field.column !== false) storage(prototype, field);
    if (!field.writeOnly) ApiProperty(responseSchema(field))(prototype, property);
  }
}

function storage(prototype: object, field: Field): void {
  const { property, columnName, type, references } = field;
  const fallback =
    field.databaseDefault !== undefined
      ? () => field.databaseDefault
      : field.default === undefined
        ? undefined
        : Array.isArray(field.default)
          ? () => `'{${(field.default as string[]).join(',')}}'`
          : field.default;
  Column({
    ...type.column(field),
    nullable: field.nullable,
    ...(fallback !== undefined && { default: fallback }),
  } as never)(prototype, property);
  if (field.unique) Index({ unique: true })(prototype, property);
  if (references) {
    const relation = property.replace(/Id$/, '');
    ManyToOne(references as () => never, { onDelete: field.onDelete, nullable: field.nullable })(prototype, relation);
    JoinColumn({ name: columnName })(prototype, relation);
    if (!field.unique) Index()(prototype, property);
  }
  // The database holds what the service promises, whoever writes.
  const isArray = type.column(field).array;
  if (field.values && !isArray) {
    Check(`ck_${columnName}`, `"${columnName}" IN (${field.values.map((value) => `'${value}'`).join(', ')})`)(
      prototype,
      property,
    );
  }
  if (field.min !== undefined || field.max !== undefined) {
    const bounds = [
      field.min !== undefined && `"${columnName}" >= ${field.min}`,
      field.max !== undefined && `"${columnName}" <= ${field.max}`,
    ];
    Check(`ck_${columnName}`, bounds.filter(Boolean).join(' AND '))(prototype, property);
  }
}

function validation(prototype: object, field: Field): void {
  const { property, type, required, nullable } = field;
  if (!required) ValidateIf((_body, value) => value !== undefined)(prototype, property);
  if (field.parts) {
    const { body, min } = field.parts;
    Type(body)(prototype, property);
    ValidateNested({ each: true })(prototype, property);
    check(prototype, property, (value) => {
      if (value === undefined) return 'is required';
      if (!Array.isArray(value)) return 'must be an array of objects';
      const stranger = value.findIndex((entry) => typeof entry !== 'object' || entry === null || Array.isArray(entry));
      if (stranger >= 0) return `must be an array of objects (entry ${stranger} is not one)`;
      return value.length < min ? `must have at least ${min === 1 ? 'one entry' : `${min} entries`}` : undefined;
    });
    return;
  }
  check(prototype, property, (value) => {
    if (value === undefined) return 'is required';
    if (value === null) return nullable ? undefined : 'must not be null';
    return type.check(value, field);
  });
  const { normalise } = type;
  if (normalise) {
    Transform(({ value }: { value: unknown }) =>
      value === null || value === undefined || type.check(value, field) ? value : normalise(value as never),
    )(prototype, property);
  }
}

/** Registers a check with class-validator whose message is the end of a sentence that starts with the field's name. */
function check(prototype: object, property: string, fault: (value: unknown) => string | undefined): void {
  ValidateBy({
    name: 'field',
    validator: {
      validate: (value) => fault(value) === undefined,
      defaultMessage: (args) => fault(args?.value) ?? '',
    },
  })(prototype, property);
}

/** The description of a field, with the values that are usual in it. */
export function describe(field: Field): string {
  const parts = [field.description.replace(/\.$/, '')];
  if (field.knownValues)
    parts.push(`Usual values: ${field.knownValues.map((value) => `\`${value}\``).join(', ')}; others are accepted`);
  return parts.join('. ');
}

function valueSchema(field: Field, schema = field.type.schema(field)): Record<string, unknown> {
  const { values, enumName } = field;
  if (!values || !enumName) return schema;
  return schema.type === 'array'
    ? { enum: values, enumName, isArray: true, maxItems: schema.maxItems }
    : { enum: values, enumName };
}

function responseSchema(field: Field): ApiPropertyOptions {
  const description = describe(field);
  if (field.computed)
    return {
      description,
      required: true,
      nullable: field.nullable || undefined,
      readOnly: true,
      ...field.computed.schema,
    } as ApiPropertyOptions;
  if (field.parts) return { description, required: true, type: () => field.parts!.response() as never, isArray: true };
  return {
    ...valueSchema(field),
    ...(field.schemaName !== undefined && { [SCHEMA_NAME]: field.schemaName }),
    description,
    example: field.example,
    required: true,
    nullable: field.nullable || undefined,
    readOnly: field.readOnly || undefined,
  } as ApiPropertyOptions;
}

function bodySchema(field: Field): ApiPropertyOptions {
  const description = describe(field);
  if (field.parts) {
    const { body, min } = field.parts;
    return { description, required: field.required, type: () => body() as never, isArray: true, minItems: min };
  }
  return {
    ...valueSchema(field, field.type.requestSchema?.(field)),
    description,
    example: field.example,
    required: field.required,
    nullable: field.nullable || undefined,
    default: field.default,
    writeOnly: field.writeOnly || undefined,
  } as ApiPropertyOptions;
}
