import {
  CountField,
  IntegerField,
  LineField,
  ListField,
  NameField,
  OwnerField,
  TextField,
} from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { DeviceType } from '../device-type/device-type.entity.js';

/** A module that a device type can be fitted with: a line card, an uplink module, a power supply. */
@RecordEntity('device_type_modules', { area: 'network' })
export class DeviceTypeModule extends StoredRecord {
  @OwnerField(() => DeviceType, 'Device type that the module is for') deviceTypeId!: string;
  @LineField('Article number', { required: true, example: 'C9300-NM-8X', searchable: true }) sku!: string;
  @NameField('Name', { example: '8-port 10G uplink module' }) name!: string;
  @TextField('Description', { searchable: true }) description!: string | null;
  @LineField('Slot that it goes into', { example: 'Network module' }) slotLabel!: string | null;
  @LineField('Connector of its ports', { example: 'SFP+' }) connectorType!: string | null;
  @ListField('Speeds of its ports', { example: ['1G', '10G'] }) speeds!: string[];
  @CountField('Number of network ports', { example: 8 }) portCount!: number | null;
  @LineField('Power over Ethernet standard', { example: '802.3at' }) poeStandard!: string | null;
  @CountField('The most power that one port delivers, in watts', { example: 30 }) poeWatts!: number | null;
  @TextField('Notes', { searchable: true }) notes!: string | null;
  @IntegerField('Place among the modules of the device type, ascending', { example: 10 }) sortOrder!: number | null;
  @LineField(
    'Origin marker: `vendor` in the catalogue that the service ships, `customer` when created through the API',
    { default: 'customer', readOnly: true, example: 'vendor' },
  )
  source!: string;
}
