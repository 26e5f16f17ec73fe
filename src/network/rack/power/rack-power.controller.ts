import { Controller, Get, Inject } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Access } from '../../../access/access.js';
import { Ctx, type RequestContext } from '../../../access/request-context.js';
import { raw, sql, type Sql } from '../../../database/sql.js';
import { NotFound } from '../../../http/errors.js';
import { PathId } from '../../../http/path-id.js';
import { PlainReply } from '../../../http/replies.js';
import { ReadQueue } from '../../../lists/read-queue.js';
import { Operation } from '../../../openapi/operation.js';
import { EXAMPLE_ID } from '../../../openapi/schema.js';
import { readingOf } from '../../../records/record-access.js';
import { TagOf } from '../../../resource/resource.operations.js';
import { availablePower } from '../../power-feed/power-feed.entity.js';
import { Rack } from '../rack.entity.js';

const watts = { type: 'integer', format: 'int64', minimum: 0 } as const;

/** A power feed of a rack, and what hangs on it. */
export class RackPowerFeed {
  @ApiProperty({ description: 'Identifier', format: 'uuid', example: EXAMPLE_ID }) id!: string;
  @ApiProperty({ description: 'Name of the feed', example: 'AMS-A1 feed A' }) name!: string;
  @ApiProperty({
    description: 'Whether it is the first or the second supply',
    enum: ['primary', 'redundant'],
    enumName: 'PowerFeedType',
  })
  type!: string;
  @ApiProperty({
    ...watts,
    description: 'Power that it may supply in watts; null if it is not known',
    nullable: true,
    example: 5888,
  })
  availableW!: number | null;
  @ApiProperty({
    ...watts,
    description:
      'Power in watts of the power ports of devices of the rack that hang on it: allocated, or else at most drawn. Devices with outlets pass power on, so their ports do not count. A port that hangs on several feeds counts in full at each',
    example: 2400,
  })
  allocatedW!: number;
  @ApiProperty({
    description: 'Share of the available power that is allocated: 1 is all of it; null if `availableW` is null or 0',
    type: 'number',
    format: 'double',
    minimum: 0,
    nullable: true,
    example: 0.41,
  })
  utilisation!: number | null;
}

/** A device without power. */
export class UnfedDevice {
  @ApiProperty({ description: 'Identifier', format: 'uuid', example: EXAMPLE_ID }) id!: string;
  @ApiProperty({ description: 'Name of the device', example: 'ams-core-sw-01' }) name!: string;
}

/** The power of a rack. */
export class RackPower {
  @ApiProperty({ description: 'Its power feeds, by name', type: [RackPowerFeed] }) feeds!: RackPowerFeed[];
  @ApiProperty({
    description: 'Its devices that have power ports of which none has a cable, by name',
    type: [UnfedDevice],
  })
  unfed!: UnfedDevice[];
}

/** Reads the power of a rack as JSON; no row if there is no such rack. The way up of a power port: to a feed, or to an outlet and its power ports. */
const powerOf = (rack: string): Sql => sql`WITH RECURSIVE ports AS MATERIALIZED (
    SELECT p.id, p.device_id, coalesce(p.allocated_draw_w, p.maximum_draw_w, 0)::int8 AS draw
    FROM devices d JOIN device_ports p ON p.device_id = d.id AND p.kind = 'power'
    WHERE d.rack_id = ${rack} AND NOT EXISTS (SELECT FROM device_ports o WHERE o.device_id = d.id AND o.kind = 'outlet')
  ), up (seed, id) AS (
    SELECT id, id FROM ports
    UNION
    SELECT up.seed, s.id FROM up JOIN cable_ends e ON e.end_id = up.id
      JOIN device_ports o ON o.id = e.other_id AND o.kind = 'outlet'
      JOIN device_ports s ON s.device_id = o.device_id AND s.kind = 'power' AND (o.power_port_id IS NULL OR s.id = o.power_port_id)
  ), fed AS (SELECT DISTINCT up.seed, e.other_id AS feed_id FROM up JOIN cable_ends e ON e.end_id = up.id)
  SELECT json_build_object(
    'feeds', (
      SELECT coalesce(json_agg(json_build_object('id', f.id, 'name', f.name, 'type', f.type, 'availableW', f.available,
        'allocatedW', f.allocated, 'utilisation', round(f.allocated / nullif(f.available, 0)::numeric, 4)) ORDER BY f.name COLLATE "C", f.id), '[]')
      FROM (
        SELECT f.id, f.name, f.type, ${raw(availablePower('f'))} AS available,
          (SELECT coalesce(sum(p.draw), 0) FROM fed JOIN ports p ON p.id = fed.seed WHERE fed.feed_id = f.id) AS allocated
        FROM power_feeds f WHERE f.rack_id = ${rack}
      ) f
    ),
    'unfed', (
      SELECT coalesce(json_agg(json_build_object('id', d.id, 'name', d.name) ORDER BY d.name COLLATE "C", d.id), '[]')
      FROM devices d WHERE d.rack_id = ${rack} AND EXISTS (SELECT FROM device_ports p WHERE p.device_id = d.id AND p.kind = 'power')
        AND NOT EXISTS (SELECT FROM device_ports p JOIN cable_ends e ON e.end_id = p.id WHERE p.device_id = d.id AND p.kind = 'power')
    )
  )::text AS json FROM racks r WHERE r.id = ${rack}`;

@Controller('api/racks/:id/power')
@TagOf(Rack)
export class RackPowerController {
  constructor(@Inject(ReadQueue) private readonly reads: ReadQueue) {}

  @Get()
  @Access(readingOf(Rack))
  @Operation({
    operationId: 'getRackPower',
    text: {
      summary: 'Read the power of a rack',
      description:
        'Its power feeds, with the power that they may supply and that of the devices of the rack whose way up of power ends at them, and the devices of the rack that nothing feeds.',
    },
    response: RackPower,
    status: 200,
    finds: 'rack',
  })
  async power(@Ctx() { db, caller }: RequestContext, @PathId() id: string): Promise<PlainReply> {
    const [found] = await this.reads.run(caller, () => db.query<{ json: string }>(powerOf(id)));
    if (!found) throw new NotFound('Rack');
    return new PlainReply(found.json);
  }
}
