import {
  BooleanField,
  LineField,
  NameField,
  NumberField,
  ReferenceField,
  SlugField,
  TextField,
  WordField,
} from '../../fields/fields.js';
import { DETAIL } from '../../database/constraint-faults.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineRule } from '../../fields/bodies/rules.js';
import { Manufacturer } from '../../procurement/manufacturer/manufacturer.entity.js';
import { RackUnitsField } from '../rack-units.field.js';
import { RecordSourceField } from '../record-source.js';

defineRule('ex_device_types_u_height', 'uHeight', `would make ${DETAIL}`);
defineRule('ex_device_types_u_height_units', 'uHeight', `leaves no room for ${DETAIL}`);
defineRule('ex_device_types_is_full_depth', 'isFullDepth', `would make ${DETAIL}`);

const AIRFLOWS = [
  'front-to-rear',
  'rear-to-front',
  'left-to-right',
  'right-to-left',
  'side-to-rear',
  'rear-to-side',
  'bottom-to-top',
  'top-to-bottom',
  'passive',
  'mixed',
];

@RecordEntity('device_types', { area: 'network', apart: ['manufacturerId'] })
export class DeviceType extends StoredRecord {
  @NameField('Model', { example: 'Catalyst 9300-48P' }) model!: string;
  @ReferenceField(() => Manufacturer, 'Who makes it') manufacturerId!: string | null;
  @SlugField('URL-friendly name; made from `model` when a create body has none', { example: 'catalyst-9300-48p' })
  slug!: string | null;
  @LineField("The manufacturer's part number", { example: 'C9300-48P-A', searchable: true }) partNumber!: string | null;
  @RackUnitsField('Height in rack units', { label: 'Height (units)' }) uHeight!: number | null;
  @BooleanField('Takes the full depth of a rack, so that nothing fits behind it', {
    default: true,
    label: 'Takes the full depth',
  })
  isFullDepth!: boolean;
  @NumberField('Weight in kilograms', { min: 0, max: 100_000, example: 7.4 }) weight!: number | null;
  @WordField('Direction in which air flows through the device', AIRFLOWS) airflow!: string | null;
  @WordField('Whether it holds other devices in its bays (`parent`), or is put into a bay (`child`)', [
    'parent',
    'child',
  ])
  subdeviceRole!: string | null;
  @BooleanField('Takes power; false for patch panels and other passive devices', { default: true }) isPowered!: boolean;
  @TextField('Description', { searchable: true }) description!: string | null;
  @RecordSourceField() source!: string;
}
