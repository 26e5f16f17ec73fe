import { ApiProperty } from '@nestjs/swagger';
import { EXAMPLE_ID } from '../openapi/schema.js';

export const MATCHES = ['exact', 'prefix', 'contains'] as const;

/** A record that the global search has found. */
export class SearchMatch {
  @ApiProperty({ description: 'Resource of the record, as in the change log', example: 'assets' }) resource!: string;
  @ApiProperty({ description: 'Identifier of the record', format: 'uuid', example: EXAMPLE_ID }) id!: string;
  @ApiProperty({ description: 'Path of the record', example: `/api/assets/${EXAMPLE_ID}` }) path!: string;
  @ApiProperty({ description: 'Name of the record', example: 'Catalyst 9300-48P' }) name!: string;
  @ApiProperty({
    description:
      'What tells the record from others of its name, such as the name of its site; null if there is nothing',
    type: 'string',
    nullable: true,
    example: 'Amsterdam DC1',
  })
  beside!: string | null;
  @ApiProperty({ description: 'Field of the record that matches best', example: 'serialNumber' }) field!: string;
  @ApiProperty({
    description: 'Whether the field equals the text, begins with it, or contains it, in upper or lower case',
    enum: MATCHES,
    enumName: 'SearchMatchKind',
  })
  match!: string;
}
