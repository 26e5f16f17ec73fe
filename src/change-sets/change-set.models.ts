import { ApiProperty } from '@nestjs/swagger';
import { CreateBody, UpdateBody } from '../fields/bodies/bodies.js';
import { ExampleBody } from '../fields/bodies/body-example.js';
import { EXAMPLE_ID } from '../openapi/schema.js';
import { OPS } from '../resource/bulk/bulk-body.js';
import { ChangeSet } from './change-set.entity.js';
import { CONFLICT_KINDS } from './delta-conflict.js';
import { ChangeSetOperation } from './operation.entity.js';

export class CreateChangeSet extends CreateBody(ChangeSet) {}
export class UpdateChangeSet extends UpdateBody(ChangeSet) {}
@ExampleBody({
  op: 'update',
  resource: 'devices',
  recordId: EXAMPLE_ID,
  data: { rackId: EXAMPLE_ID, rackPosition: 12 },
})
export class CreateChangeSetOperation extends CreateBody(ChangeSetOperation) {}
export class UpdateChangeSetOperation extends UpdateBody(ChangeSetOperation) {}

const ID = { type: 'string', format: 'uuid', example: EXAMPLE_ID } as const;
const VALUES = { type: 'object', additionalProperties: true, nullable: true } as const;
const ANY = {
  anyOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'array', items: {} },
    { type: 'object', additionalProperties: true },
    { type: 'null' },
  ],
  example: 12,
};

class PreviewedChange {
  @ApiProperty({ ...ID, description: 'The operation' }) id!: string;
  @ApiProperty({ description: 'What is done', enum: OPS, enumName: 'ChangeAction' }) op!: string;
  @ApiProperty({ description: 'Resource of the record', example: 'devices' }) resource!: string;
  @ApiProperty({ ...ID, description: 'The record' }) recordId!: string;
  @ApiProperty({ ...VALUES, description: 'The record before the operation; null if there was none', example: {} })
  before!: object | null;
  @ApiProperty({ ...VALUES, description: 'The record after it; null if it is deleted', example: {} })
  after!: object | null;
}

class ChangeSetConflict {
  @ApiProperty({
    description:
      '`changed`: the field has neither the value that it had when the operation was written down nor the proposed one. `gone`: the record, or one that it refers to, does not exist. `rule`: the single request would be refused',
    enum: CONFLICT_KINDS,
    enumName: 'ChangeSetConflictKind',
  })
  kind!: string;
  @ApiProperty({ ...ID, description: 'The operation' }) operationId!: string;
  @ApiProperty({ description: 'Resource of the record', example: 'devices', required: false }) resource?: string;
  @ApiProperty({ ...ID, description: 'The record', required: false }) recordId?: string;
  @ApiProperty({
    description: 'The field, or null',
    type: 'string',
    nullable: true,
    example: 'rackPosition',
    required: false,
  })
  field?: string | null;
  @ApiProperty({ ...ANY, description: 'Its value when the operation was written down', required: false })
  base?: unknown;
  @ApiProperty({ ...ANY, description: 'Its present value', required: false }) current?: unknown;
  @ApiProperty({ ...ANY, description: 'Its value after the operation', required: false })
  proposed?: unknown;
  @ApiProperty({
    description: 'Who changed it last',
    type: 'string',
    nullable: true,
    example: 'bob@example.com',
    required: false,
  })
  changedBy?: string | null;
  @ApiProperty({
    description: 'When',
    type: 'string',
    format: 'date-time',
    nullable: true,
    example: '2026-03-01T08:30:00.000Z',
    required: false,
  })
  changedAt?: string | null;
  @ApiProperty({ description: 'What is wrong', example: 'rackPosition was changed since', required: false })
  message?: string;
}

export class ChangeSetPreview {
  @ApiProperty({ description: 'What is done, in order', type: () => [PreviewedChange] }) operations!: PreviewedChange[];
  @ApiProperty({ description: 'All that stands in the way of a merge', type: () => [ChangeSetConflict] })
  conflicts!: ChangeSetConflict[];
  @ApiProperty({
    description: 'Other work at the time of the change request on the records that are touched, as conflicts of work',
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    example: [],
  })
  warnings!: object[];
}

/** A change set that reverts another one. */
export class RevertedChangeSet extends ChangeSet {
  @ApiProperty({
    description: 'What it cannot bring back',
    type: 'array',
    items: { type: 'string' },
    example: [],
  })
  warnings!: string[];
}
