import { Controller, Get, Inject } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import { Ctx, type RequestContext } from '../../../lists/request-context.js';
import { PathId } from '../../../http/path-id.js';
import { PlainReply } from '../../../http/replies.js';
import { Operation } from '../../../openapi/operation.js';
import { readingOf } from '../../../records/record-access.js';
import { TagOf } from '../../../resource/resource.operations.js';
import { Rack } from '../rack.entity.js';
import { RackPower } from './rack-power.models.js';
import { RackPowerService } from './rack-power.service.js';

@Controller('api/racks/:id/power')
@TagOf(Rack)
export class RackPowerController {
  constructor(@Inject(RackPowerService) private readonly service: RackPowerService) {}

  @Get()
  @Access(readingOf(Rack))
  @Operation({
    operationId: 'getRackPower',
    text: {
      summary: 'Read the power of a rack',
      description:
        'Its power feeds with their available and allocated power, and the devices of the rack without power.',
    },
    response: RackPower,
    status: 200,
    finds: 'rack',
  })
  async power(@Ctx() ctx: RequestContext, @PathId() id: string): Promise<PlainReply> {
    return new PlainReply(await this.service.power(ctx, id));
  }
}
