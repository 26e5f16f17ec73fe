import { ApiProperty } from '@nestjs/swagger';
import { RACK_FACES, type RackFace } from '../rack.entity.js';

const id = { type: 'string', format: 'uuid' } as const;
const face = { enum: RACK_FACES, enumName: 'RackFace', type: 'string' } as const;
const units = { type: 'integer', nullable: true, format: 'int32', minimum: 0, example: 42 } as const;
const time = { type: 'string', format: 'date-time', nullable: true, example: '2031-03-06T08:00:00.000Z' } as const;
const reference = { ...id, nullable: true } as const;
const height = { type: 'number', minimum: 0 } as const;

/** A device on the face of a rack. */
export class ElevationDevice {
  @ApiProperty({ ...id, description: 'Device' }) id!: string;
  @ApiProperty({ description: 'Name', example: 'ams-core-sw-01' }) name!: string;
  @ApiProperty({ type: 'number', description: 'Lowest rack unit that it takes', example: 12 }) position!: number;
  @ApiProperty({
    ...height,
    type: 'number',
    nullable: true,
    description: 'Height of its type in rack units; null if it is unknown, and the device takes no unit',
    example: 1,
  })
  uHeight!: number | null;
  @ApiProperty({ ...face, description: 'Side of the rack that it faces' }) face!: RackFace;
  @ApiProperty({ description: 'Whether it takes both faces' }) isFullDepth!: boolean;
  @ApiProperty({ type: 'string', nullable: true, description: 'Colour of its role', example: '#4F6EF7' })
  color!: string | null;
}

/** A unit of the face of a rack. */
class ElevationRow {
  @ApiProperty({ type: 'integer', format: 'int32', description: 'Unit, counted from 1 at the bottom', example: 12 })
  unit!: number;
  @ApiProperty({
    ...id,
    type: 'string',
    nullable: true,
    description: 'Device that takes the unit, or its lower part; null if it is free',
  })
  deviceId!: string | null;
}

/** A device of a rack without a position. */
class UnplacedDevice {
  @ApiProperty({ ...id, description: 'Device' }) id!: string;
  @ApiProperty({ description: 'Name', example: 'ams-core-sw-01' }) name!: string;
}

/** Devices that do not fit. */
class ElevationConflict {
  @ApiProperty({
    type: 'array',
    items: id,
    description: 'Two devices that overlap, or one that is outside the units of the rack',
  })
  deviceIds!: string[];
}

/** Units of a rack that are reserved at a time. */
export class ElevationReservation {
  @ApiProperty({ ...id, description: 'Reservation' }) id!: string;
  @ApiProperty({ type: [Number], description: 'Whole units that are reserved', example: [40, 41] }) units!: number[];
  @ApiProperty({ ...face, nullable: true, description: 'Face that is reserved; both, if null' })
  face!: RackFace | null;
  @ApiProperty({ ...time, description: 'Start; null if it is open' }) startTime!: string | null;
  @ApiProperty({ ...time, description: 'End; null if it is open', example: '2031-03-08T08:00:00.000Z' })
  endTime!: string | null;
  @ApiProperty({ ...reference, description: 'Device that the units are for' }) deviceId!: string | null;
  @ApiProperty({ ...reference, description: 'Person whom it is for' }) personId!: string | null;
  @ApiProperty({ ...reference, description: 'Change request that it is for' }) changeRequestId!: string | null;
  @ApiProperty({ type: 'string', nullable: true, description: 'Description', example: 'Two storage shelves' })
  description!: string | null;
}

/** A face of a rack with its devices. */
export class RackElevation {
  @ApiProperty({ ...id, description: 'Rack' }) rackId!: string;
  @ApiProperty({ description: 'Name of the rack', example: 'A1' }) name!: string;
  @ApiProperty({ ...units, description: 'Height in rack units; null if it is unknown' }) units!: number | null;
  @ApiProperty({ ...face, description: 'Face that is shown' }) face!: RackFace;
  @ApiProperty({ type: [ElevationDevice], description: 'Devices that are seen from this face, from the top' })
  devices!: ElevationDevice[];
  @ApiProperty({
    type: [ElevationRow],
    description:
      'Units from the top, at most 1,000. If the height of the rack is unknown, up to the highest unit that is taken',
  })
  rows!: ElevationRow[];
  @ApiProperty({ type: [UnplacedDevice], description: 'Devices of the rack without a position' })
  unplaced!: UnplacedDevice[];
  @ApiProperty({
    type: [ElevationConflict],
    description: 'Devices of either face that do not fit. They were placed before this was checked',
  })
  conflicts!: ElevationConflict[];
  @ApiProperty({
    type: [ElevationReservation],
    description: 'Reservations of units of either face that run at the time, by their first units',
  })
  reservations!: ElevationReservation[];
}

/** The occupied space of a rack. */
export class RackUtilisation {
  @ApiProperty({ ...units, description: 'Height in rack units; null if it is unknown' }) units!: number | null;
  @ApiProperty({ ...height, description: 'Units that are taken on at least one face', example: 31.5 })
  usedUnits!: number;
  @ApiProperty({
    ...height,
    type: 'number',
    nullable: true,
    description: 'Units that are free on both faces; null if the height is unknown',
    example: 10.5,
  })
  freeUnits!: number | null;
  @ApiProperty({
    ...height,
    type: 'number',
    nullable: true,
    maximum: 1,
    description: 'Share of the units that are taken, from 0 to 1; null if the height is unknown or 0',
    example: 0.75,
  })
  utilisation!: number | null;
}
