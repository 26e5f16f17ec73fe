import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE_ID } from '../../openapi/schema.js';
import { PORT_KINDS } from '../ports/port-kinds.js';
import { MOST_ENTRIES } from './trace-statement.js';

/** The device of a port. */
class TracedDevice {
  @ApiProperty({ description: 'Identifier', format: 'uuid', example: EXAMPLE_ID }) id!: string;
  @ApiProperty({ description: 'Name of the device', example: 'ams-leaf-01' }) name!: string;
}

/** A record on the way of a trace. */
export class TraceEntry {
  @ApiProperty({
    description: 'Resource of the record, as in the change log',
    enum: ['device-ports', 'cables', 'circuit-terminations', 'circuits', 'power-feeds'],
    enumName: 'TracedResource',
  })
  resource!: string;
  @ApiProperty({ description: 'Identifier of the record', format: 'uuid', example: EXAMPLE_ID }) id!: string;
  @ApiProperty({
    description: 'Name of the record; the label of a cable, which may be null',
    type: 'string',
    nullable: true,
    example: 'Ethernet1',
  })
  name!: string | null;
  @ApiProperty({ description: 'Of a port: its kind', enum: PORT_KINDS, enumName: 'PortKind', required: false })
  kind?: string;
  @ApiProperty({ description: 'Of a port: its device', type: () => TracedDevice, required: false })
  device?: TracedDevice;
}

const STATUS = {
  description:
    '`not_connected`: the port has no cable; `complete`: the trace ends at a port that is neither front nor rear, at a power feed, or at a circuit termination; `open`: it ends at a front or rear port with nothing behind it; `splits`: it ends at a rear port with several positions, and none is remembered',
  enum: ['not_connected', 'complete', 'open', 'splits'],
  enumName: 'TraceStatus',
};

/** The far end of a port. */
export class Trace {
  @ApiProperty(STATUS) status!: string;
  @ApiProperty({
    description: `Entries of the trace: port, cable, port, and so on; at most ${MOST_ENTRIES} entries`,
    type: [TraceEntry],
    maxItems: MOST_ENTRIES,
  })
  path!: TraceEntry[];
  @ApiProperty({
    description: 'If the trace splits, the front ports of the rear port, by position',
    type: [TraceEntry],
  })
  branches!: TraceEntry[];
  @ApiProperty({ description: 'Whether a cable of the trace is planned' }) planned!: boolean;
  @ApiProperty({ description: `\`true\`: the trace is longer than ${MOST_ENTRIES} entries, and cut`, required: false })
  truncated?: true;
}

/** A port with a cable, and the end of its trace. */
export class Neighbour {
  @ApiProperty({ description: 'The port of the device' }) port!: TraceEntry;
  @ApiProperty({
    description: 'The port that the trace ends at; null unless it is complete at a port',
    type: () => TraceEntry,
    nullable: true,
  })
  end!: TraceEntry | null;
  @ApiProperty(STATUS) status!: string;
  @ApiProperty({
    description: 'Number of cables of the trace',
    type: 'integer',
    format: 'int32',
    minimum: 1,
    example: 3,
  })
  cables!: number;
}
