import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE_ID } from '../../openapi/schema.js';
import { EXPIRATION_KINDS, type ExpirationKind } from './expiration-kinds.js';

const EXPIRATION_STATES = ['overdue', 'due', 'upcoming'] as const;

/** A deadline. */
export class Expiration {
  @ApiProperty({
    description:
      'What the date is: the end of a licence, of a contract, of its time to give notice, …; `stock` is below its minimum now',
    enum: EXPIRATION_KINDS,
    enumName: 'ExpirationKind',
    example: 'licence',
  })
  kind!: ExpirationKind;
  @ApiProperty({ description: 'Resource of the record, as in the change log', example: 'software-licences' })
  resource!: string;
  @ApiProperty({ description: 'Identifier of the record', format: 'uuid', example: EXAMPLE_ID }) id!: string;
  @ApiProperty({ description: 'Name of the record', example: 'Network monitoring, 500 nodes' }) name!: string;
  @ApiProperty({
    description: 'The date, in UTC; null for stock below its minimum',
    type: 'string',
    format: 'date',
    nullable: true,
    example: '2027-02-28',
  })
  date!: string | null;
  @ApiProperty({
    description: 'Days from today to the date; negative if it is past',
    type: 'integer',
    nullable: true,
    example: 12,
  })
  daysLeft!: number | null;
  @ApiProperty({
    description: '`overdue` if the date is past, `due` within 30 days and for stock, otherwise `upcoming`',
    enum: EXPIRATION_STATES,
    enumName: 'ExpirationState',
    example: 'due',
  })
  state!: string;
  @ApiProperty({
    description: 'Vendor of the record; of an asset, the vendor of its purchase order',
    type: 'string',
    format: 'uuid',
    nullable: true,
    example: EXAMPLE_ID,
  })
  vendorId!: string | null;
  @ApiProperty({
    description: 'Cost, amount or price of the record, as it is stored',
    type: 'string',
    nullable: true,
    example: '48000.00',
  })
  amount!: string | null;
  @ApiProperty({
    description: 'Currency of the amount, an ISO 4217 code; null for records without one',
    type: 'string',
    nullable: true,
    example: 'USD',
  })
  currency!: string | null;
}
