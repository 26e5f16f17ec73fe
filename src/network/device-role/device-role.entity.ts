import { DEVICE_ROLE_TIERS, REDUNDANCY_LEVELS } from '../../catalogue/data/types.js';
import { BooleanField, EnumField, LineField, ListField, NameField, SlugField, TextField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { RecordSourceField } from '../record-source.js';

@RecordEntity('device_roles', { area: 'network' })
export class DeviceRole extends StoredRecord {
  @NameField('Name', { example: 'Access Switch' }) name!: string;
  @SlugField('URL-friendly name; made from `name` when a create body has none', { example: 'access-switch' })
  slug!: string | null;
  @LineField('Colour that it is drawn in', { default: '#4F6EF7', example: '#4F6EF7' }) color!: string;
  @TextField('Description', { searchable: true }) description!: string | null;
  @EnumField('Tier of the network that it belongs to', 'DeviceRoleTier', DEVICE_ROLE_TIERS) tier!: string | null;
  @EnumField('Whether there should be more than one', 'DeviceRoleRedundancy', REDUNDANCY_LEVELS, {
    example: 'recommended',
  })
  redundancy!: string | null;
  @ListField('Standards that its devices are checked against', { example: ['CIS Controls', 'NIST SP 800-53'] })
  complianceBaselines!: string[];
  @BooleanField('Can be played by a virtual machine') vmRole!: boolean;
  @LineField('Usual place of its devices', { example: 'Floor wiring closet' }) typicalLocation!: string | null;
  @TextField('Tasks of its devices', { example: 'Port access control, VLAN assignment, power over Ethernet' })
  responsibilities!: string | null;
  @BooleanField('Often used, so offered first', { label: 'Often used' }) popular!: boolean;
  @RecordSourceField() source!: string;
}
