import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '../../lists/request-context.js';
import { raw, type Sql, sql } from '../../database/sql.js';
import { assertKnownAt } from '../../change-log/past-states.js';
import { invalid } from '../../http/errors.js';
import type { ListReply } from '../../http/replies.js';
import { SvgReply, wantsSvg } from '../../http/svg.js';
import { type ComputedList, ComputedLists, selected } from '../../lists/computed-list.js';
import { MEDIA_TYPES, PAGING } from '../../lists/parameters/paging.js';
import { knowsTimeZone } from '../../database/time-zones.js';
import { UNKNOWN_TIME_ZONE } from '../../fields/types/time-zone.js';
import { gapsIn, loadIn, onCallAt, overlapsIn, picturedGapsIn, shiftsIn, tooDivided } from './on-call.lists.js';
import type { OnCallShift } from './on-call.models.js';
import type { MomentRequest, WindowRequest } from './on-call.query.js';
import { drawRosters, type PicturedGap } from './timeline.picture.js';

/** Most shifts and gaps of a picture, each. */
const MOST_IN_PICTURE = 5000;

/** The people on call, and the gaps. */
@Injectable()
export class OnCallService {
  constructor(@Inject(ComputedLists) private readonly lists: ComputedLists) {}

  /** @throws DomainError not_acceptable, unavailable, Gone */
  async at(ctx: RequestContext, request: MomentRequest): Promise<ListReply> {
    if (request.asOf !== undefined) await assertKnownAt(ctx.db, request.asOf);
    return this.lists.list(ctx, request, onCallAt(request));
  }

  /** @throws DomainError not_acceptable, unavailable, ValidationFailed */
  async shifts(ctx: RequestContext, request: WindowRequest): Promise<ListReply | SvgReply> {
    const format = request.asPicture ? 'svg' : request.format;
    if (wantsSvg(format, ctx.accept, Object.values(MEDIA_TYPES))) return this.picture(ctx, request);
    return this.lists.list(ctx, request, shiftsIn(request));
  }

  gaps(ctx: RequestContext, request: WindowRequest): Promise<ListReply> {
    return this.lists.list(ctx, request, gapsIn(request));
  }

  async overlaps(ctx: RequestContext, request: WindowRequest): Promise<ListReply> {
    const [found] = await ctx.db.query<{ isTooMuch: boolean }>(tooDivided(request).unprepared());
    if (found!.isTooMuch) throw invalid('to', 'must be earlier: too many shifts of a roster overlap within the window');
    return this.lists.list(ctx, request, overlapsIn(request));
  }

  async load(ctx: RequestContext, request: WindowRequest): Promise<ListReply> {
    if (!(await knowsTimeZone(ctx.db, request.timeZone))) throw invalid('timeZone', UNKNOWN_TIME_ZONE);
    return this.lists.list(ctx, request, loadIn(request));
  }

  private async picture({ db }: RequestContext, request: WindowRequest): Promise<SvgReply> {
    for (const name of PAGING) {
      if (request.given.has(name)) throw invalid(name, 'must not be given for a picture, which has no pages');
    }
    const { from, to } = request;
    const statement = sql`SELECT ${pictured(shiftsIn(request))} AS shifts, ${pictured(picturedGapsIn(request))} AS gaps`;
    const [found] = await db.query<{ shifts: OnCallShift[]; gaps: PicturedGap[] }>(statement.unprepared());
    if (found!.shifts.length > MOST_IN_PICTURE || found!.gaps.length > MOST_IN_PICTURE) {
      throw invalid('to', `must be earlier for a picture, which has at most ${MOST_IN_PICTURE} shifts and gaps`);
    }
    return new SvgReply(drawRosters({ from, to, now: new Date().toISOString(), ...found! }));
  }
}

/** SQL of the entries of a list of a picture, and one more if there are too many. */
const pictured = ({ rows, columns, order }: ComputedList): Sql =>
  sql`(SELECT coalesce(json_agg(r), '[]') FROM (
    SELECT ${selected(columns)} FROM (${rows}) t ORDER BY ${order.text} LIMIT ${raw(MOST_IN_PICTURE + 1)}
  ) r)`;
