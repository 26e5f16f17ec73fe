import { Column } from 'typeorm';
import { DETAIL } from '../../database/constraint-faults.js';
import { addBodyRule, CreateBody } from '../../fields/bodies/bodies.js';
import { defineRule, Rule } from '../../fields/bodies/rules.js';
import {
  CurrencyField,
  EnumField,
  IntegerField,
  LineField,
  OwnerField,
  PriceField,
  ReferenceField,
  TextField,
} from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { Fault } from '../../http/errors.js';
import { Device } from '../../network/device/device.entity.js';
import { Location } from '../../network/location/location.entity.js';
import { Site } from '../../network/site/site.entity.js';
import { Person } from '../../people/person/person.entity.js';
import { Asset } from '../asset/asset.entity.js';
import { PurchaseOrderItem } from '../purchase-order/purchase-order.entity.js';
import { Receipt } from '../purchase-order/receipt/receipt.entity.js';
import { StockItem } from '../stock-item/stock-item.entity.js';

export const MOVEMENT_KINDS = ['receipt', 'issue', 'return', 'transfer', 'count', 'correction'] as const;
type MovementKind = (typeof MOVEMENT_KINDS)[number];

// Raised by move_stock.sql.
defineRule('ex_stock_levels', 'quantity', `must not take more than there is: ${DETAIL}`);
defineRule('uq_stock_movements_reverses_id', 'movement', 'is already reversed');
defineRule('ck_stock_movements_site', 'siteId', `must be the site of locationId: ${DETAIL}`);
defineRule('ck_stock_movements_to_site', 'toSiteId', `must be the site of toLocationId: ${DETAIL}`);

const readOnly = { readOnly: true } as const;

/** A change of the level of a stock item. It is created and read, and never changed. */
@RecordEntity('stock_movements', { area: 'procurement' })
@Rule('ck_stock_movements_quantity', '"quantity" <> 0', 'quantity', 'must not be 0')
// A reversal has the opposite sign.
@Rule(
  'ck_stock_movements_sign',
  `"reverses_id" IS NOT NULL OR "kind" IN ('count', 'correction') OR ("quantity" > 0) = ("kind" <> 'issue')`,
  'quantity',
  'must be less than 0 for an issue, and greater than 0 for a receipt, a return and a transfer',
)
export class StockMovement extends StoredRecord {
  @OwnerField(() => StockItem, 'Stock item that is moved', { hidden: true, keeps: () => 'true' }) stockItemId!: string;
  @IntegerField(
    'Units that the level of the place changes by: more than 0 for a `receipt`, a `return` and a `transfer`, which brings them to the other place; less than 0 for an `issue`; the difference for a `count` or a `correction`',
    // The negated value, which a reversal has, must be an integer too.
    { required: true, min: -2_147_483_647, example: 20 },
  )
  quantity!: number;
  @EnumField('Kind of movement', 'StockMovementKind', MOVEMENT_KINDS, { required: true }) kind!: MovementKind;
  @ReferenceField(() => Site, 'Site of the place; that of the location, if there is one') siteId!: string | null;
  @ReferenceField(() => Location, 'Location of the place') locationId!: string | null;
  @ReferenceField(() => Site, 'Site that a transfer leads to; that of its location, if there is one')
  toSiteId!: string | null;
  @ReferenceField(() => Location, 'Location that a transfer leads to') toLocationId!: string | null;
  @ReferenceField(() => Person, 'Person who took them or brought them back') personId!: string | null;
  @ReferenceField(() => Device, 'Device that they are for') deviceId!: string | null;
  @ReferenceField(() => Asset, 'Asset that they are for') assetId!: string | null;
  @TextField('Why; a correction needs one', { example: 'Two were broken' }) reason!: string | null;
  @PriceField('Cost of one unit; null if it is not known, or if units of several costs went out', {
    ...readOnly,
    example: '3.20',
  })
  unitCost!: string | null;
  @CurrencyField('Currency of the cost', { ...readOnly, default: undefined, example: 'EUR' }) currency!: string | null;
  @ReferenceField(() => PurchaseOrderItem, 'Line of the order that they were received with', readOnly)
  purchaseOrderItemId!: string | null;
  @LineField('Email address of the profile that wrote it', { ...readOnly, nullable: false, example: 'ada@example.com' })
  author!: string;
  @ReferenceField(() => Receipt, 'Receipt that they were received with', {
    ...readOnly,
    hidden: true,
    shownAs: 'purchaseOrderItemId',
  })
  receiptId!: string | null;
  /** The movement that this one reverses. */
  @Column({ type: 'uuid', nullable: true, unique: true }) reversesId!: string | null;
  /** The issued units: `[{lot, quantity}]`, the oldest first. */
  @Column({ type: 'jsonb', nullable: true }) draws!: object | null;
}

export class CreateStockMovement extends CreateBody(StockMovement) {}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const POSITIVE = ['receipt', 'return', 'transfer'];

addBodyRule(CreateStockMovement, ({ quantity, kind }) => {
  if (quantity === 0) return new Fault('quantity', 'must not be 0');
  if (typeof quantity !== 'number' || !Number.isInteger(quantity)) return undefined;
  if (POSITIVE.includes(kind as string) && quantity < 0)
    return new Fault('quantity', `must be greater than 0 for a ${kind as string}`);
  return kind === 'issue' && quantity > 0 ? new Fault('quantity', 'must be less than 0 for an issue') : undefined;
});
addBodyRule(CreateStockMovement, ({ kind, reason }) =>
  kind === 'correction' && !isGiven(reason) ? new Fault('reason', 'is required for a correction') : undefined,
);
for (const property of ['toSiteId', 'toLocationId'] as const) {
  addBodyRule(CreateStockMovement, (body) =>
    isGiven(body[property]) && MOVEMENT_KINDS.includes(body.kind as MovementKind) && body.kind !== 'transfer'
      ? new Fault(property, 'is for a transfer only')
      : undefined,
  );
}
addBodyRule(CreateStockMovement, ({ kind, siteId, locationId, toSiteId, toLocationId }) => {
  if (kind !== 'transfer') return undefined;
  if (!isGiven(toSiteId) && !isGiven(toLocationId))
    return new Fault('toLocationId', 'or toSiteId is required for a transfer');
  const isSame = isGiven(toLocationId) ? toLocationId === locationId : !isGiven(locationId) && toSiteId === siteId;
  return isSame ? new Fault(isGiven(toLocationId) ? 'toLocationId' : 'toSiteId', 'must be another place') : undefined;
});
