import { Index, type Relation } from 'typeorm';
import {
  ComputedField,
  JoinedField,
  LineField,
  NameField,
  PriceField,
  ReferenceField,
  TextField,
  TimestampField,
  WordField,
} from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { Location } from '../../network/location/location.entity.js';
import { Site } from '../../network/site/site.entity.js';
import { AssetCategory } from '../asset-category/asset-category.entity.js';
import { Manufacturer } from '../manufacturer/manufacturer.entity.js';
import { PurchaseOrder } from '../purchase-order/purchase-order.entity.js';
import { CurrentAssignee } from './current-assignee.js';

@RecordEntity('assets', { area: 'procurement', apart: ['assetTag'] })
// A partial index over unsettled records. A migration creates it.
@Index('ix_assets_warranty', { synchronize: false })
// The order of purchases with a price. A migration creates it.
@Index('ix_assets_latest', { synchronize: false })
export class Asset extends StoredRecord {
  @NameField('Name', { example: 'Catalyst 9300-48P' }) name!: string;
  @LineField('Inventory tag', { example: 'AT-004217', searchable: true }) assetTag!: string | null;
  @LineField('Serial number', { example: 'FCW2231L0AB', searchable: true }) serialNumber!: string | null;
  @WordField('Status', ['in_stock', 'pending', 'in_use', 'reserved', 'in_repair', 'lost', 'retired', 'disposed'], {
    default: 'in_stock',
    counted: true,
  })
  status!: string;
  @WordField('Condition', ['new', 'good', 'fair', 'poor', 'damaged']) condition!: string | null;
  @ReferenceField(() => AssetCategory, 'Category') categoryId!: string | null;
  @JoinedField('categoryId', 'name', 'Name of the category', { example: 'Network switches' })
  categoryName!: string | null;
  // Generators that name a property after its record use one name for this and for `slug` of AssetCategory.
  @JoinedField('categoryId', 'slug', 'Slug of the category', {
    example: 'network-switches',
    schemaName: 'SlugOfCategory',
  })
  categorySlug!: string | null;
  @ReferenceField(() => Manufacturer, 'Who made it') manufacturerId!: string | null;
  @JoinedField('manufacturerId', 'name', 'Name of the manufacturer', { example: 'Cisco' })
  manufacturerName!: string | null;
  @ReferenceField(() => Site, 'Site where it is, the same as that of its location if that has one')
  siteId!: string | null;
  @JoinedField('siteId', 'name', 'Name of the site', { example: 'Amsterdam DC1' }) siteName!: string | null;
  @ReferenceField(() => Location, 'Location where it is') locationId!: string | null;
  @JoinedField('locationId', 'name', 'Name of the location', { example: 'Room 2.04' }) locationName!: string | null;
  @ReferenceField(() => PurchaseOrder, 'Purchase order that it came with') purchaseOrderId!: string | null;
  @TimestampField('When it was bought', { day: true }) purchasedAt!: string | null;
  @TimestampField('When its warranty ends', { example: '2029-03-01T08:30:00.000Z', day: true }) warrantyUntil!:
    string | null;
  @PriceField('Price that it was bought for', { example: '4250.00' }) purchasePrice!: string | null;
  @TextField('Notes', { searchable: true }) notes!: string | null;
  @ComputedField(
    'The person who has it at the moment, with the assignment that says so; null when nobody has it',
    (t) =>
      `(SELECT row_to_json(c) FROM (
        SELECT a.id, p.full_name AS "fullName", p.email, a.person_id AS "personId", p.profile_id AS "userId"
        FROM asset_assignments a JOIN people p ON p.id = a.person_id
        WHERE a.asset_id = ${t}.id AND a.returned_at IS NULL
      ) c)`,
    { type: () => CurrentAssignee },
    { nullable: true },
  )
  currentAssignee!: Relation<CurrentAssignee> | null;
}
