import { Controller, Get, HttpCode, Inject, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Access } from '../access/access.js';
import { Ctx, type RequestContext } from '../lists/request-context.js';
import { NoBody } from '../fields/bodies/bodies.js';
import { PathId } from '../http/path-id.js';
import type { DocumentReply, PlainReply, RecordReply } from '../http/replies.js';
import { TakesQuery } from '../http/route-config.js';
import { choiceOption, readOptions } from '../lists/parameters/query-options.js';
import type { RawQuery } from '../lists/parameters/query-parameters.js';
import { Operation } from '../openapi/operation.js';
import { Idempotent } from '../resource/idempotency/idempotency.js';
import { ResourceController } from '../resource/resource.controller.js';
import { TagOf } from '../resource/resource.operations.js';
import { ChangeSet } from './change-set.entity.js';
import { ChangeSetPreview, CreateChangeSet, RevertedChangeSet, UpdateChangeSet } from './change-set.models.js';
import { ChangeSetsService } from './change-sets.service.js';
import { MergeService } from './merge.service.js';
import { UndoService } from './undo.service.js';

const FORMAT = choiceOption('format', 'DiffFormat', 'Format of the page', ['html']);

const read = { role: 'viewer' } as const;
const write = { role: 'editor' } as const;

@Controller('api/change-sets')
export class ChangeSetsController extends ResourceController({
  record: ChangeSet,
  about: 'Changes of many records that are written down, reviewed, and then made in one moment',
  view: { columns: ['name', 'status', 'operationCount', 'createdBy', 'mergedBy', 'mergedAt'], order: '-createdAt' },
  create: CreateChangeSet,
  update: UpdateChangeSet,
  conflicts: { update: true },
  access: { read, write },
  service: ChangeSetsService,
  // Its operations are not in the change log.
  restorable: false,
  deleteErrors: [409],
  text: {
    create: {
      description:
        'Requests with `changeSet=<id>` are then written down in it as operations, and not carried out. With `changeRequestId` the merge needs an approval of that change request.',
    },
    update: {
      description: 'Only while it is open. Once there are operations, only managers change `changeRequestId`.',
    },
    delete: { description: 'Its operations are deleted with it. A merged one cannot be deleted.' },
  },
}) {}

/** The actions of a change set. */
@Controller('api/change-sets/:id')
@TagOf(ChangeSet)
export class ChangeSetActionsController {
  constructor(
    @Inject(MergeService) private readonly merges: MergeService,
    @Inject(ChangeSetsService) private readonly sets: ChangeSetsService,
    @Inject(UndoService) private readonly undo: UndoService,
  ) {}

  @Post('preview')
  @HttpCode(200)
  @Access(read)
  @Operation({
    operationId: 'previewChangeSet',
    text: {
      summary: 'See what the merge of a change set would do',
      description:
        'Runs the merge with all its checks, and rolls it back. Shows every operation with the record before and after it, and all conflicts. The `ETag` suits `If-Match` of the merge, and `digest` an approval. Ends after 10 seconds with 503. Takes no body.',
    },
    response: ChangeSetPreview,
    besideData: { digest: { type: 'string', description: 'What an approval of the change set names' } },
    status: 200,
    headers: {
      ETag: { description: 'Names what the merge would do', required: true, schema: { type: 'string' } },
    },
    errors: [409],
    finds: 'change set',
  })
  preview(@Ctx() ctx: RequestContext, @PathId() id: string, @NoBody _body: object): Promise<PlainReply> {
    return this.merges.preview(ctx, id);
  }

  @Get('diff')
  @Access(read)
  @TakesQuery()
  @Operation({
    operationId: 'getChangeSetDiff',
    text: {
      summary: 'Read what a change set would do as a page',
      description:
        'The preview for people: one printable file without script, conflicts first, then each record before and after, with names in place of ids.',
    },
    document: { text: { type: 'text/html', description: 'The page' } },
    query: [FORMAT],
    status: 200,
    errors: [409],
    finds: 'change set',
  })
  diff(
    @Ctx() ctx: RequestContext,
    @PathId() id: string,
    @Query() query: RawQuery,
    @Req() { headers }: FastifyRequest,
  ): Promise<DocumentReply> {
    readOptions({ format: FORMAT }, query);
    return this.merges.diff(ctx, id, headers['if-none-match']);
  }

  @Post('merge')
  @HttpCode(200)
  @Access(write)
  @Idempotent()
  @Operation({
    operationId: 'mergeChangeSet',
    text: {
      summary: 'Do what a change set says',
      description:
        'All operations in their order and in one transaction, or none. Needs the rights of every operation. Refused with 409 and `conflicts` if anything stands in the way. `If-Match` takes the `ETag` of a preview. With `changeRequestId`, the change request must be approved, scheduled or in progress, and have an approval that counts. Takes no body.',
    },
    response: ChangeSet,
    record: true,
    status: 200,
    conditional: true,
    errors: [409],
    finds: 'change set',
  })
  merge(@Ctx() ctx: RequestContext, @PathId() id: string, @NoBody _body: object): Promise<RecordReply> {
    return this.merges.merge(ctx, id);
  }

  @Post('revert')
  @HttpCode(201)
  @Access(write)
  @Idempotent()
  @Operation({
    operationId: 'revertChangeSet',
    text: {
      summary: 'Plan to take a merged change set back',
      description:
        'Makes a new open change set that takes back everything that the merge has written, parts and cleared references included. Licence keys cannot be brought back, which `warnings` says. Takes no body.',
    },
    response: RevertedChangeSet,
    status: 201,
    errors: [409],
    finds: 'change set',
  })
  revert(@Ctx() ctx: RequestContext, @PathId() id: string, @NoBody _body: object): Promise<PlainReply> {
    return this.undo.revert(ctx, id);
  }

  @Post('discard')
  @HttpCode(200)
  @Access(write)
  @Idempotent()
  @Operation({
    operationId: 'discardChangeSet',
    text: {
      summary: 'Discard a change set',
      description: 'It stays with its operations, and cannot be changed or merged any more. Takes no body.',
    },
    response: ChangeSet,
    record: true,
    status: 200,
    errors: [409],
    finds: 'change set',
  })
  discard(@Ctx() ctx: RequestContext, @PathId() id: string, @NoBody _body: object): Promise<RecordReply> {
    return this.sets.discard(ctx, id);
  }
}
