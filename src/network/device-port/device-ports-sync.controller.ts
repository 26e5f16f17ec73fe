import { Controller, HttpCode, Inject, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Access } from '../../access/access.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import { NoBody } from '../../fields/bodies/bodies.js';
import { invalid, NotFound } from '../../http/errors.js';
import { PathId } from '../../http/path-id.js';
import { ActionReply } from '../../http/replies.js';
import { TakesQuery } from '../../http/route-config.js';
import { Operation } from '../../openapi/operation.js';
import type { RawQuery } from '../../lists/parameters/query-parameters.js';
import { writingOf } from '../../records/record-access.js';
import { type ResourceService, serviceOf } from '../../records/resource.service.js';
import { DRY_RUN, readOptions } from '../../lists/parameters/query-options.js';
import { TagOf } from '../../resource/resource.operations.js';
import { Device } from '../device/device.entity.js';
import { copyPorts } from './copy-ports.js';
import { PortsService } from '../ports/ports.service.js';
import { DevicePort } from './device-port.entity.js';
import { Idempotent } from '../../resource/idempotency/idempotency.js';
import { sql } from '../../database/sql.js';

class DevicePortsSync {
  @ApiProperty({ type: [DevicePort], description: 'Ports that the device lacked' }) created!: DevicePort[];
  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 0,
    description: 'Number of ports of the type that the device had already',
    example: 24,
  })
  existing!: number;
}

@Controller('api/devices/:id/ports/sync')
@TagOf(Device)
export class DevicePortsSyncController {
  constructor(@Inject(serviceOf(DevicePort, PortsService)) private readonly ports: ResourceService<DevicePort>) {}

  @Post()
  @HttpCode(200)
  @Access(writingOf(DevicePort))
  @TakesQuery()
  @Idempotent()
  @Operation({
    operationId: 'syncDevicePorts',
    text: {
      summary: 'Add the ports of its type to a device',
      description:
        'Adds the ports that the device lacks, by their kinds and names. Ports are never changed or removed. Takes no body.',
    },
    query: [DRY_RUN],
    response: DevicePortsSync,
    rehearsed: true,
    status: 200,
    finds: 'device',
  })
  sync(
    @Ctx() ctx: RequestContext,
    @PathId() id: string,
    @Query() query: RawQuery,
    @NoBody _body: object,
  ): Promise<ActionReply> {
    const { dryRun } = readOptions({ dryRun: DRY_RUN }, query);
    return ctx.transaction(async (tx) => {
      // The lock prevents a change of the device's type, and its deletion.
      const [device] = await tx.db.query<{ typed: boolean }>(
        sql`SELECT device_type_id IS NOT NULL AS typed FROM devices WHERE id = ${id} FOR NO KEY UPDATE`,
      );
      if (!device) throw new NotFound('Device');
      if (!device.typed)
        throw invalid('deviceTypeId', 'of the device is null, so it has no type whose ports could be added');
      const ids = await copyPorts(tx.db, id);
      const [{ count }] = (await tx.db.query(
        sql`SELECT count(*)::int AS count FROM device_type_ports p JOIN devices d ON d.device_type_id = p.device_type_id WHERE d.id = ${id}`,
      )) as [{ count: number }];
      const texts = await this.ports.textsOf(tx, ids);
      const created = ids.map((port) => texts.get(port)!).join(',');
      return new ActionReply([`{"created":[${created}],"existing":${count - ids.length}}`], [], dryRun);
    }, dryRun);
  }
}
