import { ApiProperty } from '@nestjs/swagger';
import { RequestBody } from '../../fields/field.js';
import { BooleanField, ReferenceField, TypedField, WordField } from '../../fields/fields.js';
import { Location } from '../../network/location/location.entity.js';
import { Site } from '../../network/site/site.entity.js';
import { EXAMPLE_ID } from '../../openapi/schema.js';
import { NamedRecord } from '../../records/named-record.js';
import { codes } from './codes.field.js';
import { STOCKTAKE_STATUSES } from './stocktake.entity.js';

/** The lists of a result, in the order of their importance. */
export const RESULT_LISTS = [
  'expected',
  'found',
  'missing',
  'misplaced',
  'unexpected',
  'unknown',
  'ambiguous',
] as const;
export type ResultList = (typeof RESULT_LISTS)[number];

/** The lists whose entries are assets. The entries of the others are codes. */
export const LISTS_OF_ASSETS = [
  'missing',
  'expected',
  'found',
  'misplaced',
  'unexpected',
] as const satisfies ResultList[];
export type ListOfAssets = (typeof LISTS_OF_ASSETS)[number];

/** The scans of a device. */
export class ScanCodes extends RequestBody {
  @TypedField(codes, 'Inventory tags or serial numbers, compared exactly. Blanks around them are taken off', {
    required: true,
    example: ['AT-004217', 'FCW2231L0AB'],
  })
  codes!: string[];
  @ReferenceField(() => Site, 'Site where they were seen; that of the location, if that has one')
  siteId?: string | null;
  @ReferenceField(
    () => Location,
    'Location where they were seen. Without it and `siteId` they were seen where the stocktake counts',
  )
  locationId?: string | null;
}

/** The results of scanned codes. */
export class ScannedCodes {
  @ApiProperty({
    description: 'Number of different codes that were recorded',
    type: 'integer',
    format: 'int32',
    minimum: 1,
    example: 2,
  })
  count!: number;
  @ApiProperty({ description: 'Those that are of no asset', type: [String], example: ['AT-999999'] })
  unknown!: string[];
  @ApiProperty({ description: 'Those that are of several assets', type: [String], example: ['N/A'] })
  ambiguous!: string[];
}

const count = (description: string): PropertyDecorator =>
  ApiProperty({ description, type: 'integer', format: 'int32', minimum: 0, example: 4 });

export class StocktakeCounts {
  @count(
    'Assets that have to be there: recorded at the place and of the category, not retired, disposed, lost or handed out',
  )
  expected!: number;
  @count('Expected assets that were seen where they are recorded') found!: number;
  @count('Expected assets that were not seen, and are not behind an ambiguous code') missing!: number;
  @count('Assets that were seen elsewhere than they are recorded') misplaced!: number;
  @count(
    'Assets that were seen although nobody expects them: of another category, retired, disposed, lost, handed out, or not counted here',
  )
  unexpected!: number;
  @count('Codes of no asset') unknown!: number;
  @count('Codes of several assets') ambiguous!: number;
}

/** The result of a stocktake in numbers. */
export class StocktakeResult {
  @ApiProperty({ description: 'Number of entries of each list' }) counts!: StocktakeCounts;
}

/** A place of an asset. */
export class StocktakePlace {
  @ApiProperty({ description: 'Site', type: 'string', format: 'uuid', nullable: true, example: EXAMPLE_ID })
  siteId!: string | null;
  @ApiProperty({ description: 'Name of the site', type: 'string', nullable: true, example: 'Amsterdam DC1' })
  siteName!: string | null;
  @ApiProperty({ description: 'Location', type: 'string', format: 'uuid', nullable: true, example: EXAMPLE_ID })
  locationId!: string | null;
  @ApiProperty({ description: 'Name of the location', type: 'string', nullable: true, example: 'Room 2.04' })
  locationName!: string | null;
}

const nullableText = (description: string, example: string): PropertyDecorator =>
  ApiProperty({ description, type: 'string', nullable: true, example });

/** An asset, or a code that does not identify a single asset. */
export class StocktakeEntry {
  @ApiProperty({
    description: 'The asset; null for a code of none or several',
    type: () => NamedRecord,
    nullable: true,
  })
  asset!: NamedRecord | null;
  @nullableText('Its inventory tag', 'AT-004217') assetTag!: string | null;
  @nullableText('Its serial number', 'FCW2231L0AB') serialNumber!: string | null;
  @nullableText('Its status', 'in_stock') status!: string | null;
  @nullableText('The code that was scanned last; null if nothing was', 'AT-004217') code!: string | null;
  @ApiProperty({ description: 'Of an ambiguous code: the first ten of its assets', type: [NamedRecord] })
  candidates!: NamedRecord[];
  @ApiProperty({ description: 'Where it is recorded', type: () => StocktakePlace, nullable: true })
  recorded!: StocktakePlace | null;
  @ApiProperty({
    description: 'Where it was seen last; null if it was not',
    type: () => StocktakePlace,
    nullable: true,
  })
  seen!: StocktakePlace | null;
  @ApiProperty({
    description:
      'Whether the asset was changed, handed out or taken back since the stocktake began; of an unknown code, whether it was that of an asset deleted since then',
    example: false,
  })
  changed!: boolean;
}

/** How a result is applied. */
export class CloseStocktake extends RequestBody {
  @BooleanField('Whether misplaced assets get the place where they were seen') relocate?: boolean;
  @WordField('Status that missing assets get, such as `lost`; null leaves them as they are', ['lost'], {
    notBlank: true,
  })
  missingStatus?: string | null;
}

/** The changes that closing made. */
export class ClosedStocktake {
  @ApiProperty({ description: 'The stocktake', format: 'uuid', example: EXAMPLE_ID }) id!: string;
  @ApiProperty({ description: 'Its name', example: 'Store room, December' }) name!: string;
  @ApiProperty({
    description: 'Its status',
    enum: STOCKTAKE_STATUSES,
    enumName: 'StocktakeStatus',
    example: 'closed',
  })
  status!: (typeof STOCKTAKE_STATUSES)[number];
  @ApiProperty({ description: 'When it was closed', format: 'date-time', example: '2031-04-30T08:30:00.000Z' })
  closedAt!: string;
  @ApiProperty({ description: 'Email address of the profile that closed it', example: 'ada@example.com' })
  closedBy!: string;
  @ApiProperty({ description: 'Number of entries of each list, from now on' }) counts!: StocktakeCounts;
  @count('Misplaced assets that got the place where they were seen') relocated!: number;
  @count('Missing assets that got the status') marked!: number;
  @ApiProperty({
    description:
      'Assets that were left alone, because they were changed since the stocktake began; of those that would have been changed',
    type: [NamedRecord],
  })
  skipped!: NamedRecord[];
}
