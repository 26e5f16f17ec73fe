import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE_ID } from '../../openapi/schema.js';
import { NamedRecord } from '../../records/named-record.js';

export const COVERAGE_KINDS = ['contract', 'sla', 'warranty'] as const;

/** A vendor in a computed response. */
export class NamedVendor {
  @ApiProperty({ description: 'Identifier of the vendor', format: 'uuid', example: EXAMPLE_ID }) id!: string;
  @ApiProperty({ description: 'Name of the vendor', example: 'Arrow Networks' }) name!: string;
}

/** A coverage of a record, with its days. */
export class Covering {
  @ApiProperty({
    description: 'Kind of the coverage',
    enum: COVERAGE_KINDS,
    enumName: 'CoverageKind',
    example: 'contract',
  })
  kind!: string;
  @ApiProperty({ description: 'The contract, the SLA, or the asset that has the warranty', type: () => NamedRecord })
  source!: NamedRecord;
  @ApiProperty({
    description: 'Vendor of the contract or SLA; of a warranty the vendor of the purchase order of the asset',
    type: () => NamedVendor,
    nullable: true,
  })
  vendor!: NamedVendor | null;
  @ApiProperty({
    description: 'First day of it; null if it is open',
    type: 'string',
    format: 'date',
    nullable: true,
    example: '2026-03-01',
  })
  from!: string | null;
  @ApiProperty({
    description: 'Last day of it; null if it is open',
    type: 'string',
    format: 'date',
    nullable: true,
    example: '2029-02-28',
  })
  until!: string | null;
  @ApiProperty({
    description:
      'Whether the requested day is one of these days, and the contract is not `draft`, `expired` or `terminated`',
    example: true,
  })
  isActive!: boolean;
  @ApiProperty({
    description:
      'The asset of the device, or the device of the asset, that is covered; null if it is the record itself',
    type: () => NamedRecord,
    nullable: true,
  })
  via!: NamedRecord | null;
}
