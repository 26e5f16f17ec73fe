import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import { readingOf } from '../../../records/record-access.js';
import { Ctx, type RequestContext } from '../../../access/request-context.js';
import { invalid } from '../../../http/errors.js';
import type { PlainReply } from '../../../http/replies.js';
import { TakesQuery } from '../../../http/route-config.js';
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

const WINDOW = {
  name: 'window',
  description: 'How long before the incident to look: minutes, hours or days, at most 31 days',
  schema: { type: 'string', pattern: '^[1-9][0-9]{0,4}[mhd]$', default: '24h', example: '24h' },
  many: false,
} as const;

/** @throws ValidationFailed */
function windowOf(query: RawQuery): number {
  for (const name of Object.keys(query)) {
    if (name !== WINDOW.name) throw invalid(name, 'is not a known parameter. Only window is');
  }
  const [, count, unit] = /^([1-9]\d{0,4})([mhd])$/.exec(String(query.window ?? '24h')) ?? [];
  const minutes = Number(count) * MINUTES[unit as keyof typeof MINUTES];
  if (!(minutes <= MOST_MINUTES)) {
    throw invalid('window', 'must be a number of minutes, hours or days, for example 90m, 24h or 7d, and at most 31d');
  }
  return minutes;
}

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
        'Changes in the hours before, planned work, who was on call, and known issues and runbooks that may help. Each array has the first 100 records (20 for known issues and runbooks), at least one record, and at most 512 KiB. The count next to it is the total number.',
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
    return this.service.read(ctx, pathId(at), windowOf(query));
  }
}
