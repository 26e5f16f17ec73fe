import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE_ID } from '../openapi/schema.js';
import { NamedRecord } from '../records/named-record.js';

/** A record whose resource is known. */
class Named {
  @ApiProperty({ description: 'Identifier of the record', format: 'uuid', example: EXAMPLE_ID }) id!: string;
  @ApiProperty({ description: 'Name of the record', example: 'ams-core-sw-01' }) name!: string;
}

/** The replacement cost of a device. */
class Replacement {
  @ApiProperty({
    description: 'Currency of the amount, an ISO 4217 code; null if no purchase order says it',
    type: 'string',
    nullable: true,
    example: 'EUR',
  })
  currency!: string | null;
  @ApiProperty({ description: 'The exact amount', example: '4250.00' }) amount!: string;
}

const named = (description: string): object => ({ description, type: () => Named, nullable: true });
const day = { type: 'string', format: 'date', nullable: true, example: '2031-04-30' } as const;

/** A device without coverage, now or soon. */
export class ExposedDevice {
  @ApiProperty({ description: 'The device', type: () => Named }) device!: Named;
  @ApiProperty(named('Its asset')) asset!: Named | null;
  @ApiProperty(named('Its site')) site!: Named | null;
  @ApiProperty(named('Its model')) deviceType!: Named | null;
  @ApiProperty({ description: 'Its serial number', type: 'string', nullable: true, example: 'FCW2231L0AB' })
  serialNumber!: string | null;
  @ApiProperty({
    ...day,
    description:
      'Last day before `on` on which a contract, an SLA or a warranty covered it; drafts do not count. Null if there is none, and with `within`',
  })
  lastCoveredOn!: string | null;
  @ApiProperty({
    description: 'The coverage that ended on `lastCoveredOn`, or that ends on `endsOn`',
    type: () => NamedRecord,
    nullable: true,
  })
  lastCoveredBy!: NamedRecord | null;
  @ApiProperty({
    ...day,
    nullable: false,
    required: false,
    description: 'With `within`: the last day of its coverage',
  })
  endsOn?: string;
  @ApiProperty({
    description:
      'Price at which a device of its type was last bought, or else the price of its asset; null if neither is known',
    type: () => Replacement,
    nullable: true,
  })
  replacement!: Replacement | null;
  @ApiProperty({
    description: 'The nearest roster or person that operates it, by name',
    type: 'string',
    nullable: true,
    example: 'Network',
  })
  responsible!: string | null;
}

const group = { required: false, nullable: true } as const;

/** Sums of a group. */
class ExposureSums {
  @ApiProperty({
    ...group,
    type: 'string',
    example: '48000.00',
    description:
      'Price of replacing its devices, as far as known, in the currency of the group; null if no price is known',
  })
  amount?: string | null;
}

/** A group of exposed devices. It has the requested properties. */
export class ExposureGroup {
  @ApiProperty({ ...group, type: 'string', example: '2031-04', description: 'Month of `lastCoveredOn`' })
  'lastCoveredOn:month'?: string | null;
  @ApiProperty({ ...group, type: 'string', example: '2031-Q2', description: 'Quarter of `lastCoveredOn`' })
  'lastCoveredOn:quarter'?: string | null;
  @ApiProperty({ ...group, type: 'string', example: '2031', description: 'Year of `lastCoveredOn`' })
  'lastCoveredOn:year'?: string | null;
  @ApiProperty({ ...group, type: 'string', format: 'uuid', example: EXAMPLE_ID, description: 'Site of the devices' })
  siteId?: string | null;
  @ApiProperty({ ...group, description: 'The record that `siteId` refers to', type: () => Named })
  site?: Named | null;
  @ApiProperty({ ...group, type: 'string', format: 'uuid', example: EXAMPLE_ID, description: 'Model of the devices' })
  deviceTypeId?: string | null;
  @ApiProperty({ ...group, description: 'The record that `deviceTypeId` refers to', type: () => Named })
  deviceType?: Named | null;
  @ApiProperty({
    ...group,
    type: 'string',
    format: 'uuid',
    example: EXAMPLE_ID,
    description: 'Manufacturer of the devices',
  })
  manufacturerId?: string | null;
  @ApiProperty({ ...group, description: 'The record that `manufacturerId` refers to', type: () => Named })
  manufacturer?: Named | null;
  @ApiProperty({
    ...group,
    type: 'string',
    example: 'EUR',
    description: 'Currency of the prices. Sums are always grouped by it',
  })
  currency?: string | null;
  @ApiProperty({ description: 'Number of devices in the group', type: 'integer', minimum: 1, example: 12 })
  count!: number;
  @ApiProperty({ required: false, description: 'The requested sums', type: () => ExposureSums })
  sum?: ExposureSums;
}
