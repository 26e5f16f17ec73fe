import { ApiProperty } from '@nestjs/swagger';
import { onceFor } from '../http/once.js';
import { fieldsOf, isShown, isStored, type Class, type StoredField } from './field.js';
import { responseSchema } from './property-schema.js';

/** The field that names a record; undefined if it has none. */
export const namingOf = (record: Class): StoredField | undefined =>
  fieldsOf(record)
    .filter(isStored)
    .find(({ naming }) => naming);

/** Fields of a record that are shown beside its name where a reference to it is expanded. */
export const detailsOf = (record: Class): StoredField[] =>
  fieldsOf(record)
    .filter(isStored)
    .filter(({ shownWithName }) => shownWithName);

/** Name of the record that a reference refers to: `site` for `siteId`. */
export const relationOf = (property: string): string => property.replace(/Id$/, '');

/** A record that another refers to, as `expand` shows it. */
class ReferencedRecord {
  @ApiProperty({ description: 'Identifier', format: 'uuid' }) id!: string;
  @ApiProperty({ description: 'Name of the record: the value of the field that names it' }) name!: string;
}

/** The class of a record of this kind as `expand` shows it. */
export const referencedRecordOf = onceFor((record: Class): Class => {
  const details = detailsOf(record);
  if (details.length === 0) return ReferencedRecord;
  const shape = class extends ReferencedRecord {};
  Object.defineProperty(shape, 'name', { value: `Referenced${record.name}` });
  for (const detail of details) ApiProperty(responseSchema(record, detail))(shape.prototype as object, detail.property);
  return shape;
});

/** Documents what `expand` adds to a record, for each reference whose name is not a property of its own. */
export function documentExpansions(record: Class): void {
  const fields = fieldsOf(record);
  const own = new Set(fields.map(({ property }) => property));
  for (const field of fields.filter(isShown)) {
    const references = isStored(field) || field.kind === 'computed' ? field.references : undefined;
    const { property } = field;
    const name = relationOf(property);
    if (!references || own.has(name)) continue;
    ApiProperty({
      description: `The record that \`${property}\` refers to; only with \`expand=${name}\``,
      // The class may not be loaded yet.
      type: () => referencedRecordOf(references()),
      required: false,
      nullable: true,
      readOnly: true,
    })(record.prototype as object, name);
  }
}
