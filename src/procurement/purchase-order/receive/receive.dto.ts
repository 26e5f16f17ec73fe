import { ApiProperty } from '@nestjs/swagger';
import { Fault } from '../../../http/errors.js';
import { addBodyRule } from '../../../kernel/dto.js';
import { RequestBody } from '../../../kernel/field.js';
import { IntegerField, LineField, ObjectsField, TextField, UuidField } from '../../../kernel/fields.js';

/** Most units that one request may receive. */
export const MAX_UNITS = 1000;

export class ReceivedAssetDto extends RequestBody {
  @LineField('Serial number of the unit', { example: 'PF3X1234' }) serialNumber?: string | null;
  @LineField('Tag on the unit', { example: 'A-00042' }) assetTag?: string | null;
  @UuidField("Site where it goes; the order's when not given") siteId?: string | null;
  @UuidField("Location where it goes; the order's when not given") locationId?: string | null;
  @TextField('Notes') notes?: string | null;
}

export class ReceivedItemDto extends RequestBody {
  @UuidField('The line of the order', { required: true }) itemId!: string;
  @IntegerField('Units received now, at most what remains on the line', {
    required: true,
    min: 1,
    max: 1_000_000,
    example: 1,
  })
  quantity!: number;
  @ObjectsField('One entry a unit', () => ReceivedAssetDto, { required: true }) assets!: ReceivedAssetDto[];
}

export class ReceivePurchaseOrderDto extends RequestBody {
  @ObjectsField('What arrived', () => ReceivedItemDto, { required: true, min: 1 }) items!: ReceivedItemDto[];
}

addBodyRule(ReceivePurchaseOrderDto, ({ items }) => {
  if (!Array.isArray(items)) return undefined;
  for (const [index, item] of (items as Partial<ReceivedItemDto>[]).entries()) {
    if (!Number.isInteger(item?.quantity) || !Array.isArray(item.assets)) continue;
    if (item.assets.length !== item.quantity) {
      return new Fault(
        `items[${index}].assets`,
        `must have as many entries as quantity says: ${item.quantity}, not ${item.assets.length}`,
      );
    }
  }
  const units = (items as Partial<ReceivedItemDto>[]).reduce((sum, item) => sum + (item?.assets?.length ?? 0), 0);
  return units > MAX_UNITS ? new Fault('items', `must not be more than ${MAX_UNITS} units in one request`) : undefined;
});

/** What a receive has made. */
export class ReceiveResult {
  @ApiProperty({
    description: 'The new assets, in the order of the request',
    type: 'array',
    items: { type: 'string', format: 'uuid' },
  })
  assetIds!: string[];
  @ApiProperty({ description: 'How many they are', type: 'integer', example: 1 }) count!: number;
}
