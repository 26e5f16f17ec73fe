import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { readingOf } from '../../records/record-access.js';
import { Ctx, type RequestContext } from '../../access/request-context.js';
import type { ListReply } from '../../http/replies.js';
import { TakesQuery } from '../../http/takes-query.js';
import { ListQuery } from '../../lists/list-query.js';
import type { RawQuery } from '../../lists/parameters/query-parameters.js';
import { pathId } from '../../http/path-id.js';
import { serviceOf, type ResourceService } from '../../records/resource.service.js';
import { recordSqlOf } from '../../lists/record-sql.js';
import { Operation } from '../../openapi/operation.js';
import { TagOf } from '../../resource/resource.operations.js';
import { Device } from '../device/device.entity.js';
import { DeviceIpAddress } from './device-ip-address.js';
import { within } from './within.filter.js';

const access = readingOf(Device);

let listQuery: ListQuery | undefined;
const list = (): ListQuery => (listQuery ??= new ListQuery(recordSqlOf(DeviceIpAddress) as never, [within]));

/** The addresses of a device: those bound to its ports and those given to it as a whole. */
@Controller('api/devices/:id/ips')
@TagOf(Device)
export class DeviceIpsController {
  constructor(@Inject(serviceOf(DeviceIpAddress)) private readonly service: ResourceService<DeviceIpAddress>) {}

  @Get()
  @Access(access)
  @TakesQuery()
  @Operation({
    operationId: 'listDeviceIps',
    text: {
      summary: 'List the IP addresses of a device',
      description: 'Every address whose `deviceId` is the device, with the name of the port that it is bound to.',
    },
    list,
    fixed: ['deviceId'],
    response: DeviceIpAddress,
    status: 200,
    finds: 'device',
  })
  list(@Ctx() ctx: RequestContext, @Param() at: Record<string, string>, @Query() query: RawQuery): Promise<ListReply> {
    const owner = { record: Device, field: 'deviceId', id: pathId(at) };
    return this.service.list(ctx, list().parse(query), owner);
  }
}
