import {
  CountField,
  EnumField,
  IntegerField,
  NameField,
  ReferenceField,
  TypedField,
  type Options,
} from '../../fields/fields.js';
import type { Class } from '../../fields/field.js';
import { text } from '../../fields/types/text.js';
import type { FieldType } from '../../fields/types/field-type.js';
import { uuid } from '../../fields/types/uuid.js';
import { EXAMPLE_ID } from '../../openapi/schema.js';
import { PORT_KINDS, type PortKind } from './port-kinds.js';

// Only a network port has an example, because examples are bodies of one kind.

/** Most positions of a rear port. */
const MOST_POSITIONS = 1024;

/** Text in natural order: `Ethernet1/2` comes before `Ethernet1/10`. An index with the same keys serves it. */
const naturalText: FieldType = {
  ...text,
  sortKeys: (column) => [`natural_order(${column}) COLLATE "C"`, `${column} COLLATE "C"`],
};

/** The name of a port. @param owner in words */
export const PortNameField = (owner: string) =>
  NameField(
    `Name, unique among the ports of its kind of the ${owner}. Lists that are sorted by it are in natural order`,
    {
      example: 'GigabitEthernet1/0/1',
      type: naturalText,
    },
  );

export const PortKindField = () =>
  EnumField('Kind of port. It cannot be changed, and decides which fields the port may have', 'PortKind', PORT_KINDS, {
    default: 'network',
    fixed: true,
  });

/** A reference to another port of the same owner. @param owner field of both that refers to the owner */
export const SiblingField = (
  record: () => Class,
  owner: string,
  kind: PortKind,
  description: string,
  options: Options = {},
) =>
  ReferenceField(record, description, {
    indexed: false,
    siblings: { owner, condition: `kind = '${kind}'` },
    ...options,
  });

/** The rear port behind a front port, which is deleted with it. */
export const RearPortField = (record: () => Class, owner: string) =>
  TypedField(uuid, 'Of a front port, where it is required: the rear port behind it, of the same owner', {
    references: record,
    onDelete: 'CASCADE',
    example: EXAMPLE_ID,
    indexed: false,
    siblings: { owner, condition: `kind = 'rear'` },
  });

export const RearPositionField = () =>
  IntegerField('Of a front port: its position at the rear port. 1 if it is not given', {
    min: 1,
    max: MOST_POSITIONS,
  });

export const PositionsField = () =>
  IntegerField('Of a rear port: number of its positions, such as fibres. 1 if it is not given', {
    min: 1,
    max: MOST_POSITIONS,
  });

export const MaximumDrawField = () => CountField('Of a power port: most power that it draws, in watts');
export const AllocatedDrawField = () => CountField('Of a power port: power that is planned for it, in watts');
export const FeedLegField = () =>
  EnumField('Of an outlet: phase of a three-phase feed that it is on', 'FeedLeg', ['A', 'B', 'C'], {
    example: undefined,
  });
