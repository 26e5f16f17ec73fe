import { Controller, Delete, Get, HttpCode, Inject, Param, Post, type Type } from '@nestjs/common';
import { Access, type AccessRule } from '../../access/access.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import { BodyOf, CreateBody } from '../../fields/bodies/bodies.js';
import type { Class, Concrete } from '../../fields/field.js';
import { labelOf, withArticle } from '../../fields/record-entity.js';
import { NotFound } from '../../http/errors.js';
import { pathId } from '../../http/path-id.js';
import type { ListReply, RecordReply } from '../../http/replies.js';
import { TakesQuery } from '../../http/route-config.js';
import { listOf, QueryOf } from '../../lists/list-query.js';
import type { ListRequest } from '../../lists/list-request.js';
import { declaredSqlOf } from '../../lists/record-sql.js';
import { Operation } from '../../openapi/operation.js';
import { conditionsOf, type Owner } from '../../records/owner.js';
import { serviceOf } from '../../records/resource.service.js';
import { Idempotent } from '../idempotency/idempotency.js';
import { operationsOf, TagOf } from '../resource.operations.js';
import type { Approvable } from './approval.entity.js';
import { ApprovalsService } from './approvals.service.js';
import { approvalsSoFar, recordDigest } from './approval-state.js';

/** Where the approvals of a kind of record are, and who reads and gives them. */
export interface ApprovalsPlace extends Approvable {
  /** Path of one record. Its last parameter is the id. */
  path: string;
  read: AccessRule;
  write: AccessRule;
  /** The record that the approved one is a part of, and the parameter that has the id of the part. */
  within?: { record: Class; field: string; param: string };
}

/** Properties of the response beside the approvals. */
const BESIDE = {
  given: {
    type: 'integer',
    format: 'int32',
    minimum: 0,
    description: 'Number of people whose approval of the record as it is now counts',
  },
  mayApprove: { type: 'boolean', description: 'Whether an approval by the caller would count' },
};

/** The provider of the approvals of one kind of record. */
export const approvalsServiceOf = ({ record }: Approvable): Type<ApprovalsService> =>
  serviceOf(record, ApprovalsService) as Type<ApprovalsService>;

/** The controller of the approvals of one kind of record. They are created, read and withdrawn, and never changed. */
export function approvalsController({ owner, record, path, within, read, write }: ApprovalsPlace): Type {
  const name = `Create${record.name}`;
  const create: Concrete = { [name]: class extends CreateBody(record) {} }[name]!;
  const list = listOf(record);
  const label = labelOf(owner);
  const document = operationsOf(record, {
    text: {
      list: {
        summary: `List the approvals of ${withArticle(owner)}`,
        description: 'Those of earlier states included.',
      },
      create: {
        summary: `Approve ${withArticle(owner)}, or reject it`,
        description: `\`digest\` is that of \`GET …/transitions\`; another one is refused with 409. Whatever changes the ${label} but its status and times lets earlier approvals lapse. An approval counts if the profile is active, has the role that the move asks for and the area, and neither created the ${label} nor last changed it, also by another profile of the same person. Those that do not count are kept too. A rejection holds back moves that need approvals.`,
      },
      delete: {
        summary: 'Withdraw an approval or a rejection',
        description: `Only the approver can, and only until the ${label} moves.`,
      },
    },
  });
  const Service = approvalsServiceOf({ owner, record });
  /** @throws NotFound */
  const ownerOf = async (ctx: RequestContext, at: Record<string, string>): Promise<Owner> => {
    const id = pathId(at, within?.param);
    if (within) {
      const place = conditionsOf(declaredSqlOf(owner), { record: within.record, field: within.field, id: pathId(at) });
      if ((await recordDigest(ctx.db, owner, id, place)) === undefined) throw new NotFound(declaredSqlOf(owner).label);
    }
    return { record: owner, field: 'recordId', id };
  };

  @Controller(`${path}/approvals`)
  @TagOf(within?.record ?? owner)
  class ApprovalsController {
    constructor(@Inject(Service) private readonly service: ApprovalsService) {}

    @Get()
    @Access(read)
    @TakesQuery()
    @document.list(list, ['recordId'], BESIDE)
    async list(
      @Ctx() ctx: RequestContext,
      @Param() at: Record<string, string>,
      @QueryOf(list) request: ListRequest,
    ): Promise<ListReply> {
      const { id, ...place } = await ownerOf(ctx, at);
      const approvals = await this.service.list(ctx, request, { id, ...place });
      return approvals.beside(await approvalsSoFar(ctx.db, owner, id, ctx.caller));
    }

    @Post()
    @Access(write)
    @Idempotent()
    @document.create(create, { conflicts: true })
    async create(
      @Ctx() ctx: RequestContext,
      @Param() at: Record<string, string>,
      @BodyOf(create) body: object,
    ): Promise<RecordReply> {
      return this.service.create(ctx, body, await ownerOf(ctx, at));
    }

    @Get(':approvalId')
    @Access(read)
    @Operation({
      operationId: `get${record.name}`,
      text: { summary: `Read an approval of ${withArticle(owner)}`, description: 'As it was given.' },
      response: record,
      record: true,
      status: 200,
      finds: labelOf(record),
    })
    async get(@Ctx() ctx: RequestContext, @Param() at: Record<string, string>): Promise<RecordReply> {
      return this.service.get(ctx, pathId(at, 'approvalId'), await ownerOf(ctx, at));
    }

    @Delete(':approvalId')
    @HttpCode(204)
    @Access(write)
    @document.remove([], [409])
    async remove(@Ctx() ctx: RequestContext, @Param() at: Record<string, string>): Promise<void> {
      return this.service.remove(ctx, pathId(at, 'approvalId'), await ownerOf(ctx, at));
    }
  }
  Object.defineProperty(ApprovalsController, 'name', { value: `${record.name}sController` });
  return ApprovalsController;
}
