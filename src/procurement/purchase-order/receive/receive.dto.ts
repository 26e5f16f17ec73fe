import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { addBodyRule, TakesCustomFields } from '../../../fields/bodies/bodies.js';
import { RequestBody } from '../../../fields/field.js';
import { IntegerField, LineField, ObjectsField, ReferenceField, TextField, UuidField } from '../../../fields/fields.js';
import { Fault } from '../../../http/errors.js';
import { isObject } from '../../../http/json-body.js';
import { Location } from '../../../network/location/location.entity.js';
import { Site } from '../../../network/site/site.entity.js';
import { Asset } from '../../asset/asset.entity.js';
import { Receipt } from '../receipt/receipt.entity.js';

/** Most units that one request can receive. */
const MAX_UNITS = 1000;

/** The data of one received unit. */
@TakesCustomFields(() => Asset)
class ReceivedUnit extends RequestBody {
  @LineField('Serial number', { example: 'FCW2231L0AB' }) serialNumber?: string | null;
  @LineField('Inventory tag', { example: 'AT-004217' }) assetTag?: string | null;
  @ReferenceField(() => Site, 'Site where it is; that of the order when it is not given, and none if it is null')
  siteId?: string | null;
  @ReferenceField(
    () => Location,
    'Location where it is; that of the order when it is not given, and none if it is null',
  )
  locationId?: string | null;
  @TextField('Notes') notes?: string | null;
}

/** One entry for each unit. */
const OnePerUnit = (): PropertyDecorator => (prototype, property) =>
  ValidateBy({
    name: 'onePerUnit',
    validator: {
      validate: (assets, args) => !Array.isArray(assets) || assets.length === quantityOf(args?.object, assets.length),
      defaultMessage: (args) => `must have one entry per unit, ${quantityOf(args?.object, 0)}`,
    },
  })(prototype, property as string);

/** The quantity of an entry; the fallback if it is invalid, which is reported separately. */
function quantityOf(entry: unknown, fallback: number): number {
  const { quantity } = entry as ReceivedItem;
  return Number.isInteger(quantity) && quantity >= 1 && quantity <= MAX_UNITS ? quantity : fallback;
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
  @OnePerUnit()
  @ObjectsField('One entry per unit', () => ReceivedUnit, { required: true })
  assets!: ReceivedUnit[];
}

@TakesCustomFields(() => Receipt)
export class ReceivePurchaseOrder extends RequestBody {
  @ObjectsField(`What was received, at most ${MAX_UNITS} units in all`, () => ReceivedItem, {
    required: true,
    min: 1,
  })
  items!: ReceivedItem[];
}

addBodyRule(ReceivePurchaseOrder, ({ items }) => {
  // An invalid quantity is reported separately.
  if (!Array.isArray(items) || !items.every((entry) => isObject(entry) && Number.isInteger(entry.quantity)))
    return undefined;
  const units = (items as ReceivedItem[]).reduce((sum, { quantity }) => sum + quantity, 0);
  return units > MAX_UNITS
    ? new Fault('items', `must receive at most ${MAX_UNITS} units in one request, and not ${units}`)
    : undefined;
});

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
