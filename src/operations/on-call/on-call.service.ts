import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '../../access/request-context.js';
import { assertKnownAt } from '../../change-log/records-as-of.js';
import { invalid } from '../../http/errors.js';
import type { ListReply } from '../../http/replies.js';
import { SvgReply, wantsSvg } from '../../http/svg.js';
import { AnswerTurns } from '../../answers/answer-turns.js';
import { ComputedLists, selected, type ComputedList } from '../../answers/computed-list.js';
import { MEDIA_TYPES } from '../../parameters/list-format.js';
import { gapsIn, loadIn, onCallAt, overlapsIn, shiftsIn } from './on-call.lists.js';
import type { OnCallGap, OnCallShift } from './on-call.models.js';
import type { MomentRequest, WindowRequest } from './on-call.query.js';
import { drawTimeline } from './timeline.js';

/** Most shifts and gaps of a picture, each. */
const MOST_DRAWN = 5000;

/** Who is on call, and what is missing. */
@Injectable()
export class OnCallService {
  constructor(
    @Inject(ComputedLists) private readonly lists: ComputedLists,
    @Inject(AnswerTurns) private readonly turns: AnswerTurns,
  ) {}

  /** @throws DomainError notAcceptable, unavailable, Gone */
  async at(ctx: RequestContext, request: MomentRequest): Promise<ListReply> {
    if (request.asOf !== undefined) await assertKnownAt(ctx.db, request.asOf);
    return this.lists.list(ctx, request, onCallAt(request));
  }

  /** @throws DomainError notAcceptable, unavailable, ValidationFailed */
  async shifts(ctx: RequestContext, request: WindowRequest): Promise<ListReply | SvgReply> {
    const format = request.asPicture ? 'svg' : request.format;
    if (wantsSvg(format, ctx.accept, Object.values(MEDIA_TYPES))) return this.picture(ctx, request);
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

  private async picture({ db, caller }: RequestContext, request: WindowRequest): Promise<SvgReply> {
    for (const name of ['page', 'pageSize']) {
      if (request.given.has(name)) throw invalid(name, 'must not be given for a picture, which has no pages');
    }
    const { from, to } = request;
    const shifts = shiftsIn(request);
    // What the gaps are asked with are the first values of the shifts.
    const sql = `SELECT ${drawn(shifts)} AS shifts, ${drawn(gapsIn(request))} AS gaps`;
    const [found] = await this.turns.read(caller, () =>
      db.plan<{ shifts: OnCallShift[]; gaps: OnCallGap[] }>(sql, shifts.values),
    );
    if (found!.shifts.length > MOST_DRAWN || found!.gaps.length > MOST_DRAWN) {
      throw invalid('to', `must be earlier for a picture, which has at most ${MOST_DRAWN} shifts and gaps`);
    }
    return new SvgReply(drawTimeline({ from, to, now: new Date().toISOString(), ...found! }));
  }
}

/** SQL of the entries of a list that can be drawn, and one more if there are too many. */
const drawn = ({ rows, columns, orderBy }: ComputedList): string =>
  `(SELECT coalesce(json_agg(r), '[]') FROM (
    SELECT ${selected(columns)} FROM (${rows}) t ORDER BY ${orderBy} LIMIT ${MOST_DRAWN + 1}
  ) r)`;
