import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { snakeCase } from '../database/naming.js';
import { addField, type BodyField, type Class, type Field, isShown, RequestBody, type StoredField } from './field.js';
import { requestSchema, responseSchema } from './property-schema.js';
import { validateProperty } from './validation.js';
import { Check, Column, type ColumnOptions, Index, JoinColumn, ManyToOne } from 'typeorm';

/** Declares a field of a record: its column, if it is stored, and its property in responses. */
export function defineField(record: Class, field: Field): void {
  const prototype = record.prototype as object;
  addField(record, field);
  if (field.kind === 'stored' && field.column !== false) defineColumn(prototype, field);
  if (isShown(field)) document(prototype, field.property, responseSchema(record, field));
}

function document(prototype: object, property: string, schema: ApiPropertyOptions): void {
  // Nest needs the type that the compiler would add if the schema is a choice.
  if ('anyOf' in schema) Reflect.defineMetadata('design:type', Object, prototype, property);
  ApiProperty(schema)(prototype, property);
}

/** Declares a property of a request body: its validation and its schema. */
export function defineBodyField(body: Class, field: BodyField): void {
  const prototype = body.prototype as object;
  addField(body, field);
  validateProperty(prototype, field);
  document(prototype, field.property, requestSchema(field));
}

/** The declaration of a stored field. Its column name follows from the property, unless it is given. */
export type StoredDeclaration = Omit<StoredField, 'kind' | 'property' | 'columnName'> & { columnName?: string };

/** Declares a stored field of a record, or the same as a property of a request body. */
export function defineStored(target: Class, property: string, declaration: StoredDeclaration): void {
  const field: StoredField = { columnName: snakeCase(property), ...declaration, kind: 'stored', property };
  if (target.prototype instanceof RequestBody) defineBodyField(target, field);
  else defineField(target, field);
}

/** Declares the column of a stored field, with its default, reference, indexes and constraints. */
function defineColumn(prototype: object, field: StoredField): void {
  const { property, columnName, type, references, values, min, max } = field;
  const column = type.column(field);
  if (field.onDelete === 'SET NULL' && !field.nullable) {
    const at = `${prototype.constructor.name}.${property}`;
    throw new Error(`${at} cannot be required: it becomes null when the record that it refers to is deleted`);
  }
  Column({ ...column, name: columnName, nullable: field.nullable, ...defaultOf(field) })(prototype, property);
  if (field.unique) Index({ unique: true })(prototype, property);
  if (references) {
    const relation = property.replace(/Id$/, '');
    ManyToOne(references as () => never, { onDelete: field.onDelete, nullable: field.nullable })(prototype, relation);
    JoinColumn({ name: columnName })(prototype, relation);
    if (!field.unique && field.indexed !== false) Index()(prototype, property);
  }
  // These constraints also hold for SQL that does not come from the service.
  const constraint = (condition: string): void => Check(`ck_${columnName}`, condition)(prototype, property);
  if (values && !column.array && field.checked !== false) {
    constraint(`"${columnName}" IN (${values.map((value) => `'${value}'`).join(', ')})`);
  }
  const bounds = [
    ...(min === undefined ? [] : [`"${columnName}" >= ${min}`]),
    ...(max === undefined ? [] : [`"${columnName}" <= ${max}`]),
  ];
  if (bounds.length > 0) constraint(bounds.join(' AND '));
}

function defaultOf({ databaseDefault, default: value }: StoredField): Pick<ColumnOptions, 'default'> {
  if (databaseDefault !== undefined) return { default: () => databaseDefault };
  if (value === undefined) return {};
  return { default: Array.isArray(value) ? () => `'{${value.join(',')}}'` : value };
}
