import { Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import { BodyOf } from '../../fields/bodies/bodies.js';
import { RequestBody } from '../../fields/field.js';
import { EnumField, IntegerField, ListField, ObjectsField, TimestampField, UuidField } from '../../fields/fields.js';
import { BodySpan } from '../../fields/bodies/rules.js';
import { unstorable } from '../../fields/types/text.js';
import { pathId } from '../../http/path-id.js';
import type { ListReply, PlainReply } from '../../http/replies.js';
import { TakesQuery } from '../../http/route-config.js';
import { Operation } from '../../openapi/operation.js';
import { FILE, PAGE, type PageRequest, readPage } from '../../lists/parameters/paging.js';
import { type Parameter, type RawQuery } from '../../lists/parameters/query-parameters.js';
import { readingOf } from '../../records/record-access.js';
import { Tag } from '../../openapi/tags.js';
import { Incident } from '../incident/incident.entity.js';
import { TARGETED_RESOURCES, type TargetedResource } from '../target/targeted-records.js';
import type { ConflictOptions } from './conflict-list.js';
import { ConflictsService } from './conflicts.service.js';
import { WorkConflict } from './work-conflict.js';
import { Idempotent } from '../../resource/idempotency/idempotency.js';

/** Minutes that a change takes by default. */
export const MINUTES = 60;
const MOST_MINUTES = 44_640;

/** A record that planned work affects. */
class PlannedTarget extends RequestBody {
  @EnumField('Resource of the record', 'TargetedResource', TARGETED_RESOURCES, { required: true, example: 'devices' })
  resource!: TargetedResource;
  @UuidField('Record that is affected', { required: true }) recordId!: string;
}

/** Planned work: its time and its targets. */
@BodySpan('startTime', 'endTime')
class FindConflicts extends RequestBody {
  @TimestampField('Start of the work; open if it is not given') startTime?: string | null;
  @TimestampField('End of the work; open if it is not given', { example: '2026-03-01T10:30:00.000Z' })
  endTime?: string | null;
  @ObjectsField('Records that the work affects', () => PlannedTarget, { required: true })
  targets!: PlannedTarget[];
  @ListField('Rosters that must be covered', { example: ['network-primary'] }) rosters?: string[];
  @IntegerField('How long every change takes, in minutes', { default: MINUTES, min: 1, max: MOST_MINUTES })
  minutes?: number;
}

export const MINUTES_PARAMETER: Parameter<Pick<ConflictOptions, 'minutes'>> = {
  name: 'minutes',
  description: 'How long every change takes',
  schema: { type: 'integer', format: 'int32', minimum: 1, maximum: MOST_MINUTES, default: MINUTES, example: MINUTES },
  many: false,
  apply(options, [raw]) {
    const minutes = /^\d{1,5}$/.test(raw!) ? Number(raw) : 0;
    if (minutes < 1 || minutes > MOST_MINUTES) return `must be an integer between 1 and ${MOST_MINUTES}`;
    options.minutes = minutes;
    return undefined;
  },
};

const ROSTER_PARAMETER: Parameter<ConflictOptions> = {
  name: 'roster',
  description: 'Roster that must be covered: times without a person on call are conflicts too. May be repeated',
  schema: { type: 'string', minLength: 1, example: 'network-primary' },
  many: true,
  apply(options, raw) {
    options.rosters = raw;
    return raw.includes('') ? 'must not be empty' : raw.map((roster) => unstorable(roster)).find(Boolean);
  },
};

type ConflictsRequest = PageRequest & ConflictOptions;

const PARAMETERS: readonly Parameter<ConflictsRequest>[] = [...PAGE, ...FILE, MINUTES_PARAMETER, ROSTER_PARAMETER];

/** @throws ValidationFailed */
function requestOf(query: RawQuery): ConflictsRequest {
  return readPage(query, PARAMETERS, { minutes: MINUTES, rosters: [] });
}

const read = readingOf(Incident);

const ABOUT =
  'Other maintenance windows and change requests at the same time, and open incidents, on a target, on something in it, or on something that contains it. One entry for each pair of a target and another window, change or incident. Finished, cancelled and unscheduled work is left out. Conflicts are computed for each request.';

/** The conflicts of planned work. */
@Controller('api')
@Tag('Conflicts', 'Work and incidents that conflict with planned work')
export class ConflictsController {
  constructor(@Inject(ConflictsService) private readonly service: ConflictsService) {}

  @Get('maintenance-windows/:id/conflicts')
  @Access(read)
  @TakesQuery()
  @Operation({
    operationId: 'listMaintenanceWindowConflicts',
    text: { summary: 'List the conflicts of a maintenance window', description: ABOUT },
    list: { parameters: PARAMETERS },
    response: WorkConflict,
    status: 200,
    finds: 'maintenance window',
  })
  ofWindow(
    @Ctx() ctx: RequestContext,
    @Param() at: Record<string, string>,
    @Query() query: RawQuery,
  ): Promise<ListReply> {
    return this.service.ofWindow(ctx, pathId(at), requestOf(query));
  }

  @Get('change-requests/:id/conflicts')
  @Access(read)
  @TakesQuery()
  @Operation({
    operationId: 'listChangeRequestConflicts',
    text: { summary: 'List the conflicts of a change request', description: ABOUT },
    list: { parameters: PARAMETERS },
    response: WorkConflict,
    status: 200,
    finds: 'change request',
  })
  ofChange(
    @Ctx() ctx: RequestContext,
    @Param() at: Record<string, string>,
    @Query() query: RawQuery,
  ): Promise<ListReply> {
    return this.service.ofChange(ctx, pathId(at), requestOf(query));
  }

  @Post('conflicts')
  @HttpCode(200)
  @Access(read)
  @Idempotent()
  @Operation({
    operationId: 'findConflicts',
    text: {
      summary: 'Find the conflicts of work that is not recorded yet',
      description: `${ABOUT} The response contains all of them, without pages.`,
    },
    body: FindConflicts,
    response: WorkConflict,
    several: true,
    status: 200,
  })
  ofPlan(@Ctx() ctx: RequestContext, @BodyOf(FindConflicts) body: FindConflicts): Promise<PlainReply> {
    const { startTime = null, endTime = null, targets, rosters = [], minutes = MINUTES } = body;
    return this.service.ofPlan(ctx, { startTime, endTime, targets }, { minutes, rosters });
  }
}
