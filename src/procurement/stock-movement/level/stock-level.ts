import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE_ID } from '../../../openapi/schema.js';

/** The number of units of a stock item at a place. */
export class StockLevel {
  @ApiProperty({
    description: 'Site of the place',
    type: 'string',
    format: 'uuid',
    nullable: true,
    example: EXAMPLE_ID,
  })
  siteId!: string | null;
  @ApiProperty({
    description: 'Location of the place',
    type: 'string',
    format: 'uuid',
    nullable: true,
    example: EXAMPLE_ID,
  })
  locationId!: string | null;
  @ApiProperty({ description: 'Units', type: 'integer', format: 'int64', minimum: 1, example: 120 }) quantity!: number;
}
