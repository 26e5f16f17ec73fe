import { Controller, HttpCode, Inject, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Access } from '../access/access.js';
import { Ctx, type RequestContext } from '../lists/request-context.js';
import { ChangeLogEntry } from '../change-log/change-log-entry.entity.js';
import { BodyOf } from '../fields/bodies/bodies.js';
import { RequestBody } from '../fields/field.js';
import { LineField } from '../fields/fields.js';
import type { ActionReply } from '../http/replies.js';
import { AddRouteConfig } from '../http/route-config.js';
import { DRY_RUN, readOptions } from '../lists/parameters/query-options.js';
import type { RawQuery } from '../lists/parameters/query-parameters.js';
import { Operation } from '../openapi/operation.js';
import { OPS } from '../resource/bulk/bulk-body.js';
import { Idempotent } from '../resource/idempotency/idempotency.js';
import { TagOf } from '../resource/resource.operations.js';
import { UndoService } from './undo.service.js';

class UndoRequest extends RequestBody {
  @LineField('Request whose changes are taken back: its `X-Request-Id`, which its entries have', {
    required: true,
    example: '3f2b8c1e-5d4a-4f6b-9a7c-1e2d3c4b5a69',
  })
  requestId!: string;
}

class UndoneChange {
  @ApiProperty({ description: 'Resource of the record', example: 'devices' }) resource!: string;
  @ApiProperty({ description: 'The record', format: 'uuid' }) id!: string;
  @ApiProperty({ description: 'Its name', type: 'string', nullable: true, example: 'ams-core-sw-01' })
  name!: string | null;
  @ApiProperty({ description: 'What was taken back', enum: OPS, enumName: 'ChangeAction' }) action!: string;
}

class Undone {
  @ApiProperty({ description: 'What was taken back, by record', type: () => [UndoneChange] }) undone!: UndoneChange[];
}

/** Reverts the writes of a request. */
@Controller('api/change-log')
@TagOf(ChangeLogEntry)
export class UndoController {
  constructor(@Inject(UndoService) private readonly service: UndoService) {}

  @Post('undo')
  @HttpCode(200)
  @Access({ role: 'editor' })
  @AddRouteConfig({ takesQuery: true })
  @Idempotent()
  @Operation({
    operationId: 'undoRequest',
    text: {
      summary: 'Take back what a request has written',
      description:
        'What the request created is deleted, what it changed is set back, and what it deleted is restored with its references, all in one transaction. Needs the rights of each write. Where a field has another value by now, a record is gone or a rule would break, nothing is done: 409 with all `conflicts`. A receive is taken back as its receipt is reversed. An undo can be undone.',
    },
    body: UndoRequest,
    response: Undone,
    query: [DRY_RUN],
    rehearsed: true,
    status: 200,
    errors: [404, 409],
  })
  undo(
    @Ctx() ctx: RequestContext,
    @Query() query: RawQuery,
    @BodyOf(UndoRequest) { requestId }: UndoRequest,
  ): Promise<ActionReply> {
    const { dryRun } = readOptions({ dryRun: DRY_RUN }, query);
    return this.service.undo(ctx, requestId, dryRun);
  }
}
