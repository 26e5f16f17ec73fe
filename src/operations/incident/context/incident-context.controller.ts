import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import { readingOf } from '../../../records/record-access.js';
import { Ctx, type RequestContext } from '../../../lists/request-context.js';
import type { PlainReply } from '../../../http/replies.js';
import { TakesQuery } from '../../../http/route-config.js';
import { type QueryOption, readOptions } from '../../../lists/parameters/query-options.js';
import type { RawQuery } from '../../../lists/parameters/query-parameters.js';
import { pathId } from '../../../http/path-id.js';
import { Operation } from '../../../openapi/operation.js';
import { TagOf } from '../../../resource/resource.operations.js';
import { Incident } from '../incident.entity.js';
import { IncidentContext } from './incident-context.js';
import { IncidentContextService } from './incident-context.service.js';

const access = readingOf(Incident);
const MINUTES = { m: 1, h: 60, d: 1440 } as const;
const MOST_MINUTES = 31 * MINUTES.d;

const WINDOW: QueryOption<number> = {
  name: 'window',
  description: 'How long before the incident to look: minutes, hours or days, at most 31 days',
  schema: { type: 'string', pattern: '^[1-9][0-9]{0,4}[mhd]$', default: '24h', example: '24h' },
  many: false,
  fallback: MINUTES.d,
  apply(values, [raw]) {
    const [, count, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(raw!) ?? [];
    const minutes = Number(count) * MINUTES[unit as keyof typeof MINUTES];
    values.window = minutes;
    return minutes <= MOST_MINUTES
      ? undefined
      : 'must be a number of minutes, hours or days, for example 90m, 24h or 7d, and at most 31d';
  },
};

@Controller('api/incidents/:id/context')
@TagOf(Incident)
export class IncidentContextController {
  constructor(@Inject(IncidentContextService) private readonly service: IncidentContextService) {}

  @Get()
  @Access(access)
  @TakesQuery()
  @Operation({
    operationId: 'getIncidentContext',
    text: {
      summary: 'Read the context of an incident',
      description:
        'Changes in the hours before, planned work, people on call, and known issues and runbooks that may help. Each array has the first 100 records (20 for known issues and runbooks), at least one record, and at most 512 KiB. The count next to it is the total number.',
    },
    query: [WINDOW],
    response: IncidentContext,
    status: 200,
    finds: 'incident',
  })
  context(
    @Ctx() ctx: RequestContext,
    @Param() at: Record<string, string>,
    @Query() query: RawQuery,
  ): Promise<PlainReply> {
    return this.service.read(ctx, pathId(at), readOptions({ window: WINDOW }, query).window);
  }
}
