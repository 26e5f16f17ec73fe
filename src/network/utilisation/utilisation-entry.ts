import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE_ID } from '../../openapi/schema.js';

export const FILLED_RESOURCES = ['prefixes', 'racks'] as const;
export type FilledResource = (typeof FILLED_RESOURCES)[number];

const reference = { type: 'string', format: 'uuid', nullable: true, example: EXAMPLE_ID } as const;

/** A prefix or a rack, and how full it is. */
export class UtilisationEntry {
  @ApiProperty({
    description: 'Resource of the record',
    enum: FILLED_RESOURCES,
    enumName: 'FilledResource',
    example: 'prefixes',
  })
  resource!: FilledResource;
  @ApiProperty({ description: 'Identifier of the record', format: 'uuid', example: EXAMPLE_ID }) id!: string;
  @ApiProperty({ description: 'Name of the record; of a prefix, its network', example: '10.20.0.0/24' }) name!: string;
  @ApiProperty({
    description: 'Addresses that are recorded in the prefix, or units of the rack that are taken, as a decimal number',
    type: 'string',
    pattern: '^[0-9]+(?:\\.5)?$',
    example: '240',
  })
  used!: string;
  @ApiProperty({
    description: 'Addresses of the prefix, or units of the rack, as a decimal number',
    type: 'string',
    pattern: '^[1-9][0-9]*$',
    example: '256',
  })
  size!: string;
  @ApiProperty({ description: '`used` divided by `size`', type: 'number', minimum: 0, maximum: 1, example: 0.9375 })
  utilisation!: number;
  @ApiProperty({ ...reference, description: 'VRF of the prefix; null for racks and for prefixes without one' })
  vrfId!: string | null;
  @ApiProperty({ ...reference, description: 'Site of the record' }) siteId!: string | null;
}
