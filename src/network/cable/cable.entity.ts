import { snakeCase } from '../../database/naming.js';
import { DETAIL } from '../../database/constraint-faults.js';
import {
  ComputedField,
  EnumField,
  LineField,
  NumberField,
  PointerField,
  ReferenceField,
  TextField,
  UuidField,
  WordField,
} from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineRule } from '../../fields/bodies/rules.js';
import { EXAMPLE_ID } from '../../openapi/schema.js';
import { TenantGroup } from '../../people/tenant-group/tenant-group.entity.js';
import { CABLED_RECORDS, CABLED_RESOURCES, endName } from './cabled-records.js';

const POINTERS = ['PortId', 'TerminationId', 'FeedId'];

// Raised by triggers (`src/schema/functions/point_cable.sql`, `cable_ends.sql`, `keep_fixed.sql`).
for (const side of ['a', 'b']) {
  defineRule(`uq_cables_${side}_id`, `${side}Id`, 'already has a cable');
  for (const field of ['Resource', 'Id']) {
    const column = snakeCase(`${side}${field}`);
    defineRule(`ck_cables_${column}_fixed`, `${side}${field}`, 'cannot be changed');
  }
  for (const pointer of POINTERS) {
    defineRule(`fk_cables_${snakeCase(`${side}${pointer}`)}`, `${side}Id`, 'does not refer to an existing record');
  }
  defineRule(`ck_cables_${side}_type`, `${side}Id`, 'must not be a port of the type virtual, lag or bridge');
}
defineRule('ck_cables_fit', 'bId', `does not fit: ${DETAIL}`);
defineRule('ck_cables_itself', 'bId', 'must not be the other end itself');
defineRule('ex_cables_loop', 'bId', 'would close a loop');
defineRule('ex_cables_power_loop', 'bId', 'would close a loop: power would feed itself');
defineRule('ex_cables_power_long', 'bId', 'would make a way of power that passes more than 64 outlets');

/** For examples, in which the ends of a cable must differ. */
const OTHER_ID = 'b7c2d9e4-3f16-4a8b-8d05-6e9f1a2b3c4d';

const ResourceField = () =>
  EnumField('Resource of the record that the cable ends at. It cannot be changed', 'CabledResource', CABLED_RESOURCES, {
    default: 'device-ports',
    fixed: true,
  });
const EndField = (side: 'a' | 'b') =>
  UuidField('Record that the cable ends at. It cannot be changed', {
    required: true,
    fixed: true,
    example: side === 'a' ? EXAMPLE_ID : OTHER_ID,
    label: `${side.toUpperCase()} end`,
    refersBy: { property: `${side}Resource`, records: CABLED_RECORDS, byDefault: 'device-ports' },
  });
const EndNameField = (side: 'a' | 'b') =>
  ComputedField(
    'Name of the record that the cable ends at, such as that of a device with that of its port; null in a past state if the record no longer exists',
    (t) => endName(`${t}.${side}_id`),
    { type: 'string', example: 'ams-leaf-01 Ethernet1' },
    { nullable: true, label: `${side.toUpperCase()} end` },
  );

/** A cable between two ports, terminations of circuits, or power feeds. The order of its ends has no meaning. */
@RecordEntity('cables', {
  area: 'network',
  listed: true,
  // A restored cable does not replace a newer one at an end. Nor is it connected to a port that has become virtual, a LAG or a bridge.
  restoredIf: `NOT EXISTS (SELECT FROM cable_ends e
    WHERE e.end_id IN ((c.old_values->>'a_id')::uuid, (c.old_values->>'b_id')::uuid))
    AND NOT EXISTS (SELECT FROM device_ports p WHERE p.id IN ((c.old_values->>'a_port_id')::uuid, (c.old_values->>'b_port_id')::uuid)
      AND p.kind = 'network' AND p.type IN ('virtual', 'lag', 'bridge'))`,
})
export class Cable extends StoredRecord {
  @ResourceField() aResource!: string;
  @EndField('a') aId!: string;
  @ResourceField() bResource!: string;
  @EndField('b') bId!: string;
  @WordField('Kind of cable', [
    ...['cat5e', 'cat6', 'cat6a', 'cat7', 'cat8', 'dac', 'aoc', 'mmf', 'mmf-om3', 'mmf-om4', 'smf', 'smf-os2'],
    ...['coaxial', 'power', 'usb'],
  ])
  type!: string | null;
  @WordField('Status', ['connected', 'planned', 'decommissioning'], { default: 'connected', counted: true })
  status!: string;
  @LineField('Text on its label', { example: 'C-00142', searchable: true, naming: true }) label!: string | null;
  @LineField('Colour that it is drawn in', { example: '#4F6EF7', label: 'Colour' }) color!: string | null;
  @NumberField('Length in metres', { min: 0, example: 2.5 }) lengthM!: number | null;
  @ReferenceField(() => TenantGroup, 'Tenants that it serves') tenantGroupId!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
  @EndNameField('a') aName!: string | null;
  @EndNameField('b') bName!: string | null;
  @PointerField(CABLED_RECORDS['device-ports'], 'aId') aPortId!: string | null;
  @PointerField(CABLED_RECORDS['circuit-terminations'], 'aId') aTerminationId!: string | null;
  @PointerField(CABLED_RECORDS['power-feeds'], 'aId') aFeedId!: string | null;
  @PointerField(CABLED_RECORDS['device-ports'], 'bId') bPortId!: string | null;
  @PointerField(CABLED_RECORDS['circuit-terminations'], 'bId') bTerminationId!: string | null;
  @PointerField(CABLED_RECORDS['power-feeds'], 'bId') bFeedId!: string | null;
}
