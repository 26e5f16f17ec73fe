import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE_ID } from '../openapi/schema.js';

/** A record in a computed response. */
export class NamedRecord {
  @ApiProperty({ description: 'Resource of the record, as in the change log', example: 'devices' }) resource!: string;
  @ApiProperty({ description: 'Identifier of the record', format: 'uuid', example: EXAMPLE_ID }) id!: string;
  @ApiProperty({ description: 'Name of the record', example: 'ams-core-sw-01' }) name!: string;
}
