import { Index, PrimaryGeneratedColumn } from 'typeorm';
import { FurtherProperties, HasParts } from '../openapi/body.js';
import { customInResponse } from './custom/custom-schema.js';
import { fieldsOf } from './field.js';
import { defineStored } from './define-field.js';
import { timestamp } from './types/time.js';
import { uuid } from './types/uuid.js';

/** A record. Its three fields are set by the database and shown in every response. */
export abstract class StoredRecord {
  id!: string;
  createdAt!: string;
  updatedAt!: string;
}

const systemField = { readOnly: true, required: false, nullable: false } as const;

PrimaryGeneratedColumn('uuid')(StoredRecord.prototype, 'id');
defineStored(StoredRecord, 'id', {
  ...systemField,
  type: uuid,
  description: 'Identifier, given by the service',
  example: '3f2b8c1e-5d4a-4f6b-9a7c-1e2d3c4b5a69',
  column: false,
});
for (const [property, description] of [
  ['createdAt', 'When the record was created'],
  ['updatedAt', 'When the record was last changed'],
] as const) {
  defineStored(StoredRecord, property, {
    ...systemField,
    type: timestamp,
    description,
    example: '2026-03-01T08:30:00.000Z',
    databaseDefault: 'now()',
  });
}

// The default order of lists.
Index(['createdAt', 'id'])(StoredRecord);

HasParts((record) => fieldsOf(record).flatMap((field) => (field.kind === 'parts' ? [field.response()] : [])))(
  StoredRecord,
);
FurtherProperties((record, installation) => customInResponse(record.name, installation.of(record).fields))(
  StoredRecord,
);
