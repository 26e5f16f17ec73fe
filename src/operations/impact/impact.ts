import { ApiProperty } from '@nestjs/swagger';
import { NamedRecord } from '../../records/named-record.js';

export const MOST_REACHED = 1000;

const count = { type: 'integer', format: 'int32', minimum: 1, required: false } as const;

/** Number of reached records by resource. Resources without one are left out. */
export class ImpactCounts {
  @ApiProperty({ ...count, example: 3 }) regions?: number;
  @ApiProperty({ ...count, example: 2 }) sites?: number;
  @ApiProperty({ ...count, example: 2 }) locations?: number;
  @ApiProperty({ ...count, example: 12 }) racks?: number;
  @ApiProperty({ ...count, example: 40 }) assets?: number;
  @ApiProperty({ ...count, example: 24 }) 'power-feeds'?: number;
  @ApiProperty({ ...count, example: 40 }) devices?: number;
  @ApiProperty({ ...count, example: 960 }) 'device-ports'?: number;
  @ApiProperty({ ...count, example: 120 }) 'ip-addresses'?: number;
  @ApiProperty({ ...count, example: 1 }) clusters?: number;
  @ApiProperty({ ...count, example: 25 }) 'virtual-machines'?: number;
  @ApiProperty({ ...count, example: 30 }) 'virtual-machine-interfaces'?: number;
}

/** A record that goes down with another. */
export class ReachedRecord extends NamedRecord {
  @ApiProperty({
    description:
      'Effect on the record. A cluster is `degraded`, with its virtual machines and their contents, if at least one of its devices is not reached. A device is `degraded` if some of its power supplies are lost, or if one of its ports is at the end of the circuit',
    enum: ['down', 'degraded'],
    enumName: 'ImpactEffect',
  })
  effect!: string;
  @ApiProperty({ description: 'The record through which it was reached', type: () => NamedRecord }) via!: NamedRecord;
}

const planned = { type: () => NamedRecord, isArray: true, required: false } as const;

/** The impact of a record's failure. */
export class Impact {
  @ApiProperty({ description: 'The record that goes down' }) record!: NamedRecord;
  @ApiProperty({ description: 'Number of reached records by resource' }) counts!: ImpactCounts;
  @ApiProperty({
    description: `The reached records by resource and name, the first ${MOST_REACHED}`,
    type: [ReachedRecord],
  })
  records!: ReachedRecord[];
  @ApiProperty({
    ...planned,
    description: `Open incidents with a target that is the record, a reached record or a container of the record; the latest first, at most ${MOST_REACHED}. Only for callers with the area \`operations\``,
  })
  incidents?: NamedRecord[];
  @ApiProperty({
    ...planned,
    description: `Current and future maintenance windows with such a target, by their start, at most ${MOST_REACHED}. Only for callers with the area \`operations\``,
  })
  maintenanceWindows?: NamedRecord[];
  @ApiProperty({
    ...planned,
    description: `Unfinished change requests with such a target, by their time, at most ${MOST_REACHED}. Only for callers with the area \`operations\``,
  })
  changeRequests?: NamedRecord[];
}
