import { Controller, Get, Inject, Param, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Access } from '../../access/access.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import { pathId } from '../../http/path-id.js';
import { type ListReply, PlainReply } from '../../http/replies.js';
import { SvgReply, wantsSvg } from '../../http/svg.js';
import { TakesQuery } from '../../http/route-config.js';
import { FILE, PAGE, parsePage } from '../../lists/parameters/paging.js';
import { choiceOption, readOptions } from '../../lists/parameters/query-options.js';
import type { RawQuery } from '../../lists/parameters/query-parameters.js';
import { Operation } from '../../openapi/operation.js';
import { readingOf } from '../../records/record-access.js';
import { TagOf } from '../../resource/resource.operations.js';
import { DevicePort } from '../device-port/device-port.entity.js';
import { Device } from '../device/device.entity.js';
import { drawTrace } from './trace.picture.js';
import { Neighbour, Trace } from './trace.models.js';
import { TraceService } from './trace.service.js';

const OPTIONS = {
  format: choiceOption(
    'format',
    'PictureFormat',
    '`svg`: a picture. It has precedence over `Accept`, which may ask for `image/svg+xml`',
    ['json', 'svg'],
  ),
};

/** @param operationId of the document */
const TraceOperation = (operationId: string): MethodDecorator =>
  Operation({
    operationId,
    text: {
      summary: 'Trace the connection of a port',
      description:
        'Follows the cable of the port to the end: through patch panels, from a front port to its rear port and from a rear port to the front port in the same position, and over circuits. Computed from the cables at the time of the request. Planned cables count. Also available as a picture.',
    },
    query: Object.values(OPTIONS),
    response: Trace,
    picture: true,
    status: 200,
    finds: 'device port',
  });

@Controller('api/device-ports/:id/trace')
@TagOf(DevicePort)
export class TraceController {
  constructor(@Inject(TraceService) private readonly service: TraceService) {}

  @Get()
  @Access(readingOf(DevicePort))
  @TakesQuery()
  @TraceOperation('getDevicePortTrace')
  trace(
    @Ctx() ctx: RequestContext,
    @Param() at: Record<string, string>,
    @Query() query: RawQuery,
    @Req() request: FastifyRequest,
  ): Promise<PlainReply | SvgReply> {
    return answer(this.service, ctx, query, request, pathId(at));
  }
}

@Controller('api/devices/:id')
@TagOf(Device)
export class DeviceTraceController {
  constructor(@Inject(TraceService) private readonly service: TraceService) {}

  @Get('ports/:portId/trace')
  @Access(readingOf(DevicePort))
  @TakesQuery()
  @TraceOperation('getTraceOfDevicePort')
  trace(
    @Ctx() ctx: RequestContext,
    @Param() at: Record<string, string>,
    @Query() query: RawQuery,
    @Req() request: FastifyRequest,
  ): Promise<PlainReply | SvgReply> {
    return answer(this.service, ctx, query, request, pathId(at, 'portId'), pathId(at));
  }

  @Get('neighbours')
  @Access(readingOf(DevicePort))
  @TakesQuery()
  @Operation({
    operationId: 'listDeviceNeighbours',
    text: {
      summary: 'List the connections of a device',
      description: 'Its ports that have a cable, by name in natural order, each with the port that its trace ends at.',
    },
    list: { parameters: [...PAGE, ...FILE] },
    response: Neighbour,
    status: 200,
    finds: 'device',
  })
  neighbours(
    @Ctx() ctx: RequestContext,
    @Param() at: Record<string, string>,
    @Query() query: RawQuery,
  ): Promise<ListReply> {
    return this.service.neighbours(ctx, pathId(at), parsePage(query));
  }
}

async function answer(
  service: TraceService,
  ctx: RequestContext,
  query: RawQuery,
  { headers }: FastifyRequest,
  portId: string,
  deviceId?: string,
): Promise<PlainReply | SvgReply> {
  const { format } = readOptions(OPTIONS, query);
  const { trace, look } = await service.trace(ctx, portId, deviceId);
  return wantsSvg('format' in query ? format : undefined, headers.accept)
    ? new SvgReply(drawTrace(trace, look))
    : new PlainReply(JSON.stringify(trace));
}
