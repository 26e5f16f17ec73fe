import { ApiProperty } from '@nestjs/swagger';
import { Column, type Relation } from 'typeorm';
import { ComputedField, EmailField, OwnerField, TimestampField } from '../../../fields/fields.js';
import { StoredRecord } from '../../../fields/record.js';
import { RecordEntity } from '../../../fields/record-entity.js';
import { PurchaseOrder } from '../purchase-order.entity.js';

const units = { type: 'integer', format: 'int32', minimum: 1 } as const;
const setByReceiving = { readOnly: true, nullable: false, databaseDefault: 'now()' };

/** The received quantity of one line, with the values of the line at that time. */
export class ReceiptItem {
  @ApiProperty({ description: 'Line of the order', format: 'uuid' }) itemId!: string;
  @ApiProperty({ description: 'Name of the line', example: 'Catalyst 9300-48P' }) name!: string;
  @ApiProperty({ ...units, description: 'Units received', example: 1 }) quantity!: number;
  @ApiProperty({
    description:
      'The created assets, in the order of the request, also those that no longer exist; none if the units became a part of a stock item',
    type: 'array',
    items: { type: 'string', format: 'uuid' },
  })
  assetIds!: string[];
}

/** The result of one receiving request for a purchase order. Receiving creates it, and only a reversal changes it. */
@RecordEntity('receipts', { area: 'procurement' })
export class Receipt extends StoredRecord {
  @OwnerField(() => PurchaseOrder, 'Purchase order that was received', { hidden: true }) purchaseOrderId!: string;
  @TimestampField('When it was received', setByReceiving) receivedAt!: string;
  @EmailField('Email address of the profile that received it', { readOnly: true })
  receivedBy!: string | null;
  @ComputedField(
    'Number of units',
    (t) => `(SELECT sum((line->>'quantity')::int)::int FROM jsonb_array_elements(${t}.lines) line)`,
    { ...units, example: 1 },
  )
  count!: number;
  @ComputedField('Received units, one entry per line', (t) => `${t}.lines`, {
    type: () => ReceiptItem,
    isArray: true,
  })
  items!: Relation<ReceiptItem>[];
  @TimestampField('When it was reversed', { readOnly: true, example: '2026-03-02T09:00:00.000Z' })
  reversedAt!: string | null;
  @EmailField('Email address of the profile that reversed it', { readOnly: true }) reversedBy!: string | null;
  /** The stored `items`. They have no foreign keys, because a reversed receipt outlives its lines and its assets. */
  @Column({ type: 'jsonb' }) lines!: object;
}
