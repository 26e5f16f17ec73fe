import { ApiProperty } from '@nestjs/swagger';
import { addBodyRule, isObject } from '../../../fields/bodies.js';
import { RequestBody } from '../../../fields/field.js';
import { IntegerField, LineField, ObjectsField, TextField, UuidField } from '../../../fields/fields.js';
import { Fault } from '../../../http/errors.js';
import { MAX_UNITS, volumeFault } from './receive.rules.js';

/** What is known of one received unit. */
export class ReceivedUnit extends RequestBody {
  @LineField('Serial number', { example: 'FCW2231L0AB' }) serialNumber?: string | null;
  @LineField('Inventory tag', { example: 'AT-004217' }) assetTag?: string | null;
  @UuidField('Site where it is; that of the order when it is not given', { nullable: true }) siteId?: string | null;
  @UuidField('Location where it is; that of the order when it is not given', { nullable: true })
  locationId?: string | null;
  @TextField('Notes') notes?: string | null;
}

export class ReceivedItem extends RequestBody {
  @UuidField('Line of the order', { required: true }) itemId!: string;
  @IntegerField('Units received; no more than remain on the line', {
    required: true,
    min: 1,
    max: MAX_UNITS,
    example: 1,
  })
  quantity!: number;
  @ObjectsField('One entry per unit', () => ReceivedUnit, { required: true })
  assets!: ReceivedUnit[];
}

// As many entries as units. A quantity that is none is a fault of its own.
addBodyRule(ReceivedItem, ({ quantity, assets }) =>
  isQuantity(quantity) && Array.isArray(assets) && assets.length !== quantity
    ? new Fault('assets', `must have one entry per unit, ${quantity}`)
    : undefined,
);

const isQuantity = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_UNITS;

export class ReceivePurchaseOrder extends RequestBody {
  @ObjectsField(`What was received, at most ${MAX_UNITS} units in all`, () => ReceivedItem, {
    required: true,
    min: 1,
  })
  items!: ReceivedItem[];
}

addBodyRule(ReceivePurchaseOrder, ({ items }) =>
  Array.isArray(items) && items.every((entry) => isObject(entry) && Number.isInteger(entry.quantity))
    ? volumeFault(items as ReceivedItem[])
    : undefined,
);

/** The assets that a receive made. */
export class PurchaseOrderReceipt {
  @ApiProperty({
    description: 'Identifiers of the assets, in the order of the request',
    type: 'array',
    items: { type: 'string', format: 'uuid' },
  })
  assetIds!: string[];
  @ApiProperty({ description: 'Number of assets', type: 'integer', format: 'int32', minimum: 1, example: 1 })
  count!: number;
}
