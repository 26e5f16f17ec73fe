import { ApiProperty } from '@nestjs/swagger';

const count = { type: 'integer', format: 'int32', minimum: 0 } as const;

class IgnoredLibraryKey {
  @ApiProperty({ ...count, minimum: 1, description: 'Number of the document, from 1', example: 1 }) document!: number;
  @ApiProperty({
    description: 'Key that was ignored, at the top of the document or in its interfaces (`interfaces.poe_mode`)',
    example: 'console-ports',
  })
  key!: string;
}

/** The response of an import of the device type library. */
export class DeviceTypeLibraryImport {
  @ApiProperty({ ...count, description: 'Number of device types that were created', example: 1 }) created!: number;
  @ApiProperty({ ...count, description: 'Number of device types that were changed themselves or in their ports' })
  updated!: number;
  @ApiProperty({ ...count, description: 'Number of device types that already matched their documents' })
  unchanged!: number;
  @ApiProperty({ ...count, description: 'Number of manufacturers that were created' }) manufacturersCreated!: number;
  @ApiProperty({
    ...count,
    description: 'Number of device types that were left unchanged because a customer created or changed them',
  })
  skipped!: number;
  @ApiProperty({ type: [IgnoredLibraryKey], description: 'Keys of the documents that were ignored' })
  ignored!: IgnoredLibraryKey[];
}
