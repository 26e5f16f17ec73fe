import { Check, Column, Index, JoinColumn, ManyToOne, type ColumnOptions } from 'typeorm';
import type { StoredField } from './field.js';

/** Declares the column of a stored field, with its default, reference, indexes and constraints. */
export function defineColumn(prototype: object, field: StoredField): void {
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
  if (values && !column.array) {
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
