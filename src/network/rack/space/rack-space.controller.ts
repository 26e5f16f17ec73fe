import { Controller, Get, Inject, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Access } from '../../../access/access.js';
import { Ctx, type RequestContext } from '../../../lists/request-context.js';
import { PathId } from '../../../http/path-id.js';
import { PlainReply } from '../../../http/replies.js';
import { SvgReply, wantsSvg } from '../../../http/svg.js';
import { TakesQuery } from '../../../http/route-config.js';
import { Operation } from '../../../openapi/operation.js';
import * as parameters from '../../../lists/parameters/query-parameters.js';
import type { RawQuery } from '../../../lists/parameters/query-parameters.js';
import { readingOf } from '../../../records/record-access.js';
import { choiceOption, type QueryOption, readOptions } from '../../../lists/parameters/query-options.js';
import { TagOf } from '../../../resource/resource.operations.js';
import { Rack, RACK_FACES, type RackFace } from '../rack.entity.js';
import type { RackPower } from '../power/rack-power.models.js';
import { RackPowerService } from '../power/rack-power.service.js';
import { drawElevation } from './elevation.picture.js';
import { RackElevation, RackUtilisation } from './rack-space.models.js';
import { RackSpaceService } from './rack-space.service.js';

const access = readingOf(Rack);

const MAX_HEIGHT = 1000;

const AT: QueryOption<string | undefined> = {
  ...parameters.instant(
    'at',
    'Time whose reservations are respected; now if it is not given. Devices are those of now',
    (values: Record<string, unknown>, at) => (values.at = at),
  ),
  fallback: undefined,
};

const ELEVATION_OPTIONS = {
  at: AT,
  face: choiceOption('face', 'RackFace', 'Face of the rack to look at', RACK_FACES),
  format: choiceOption(
    'format',
    'PictureFormat',
    '`svg`: a picture. It has precedence over `Accept`, which may ask for `image/svg+xml`',
    ['json', 'svg'],
  ),
};

const uHeight: QueryOption<number> = {
  name: 'uHeight',
  description: 'Height of the device in rack units',
  schema: { type: 'number', minimum: 0.5, maximum: MAX_HEIGHT, multipleOf: 0.5, default: 1, example: 2 },
  many: false,
  fallback: 1,
  apply(values, [raw]) {
    const height = /^\d{1,4}(?:\.\d{1,9})?$/.test(raw!) ? Number(raw) : 0;
    values.uHeight = height;
    return height > 0 && height <= MAX_HEIGHT && Number.isInteger(height * 2)
      ? undefined
      : `must be a multiple of 0.5, up to ${MAX_HEIGHT}`;
  },
};

const AVAILABLE_OPTIONS = {
  uHeight,
  at: AT,
  face: {
    ...parameters.choice(
      'face',
      'RackFace',
      'Face that must be free. Without it both must be, as for a device of full depth',
      RACK_FACES,
      (values: Record<string, unknown>, face) => (values.face = face),
    ),
    fallback: undefined,
  } as QueryOption<RackFace | undefined>,
};

/** The positions in a rack. */
@Controller('api/racks/:id')
@TagOf(Rack)
export class RackSpaceController {
  constructor(
    @Inject(RackSpaceService) private readonly service: RackSpaceService,
    @Inject(RackPowerService) private readonly power: RackPowerService,
  ) {}

  @Get('elevation')
  @Access(access)
  @TakesQuery()
  @Operation({
    operationId: 'getRackElevation',
    text: {
      summary: 'Read the elevation of a rack',
      description:
        'The units of one face from the top, each with the device that takes it; of a rack of more than 1,000 units, the lowest 1,000. A device of full depth takes its units on both faces. `reservations` are those that run at the time. Also available as a picture, which shows the power of the rack too.',
    },
    query: Object.values(ELEVATION_OPTIONS),
    response: RackElevation,
    picture: true,
    status: 200,
    finds: 'rack',
  })
  async elevation(
    @Ctx() ctx: RequestContext,
    @PathId() id: string,
    @Query() query: RawQuery,
    @Req() { headers }: FastifyRequest,
  ): Promise<PlainReply | SvgReply> {
    const { face, format, at } = readOptions(ELEVATION_OPTIONS, query);
    const { elevation, captions } = await this.service.elevation(ctx, id, face, at);
    if (!wantsSvg('format' in query ? format : undefined, headers.accept))
      return new PlainReply(JSON.stringify(elevation));
    const power = JSON.parse(await this.power.power(ctx, id)) as RackPower;
    return new SvgReply(drawElevation(elevation, captions, power));
  }

  @Get('available-units')
  @Access(access)
  @TakesQuery()
  @Operation({
    operationId: 'getRackAvailableUnits',
    text: {
      summary: 'List the positions in a rack where a device fits',
      description:
        'The positions at which a device of this height fits, ascending: whole units if the height is a whole number, half units otherwise. Units that are reserved at the time are left out. If the height of the rack is unknown, the list ends with the first position above all devices and reservations.',
    },
    query: Object.values(AVAILABLE_OPTIONS),
    data: {
      name: 'RackAvailableUnits',
      schema: { type: 'array', items: { type: 'number', minimum: 1, multipleOf: 0.5, examples: [12] } },
    },
    status: 200,
    finds: 'rack',
  })
  available(@Ctx() ctx: RequestContext, @PathId() id: string, @Query() query: RawQuery): Promise<number[]> {
    return this.service.available(ctx, id, readOptions(AVAILABLE_OPTIONS, query));
  }

  @Get('utilisation')
  @Access(access)
  @Operation({
    operationId: 'getRackUtilisation',
    text: {
      summary: 'Read the utilisation of a rack',
      description: 'A unit counts once, on whichever face it is taken.',
    },
    response: RackUtilisation,
    status: 200,
    finds: 'rack',
  })
  utilisation(@Ctx() ctx: RequestContext, @PathId() id: string): Promise<RackUtilisation> {
    return this.service.utilisation(ctx, id);
  }
}
