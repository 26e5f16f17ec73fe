import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { EXAMPLE_ID } from '../../openapi/schema.js';

/** Seats and cost of the licences of a product, or of a vendor. */
export class LicencePosition {
  @ApiPropertyOptional({
    description: 'The product; null for licences without one. Only if the position is grouped by it',
    type: 'string',
    nullable: true,
    example: 'NetWatch Enterprise',
  })
  product?: string | null;
  @ApiPropertyOptional({
    description: 'The vendor; null for licences without one. Only if the position is grouped by it',
    type: 'string',
    format: 'uuid',
    nullable: true,
    example: EXAMPLE_ID,
  })
  vendorId?: string | null;
  @ApiProperty({ description: 'Number of licences', type: 'integer', example: 2 }) licences!: number;
  @ApiProperty({
    description: 'Seats of the licences that have a number of them',
    type: 'integer',
    format: 'int64',
    example: 500,
  })
  seats!: number;
  @ApiProperty({ description: 'Seats that are taken', type: 'integer', format: 'int64', example: 320 })
  assignedSeats!: number;
  @ApiProperty({
    description: 'Seats that are left; negative if more are taken than there are, null if `unlimited`',
    type: 'integer',
    format: 'int64',
    nullable: true,
    example: 180,
  })
  freeSeats!: number | null;
  @ApiProperty({
    description: 'Seats of licences that expire within 90 days, or that have expired already',
    type: 'integer',
    format: 'int64',
    example: 0,
  })
  expiringSeats!: number;
  @ApiProperty({ description: 'Exact sum of the costs', type: 'string', example: '1200.50' }) cost!: string;
  @ApiProperty({ description: 'Whether one of the licences has no number of seats', example: false })
  unlimited!: boolean;
}
