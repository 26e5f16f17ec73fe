import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '../../access/request-context.js';
import { assertKnownAt } from '../../change-log/records-as-of.js';
import type { ListReply } from '../../http/replies.js';
import { ComputedLists } from '../../records/computed-list.js';
import { gapsIn, loadIn, onCallAt, overlapsIn, shiftsIn } from './on-call.lists.js';
import type { MomentRequest, WindowRequest } from './on-call.query.js';

/** Who is on call, and what is missing. */
@Injectable()
export class OnCallService {
  constructor(@Inject(ComputedLists) private readonly lists: ComputedLists) {}

  /** @throws DomainError notAcceptable, unavailable, Gone */
  async at(ctx: RequestContext, request: MomentRequest): Promise<ListReply> {
    if (request.asOf !== undefined) await assertKnownAt(ctx.db, request.asOf);
    return this.lists.list(ctx, request, onCallAt(request));
  }

  shifts(ctx: RequestContext, request: WindowRequest): Promise<ListReply> {
    return this.lists.list(ctx, request, shiftsIn(request));
  }

  gaps(ctx: RequestContext, request: WindowRequest): Promise<ListReply> {
    return this.lists.list(ctx, request, gapsIn(request));
  }

  overlaps(ctx: RequestContext, request: WindowRequest): Promise<ListReply> {
    return this.lists.list(ctx, request, overlapsIn(request));
  }

  load(ctx: RequestContext, request: WindowRequest): Promise<ListReply> {
    return this.lists.list(ctx, request, loadIn(request));
  }
}
