import { ApiProperty } from '@nestjs/swagger';
import { TakesCustomFields } from '../../../fields/bodies/bodies.js';
import { RequestBody } from '../../../fields/field.js';
import { IntegerField, ObjectsField, ReferenceField, UuidField } from '../../../fields/fields.js';
import { Location } from '../../../network/location/location.entity.js';
import { Site } from '../../../network/site/site.entity.js';
import { Receipt } from '../receipt/receipt.entity.js';

/** What is received of a line. */
export class ReceivedStock extends RequestBody {
  @UuidField('Line of the order, which names a stock item', { required: true }) itemId!: string;
  @IntegerField('Units received; no more than remain on the line', { required: true, min: 1, example: 500 })
  quantity!: number;
  @ReferenceField(() => Site, 'Site where they are put; that of the order where neither it nor a location is given')
  siteId?: string | null;
  @ReferenceField(() => Location, 'Location where they are put; that of the order where neither it nor a site is given')
  locationId?: string | null;
}

@TakesCustomFields(() => Receipt)
export class ReceiveStock extends RequestBody {
  @ObjectsField('What was received', () => ReceivedStock, { required: true, min: 1 }) items!: ReceivedStock[];
}

/** The movements that a receive made. */
export class StockReceipt {
  @ApiProperty({
    description: 'Identifiers of the movements, in the order of the request',
    type: 'array',
    items: { type: 'string', format: 'uuid' },
  })
  movementIds!: string[];
  @ApiProperty({ description: 'Number of movements', type: 'integer', format: 'int32', minimum: 1, example: 1 })
  count!: number;
}
