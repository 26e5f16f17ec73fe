import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE_ID } from '../../../openapi/schema.js';

const watts = { type: 'integer', format: 'int64', minimum: 0 } as const;

/** A power feed of a rack, with its load. */
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
      'Power in watts of the power ports of the rack that get their power from the feed: the allocated power, or else the maximum draw. Devices with outlets pass power on, so their ports do not count. A port with several feeds counts in full for each',
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
class UnfedDevice {
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
