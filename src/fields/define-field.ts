import { ApiProperty } from '@nestjs/swagger';
import { snakeCase } from '../database/naming.js';
import { defineColumn } from './column.js';
import { addField, isShown, RequestBody, type BodyField, type Class, type Field, type StoredField } from './field.js';
import { requestSchema, responseSchema } from './property-schema.js';
import { validateProperty } from './validation.js';

/** Declares a field of a record: its column, if it is stored, and its property in responses. */
export function defineField(record: Class, field: Field): void {
  const prototype = record.prototype as object;
  addField(record, field);
  if (field.kind === 'stored' && field.column !== false) defineColumn(prototype, field);
  if (isShown(field)) ApiProperty(responseSchema(record, field))(prototype, field.property);
}

/** Declares a property of a request body: its validation and its schema. */
export function defineBodyField(body: Class, field: BodyField): void {
  const prototype = body.prototype as object;
  addField(body, field);
  validateProperty(prototype, field);
  ApiProperty(requestSchema(field))(prototype, field.property);
}

/** The declaration of a stored field. Its column name follows from the property, unless it is given. */
export type StoredDeclaration = Omit<StoredField, 'kind' | 'property' | 'columnName'> & { columnName?: string };

/** Declares a stored field of a record, or the same as a property of a request body. */
export function defineStored(target: Class, property: string, declaration: StoredDeclaration): void {
  const field: StoredField = { columnName: snakeCase(property), ...declaration, kind: 'stored', property };
  if (target.prototype instanceof RequestBody) defineBodyField(target, field);
  else defineField(target, field);
}
