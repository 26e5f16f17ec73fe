import { ApiProperty } from '@nestjs/swagger';

const count = { type: 'integer', format: 'int32', minimum: 0 } as const;

export class IgnoredLibraryKey {
  @ApiProperty({ ...count, minimum: 1, description: 'Number of the document, from 1', example: 1 }) document!: number;
  @ApiProperty({
    description: 'Key that is not kept, at the top of the document or of its interfaces (`interfaces.poe_mode`)',
    example: 'console-ports',
  })
  key!: string;
}

/** The response of an import of the device type library. */
export class DeviceTypeLibraryImport {
  @ApiProperty({ ...count, description: 'Number of device types that were created', example: 1 }) created!: number;
  @ApiProperty({ ...count, description: 'Number of device types that were changed, or whose ports were' })
  updated!: number;
  @ApiProperty({ ...count, description: 'Number of device types that were already as their documents say' })
  unchanged!: number;
  @ApiProperty({ ...count, description: 'Number of manufacturers that were created' }) manufacturersCreated!: number;
  @ApiProperty({
    ...count,
    description: 'Number of device types that were left alone, as a customer created or changed them',
  })
  skipped!: number;
  @ApiProperty({ type: [IgnoredLibraryKey], description: 'What the documents say and is not kept' })
  ignored!: IgnoredLibraryKey[];
}
