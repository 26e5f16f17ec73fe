import { Controller, Get, Inject, Query } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import type { ListReply } from '../../http/replies.js';
import type { SvgReply } from '../../http/svg.js';
import { TakesQuery } from '../../http/route-config.js';
import { Operation } from '../../openapi/operation.js';
import { Tag } from '../../openapi/tags.js';
import type { RawQuery } from '../../lists/parameters/query-parameters.js';
import { readingOf } from '../../records/record-access.js';
import { OnCallSchedule } from '../on-call-schedule/on-call-schedule.entity.js';
import { OnCall, OnCallGap, OnCallLoad, OnCallOverlap, OnCallShift } from './on-call.models.js';
import { MOMENT, parseMoment, parseWindow, WINDOW_OF_GAPS, WINDOW_OF_LOAD, WINDOW_OF_SHIFTS } from './on-call.query.js';
import { OnCallService } from './on-call.service.js';

const access = readingOf(OnCallSchedule);

@Controller('api/on-call')
@Tag(
  'On call',
  'Who is on call. A roster is the set of schedules with the same `rotation`; a schedule without one forms a roster of its own name',
)
export class OnCallController {
  constructor(@Inject(OnCallService) private readonly service: OnCallService) {}

  @Get()
  @Access(access)
  @TakesQuery()
  @Operation({
    operationId: 'listOnCall',
    text: {
      summary: 'List who is on call',
      description:
        'One entry for each shift that covers the time, and one with `scheduleId` null for a roster without such a shift. A roster is left out once its last shift ended 90 days before the time.',
    },
    list: { parameters: MOMENT },
    response: OnCall,
    status: 200,
    // `asOf` may name a time before the change log.
    errors: [410],
  })
  at(@Ctx() ctx: RequestContext, @Query() query: RawQuery): Promise<ListReply> {
    return this.service.at(ctx, parseMoment(query));
  }

  @Get('shifts')
  @Access(access)
  @TakesQuery()
  @Operation({
    operationId: 'listOnCallShifts',
    text: {
      summary: 'List the shifts within a window',
      description:
        'Ordered by start, and cut to the window. With `format=svg` they are a picture: a timeline, with a row for each roster.',
    },
    list: { parameters: WINDOW_OF_SHIFTS },
    response: OnCallShift,
    picture: true,
    status: 200,
  })
  shifts(@Ctx() ctx: RequestContext, @Query() query: RawQuery): Promise<ListReply | SvgReply> {
    return this.service.shifts(ctx, parseWindow(query, WINDOW_OF_SHIFTS));
  }

  @Get('gaps')
  @Access(access)
  @TakesQuery()
  @Operation({
    operationId: 'listOnCallGaps',
    text: {
      summary: 'List the gaps within a window',
      description:
        'Shifts without a person, and shifts of people whose status is `inactive`, cover nothing. A roster is left out once its last shift ended 90 days before the window.',
    },
    list: { parameters: WINDOW_OF_GAPS },
    response: OnCallGap,
    status: 200,
  })
  gaps(@Ctx() ctx: RequestContext, @Query() query: RawQuery): Promise<ListReply> {
    return this.service.gaps(ctx, parseWindow(query, WINDOW_OF_GAPS));
  }

  @Get('overlaps')
  @Access(access)
  @TakesQuery()
  @Operation({
    operationId: 'listOnCallOverlaps',
    text: {
      summary: 'List the overlaps within a window',
      description:
        'One entry for each period in which the same shifts of a roster overlap, even if one person has them all. Shifts without a person and shifts of inactive people are left out.',
    },
    list: { parameters: WINDOW_OF_GAPS },
    response: OnCallOverlap,
    status: 200,
  })
  overlaps(@Ctx() ctx: RequestContext, @Query() query: RawQuery): Promise<ListReply> {
    return this.service.overlaps(ctx, parseWindow(query, WINDOW_OF_GAPS));
  }

  @Get('load')
  @Access(access)
  @TakesQuery()
  @Operation({
    operationId: 'listOnCallLoad',
    text: {
      summary: 'List the load of people within a window',
      description:
        'One entry for each roster and person. Hours are elapsed time, and hours that a person covers twice count once. People who are inactive cover nothing.',
    },
    list: { parameters: WINDOW_OF_LOAD },
    response: OnCallLoad,
    status: 200,
  })
  load(@Ctx() ctx: RequestContext, @Query() query: RawQuery): Promise<ListReply> {
    return this.service.load(ctx, parseWindow(query, WINDOW_OF_LOAD));
  }
}
