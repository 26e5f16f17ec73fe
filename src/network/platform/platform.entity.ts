import { AUTOMATION_APIS, COMMERCIAL_STATUSES } from '../../catalogue/data/types.js';
import {
  BooleanField,
  EnumField,
  LineField,
  ListField,
  NameField,
  ReferenceField,
  SlugField,
  TextField,
} from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { Manufacturer } from '../../procurement/manufacturer/manufacturer.entity.js';
import { RecordSourceField } from '../record-source.js';

@RecordEntity('platforms', { area: 'network' })
export class Platform extends StoredRecord {
  @NameField('Name', { example: 'Cisco IOS XE' }) name!: string;
  @SlugField('URL-friendly name; made from `name` when a create body has none', { example: 'cisco-ios-xe' })
  slug!: string | null;
  @ReferenceField(() => Manufacturer, 'Who makes it') manufacturerId!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
  @LineField('Family of network operating systems that it belongs to', { example: 'IOS', label: 'Family' })
  nosFamily!: string | null;
  @TextField('Devices that usually run it', { example: 'Catalyst 9000 switches, ISR and ASR 1000 routers' })
  typicalDevices!: string | null;
  @TextField('Notable features', { example: 'Model-driven programmability, patching without a reload' })
  keyFeatures!: string | null;
  @TextField('Usual purpose', { example: 'Campus switching, branch and WAN routing' })
  commonUseCases!: string | null;
  @EnumField(
    'Stage of its commercial life: `eos` is end of sale, `eol` end of life',
    'PlatformCommercialStatus',
    COMMERCIAL_STATUSES,
  )
  commercialStatus!: string | null;
  @ListField('Interfaces to automate it with', {
    values: AUTOMATION_APIS,
    enumName: 'AutomationApi',
    example: ['NETCONF', 'RESTCONF'],
  })
  automationApis!: string[];
  @BooleanField('Often used, so offered first', { label: 'Often used' }) popular!: boolean;
  @RecordSourceField() source!: string;
}
