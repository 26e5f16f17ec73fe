import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { Access } from '../access/access.js';
import { Ctx, type RequestContext } from '../lists/request-context.js';
import { BodyOf } from '../fields/bodies/bodies.js';
import { MIB } from '../http/json-body.js';
import { pathId } from '../http/path-id.js';
import type { ActionReply, ListReply, RecordReply } from '../http/replies.js';
import { AddRouteConfig, TakesQuery } from '../http/route-config.js';
import { listOf, QueryOf } from '../lists/list-query.js';
import { DRY_RUN, readOptions } from '../lists/parameters/query-options.js';
import type { RawQuery } from '../lists/parameters/query-parameters.js';
import type { ListRequest } from '../lists/list-request.js';
import { Operation } from '../openapi/operation.js';
import type { Owner } from '../records/owner.js';
import { readBulk } from '../resource/bulk/bulk-body.js';
import { bulkModels } from '../resource/bulk.models.js';
import { Idempotent } from '../resource/idempotency/idempotency.js';
import { operationsOf, TagOf } from '../resource/resource.operations.js';
import { ChangeSet } from './change-set.entity.js';
import { CreateChangeSetOperation, UpdateChangeSetOperation } from './change-set.models.js';
import { ChangeSetOperation } from './operation.entity.js';
import { OperationsService } from './operations.service.js';

const record = ChangeSetOperation;
const read = { role: 'viewer' } as const;
const write = { role: 'editor' } as const;
const list = listOf(record);
const bodies = { create: CreateChangeSetOperation, update: UpdateChangeSetOperation };

const document = operationsOf(record, {
  text: {
    list: {
      summary: 'List the operations of a change set',
      description:
        'In the order in which the merge does them. `data` and `base` of records that the caller may not read are null; a file leaves these operations out.',
    },
    create: {
      summary: 'Write an operation down in a change set',
      description:
        'Needs the rights of the write itself. The operation is merged into the last one on its record, if no operation on another record stands between. Deleting a new record again cancels both. Operations are never changed. A change set has at most 10,000.',
    },
    delete: { summary: 'Take an operation out of a change set', description: 'Only while the change set is open.' },
  },
});

type At = Record<string, string>;

const setOf = (at: At): Owner => ({ record: ChangeSet, field: 'changeSetId', id: pathId(at) });

/** The operations of a change set. They are created, read and deleted, and never changed. */
@Controller('api/change-sets/:id/operations')
@TagOf(ChangeSet)
export class OperationsController {
  constructor(@Inject(OperationsService) private readonly service: OperationsService) {}

  @Get()
  @Access(read)
  @TakesQuery()
  @document.list(list, ['changeSetId'])
  list(@Ctx() ctx: RequestContext, @Param() at: At, @QueryOf(list) request: ListRequest): Promise<ListReply> {
    return this.service.list(ctx, request, setOf(at));
  }

  @Post()
  @Access(write)
  @Idempotent()
  @document.create(CreateChangeSetOperation, { conflicts: true })
  create(
    @Ctx() ctx: RequestContext,
    @Param() at: At,
    @BodyOf(CreateChangeSetOperation) body: object,
  ): Promise<RecordReply> {
    return this.service.add(ctx, pathId(at), body);
  }

  @Post('bulk')
  @HttpCode(200)
  @Access(write)
  @AddRouteConfig({ takesQuery: true, bodyLimit: 16 * MIB, bodyValues: 250_000 })
  @Idempotent()
  @Operation({
    operationId: 'bulkChangeSetOperations',
    text: {
      summary: 'Write operations down together, and take some out',
      description: 'Up to 1,000, all of them or none. `update` is refused: operations are never changed.',
    },
    ...bulkModels(record, bodies, 'ChangeSetOperation', 'ChangeSetOperations'),
    query: [DRY_RUN],
    rehearsed: true,
    status: 200,
    errors: [404, 409, 412],
  })
  async bulk(
    @Ctx() ctx: RequestContext,
    @Param() at: At,
    @Query() query: RawQuery,
    @Body() body: unknown,
  ): Promise<ActionReply> {
    const { dryRun } = readOptions({ dryRun: DRY_RUN }, query);
    return this.service.bulk(ctx, pathId(at), await readBulk(bodies, body, ctx.fields), dryRun);
  }

  @Get(':operationId')
  @Access(read)
  @Operation({
    operationId: 'getChangeSetOperation',
    text: { summary: 'Read an operation of a change set', description: 'As it was written down.' },
    response: record,
    record: true,
    status: 200,
    finds: 'operation',
  })
  get(@Ctx() ctx: RequestContext, @Param() at: At): Promise<RecordReply> {
    return this.service.get(ctx, pathId(at, 'operationId'), setOf(at));
  }

  @Delete(':operationId')
  @HttpCode(204)
  @Access(write)
  @document.remove([], [409])
  remove(@Ctx() ctx: RequestContext, @Param() at: At): Promise<void> {
    const owner = setOf(at);
    return this.service.takeOut(ctx, owner.id, pathId(at, 'operationId'), owner);
  }
}
