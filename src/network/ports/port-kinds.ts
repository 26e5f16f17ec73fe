import { addBodyRule } from '../../fields/bodies/bodies.js';
import { defineRule, Rule } from '../../fields/bodies/rules.js';
import { type Class, restrictField } from '../../fields/field.js';
import { snakeCase } from '../../database/naming.js';
import { Fault } from '../../http/errors.js';

/** Kinds of ports. `network` is the default. */
export const PORT_KINDS = ['network', 'console', 'console-server', 'power', 'outlet', 'front', 'rear'] as const;
export type PortKind = (typeof PORT_KINDS)[number];

/** The fields that only ports of one kind have. */
const OWN_FIELDS: Partial<Record<PortKind, readonly string[]>> = {
  network: ['parentId', 'lagId', 'mode', 'untaggedVlanId', 'vrfId', 'macAddress', 'mtu', 'speedMbps'],
  power: ['maximumDrawW', 'allocatedDrawW'],
  outlet: ['powerPortId', 'feedLeg'],
  front: ['rearPortId', 'rearPosition'],
  rear: ['positions'],
};

const onlyFor = (kind: string): string => `must be null: only a port of the kind ${kind} has it`;
const KIND_FIXED = 'cannot be changed';
const REAR_PORT_MISSING = 'is required for a port of the kind front';

/** The field that a new port of a kind must be given. */
const GIVEN: Partial<Record<PortKind, string>> = { front: 'rearPortId' };

/** The required fields of each kind. */
const NEEDED: readonly (readonly [PortKind, string, string])[] = [
  ['front', 'rearPortId', REAR_PORT_MISSING],
  ['front', 'rearPosition', 'must not be null for a port of the kind front'],
  ['rear', 'positions', 'must not be null for a port of the kind rear'],
];

const OWN_FIELDS_OF = Object.entries(OWN_FIELDS) as [PortKind, readonly string[]][];

/**
 * The rules of ports by their kind: CHECK constraints, and the messages of the rules that triggers enforce (`keep_fixed.sql`,
 * `port_links.sql` in `src/schema/functions`).
 * @param fields those of the record
 * @param owner the owner of the ports, in words, and its field
 */
export function PortRules(
  table: string,
  fields: readonly string[],
  { field, words }: { field: string; words: string },
): (target: Class) => void {
  const owner = snakeCase(field);
  defineRule(`ix_${table}_${owner}_kind_name`, 'name', `is already taken by another port of the ${words}`);
  defineRule(
    `ix_${table}_rear_port_id_rear_position`,
    'rearPosition',
    'is already taken by another port of the kind front',
  );
  defineRule(`ck_${table}_kind_fixed`, 'kind', KIND_FIXED);
  defineRule(`ck_${table}_${owner}_fixed`, field, 'cannot be changed');
  defineRule(`ck_${table}_power_port`, 'powerPortId', `must be a port of the kind power of the same ${words}`);
  defineRule(`ck_${table}_rear_port`, 'rearPortId', `must be a port of the kind rear of the same ${words}`);
  defineRule(`ck_${table}_rear_position_most`, 'rearPosition', 'must not be above the positions of the rear port');
  defineRule(`ex_${table}_positions`, 'positions', 'must not be below a position that a port of the kind front is at');
  return (target) => {
    for (const [kind, own] of OWN_FIELDS_OF) {
      for (const property of own.filter((one) => fields.includes(one))) {
        const column = snakeCase(property);
        Rule(`ck_${table}_${column}_kind`, `kind = '${kind}' OR ${column} IS NULL`, property, onlyFor(kind))(target);
        restrictField(target, property, {
          property: 'kind',
          value: kind,
          isNeeded: GIVEN[kind] === property || undefined,
        });
      }
    }
    for (const [kind, property, sentence] of NEEDED) {
      const column = snakeCase(property);
      Rule(`ck_${table}_${column}_${kind}`, `kind <> '${kind}' OR ${column} IS NOT NULL`, property, sentence)(target);
    }
  };
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The fields of a body that only ports of other kinds have. */
const foreignTo = (kind: PortKind, body: Readonly<Record<string, unknown>>): Fault[] =>
  OWN_FIELDS_OF.filter(([own]) => own !== kind).flatMap(([own, properties]) =>
    properties.filter((property) => isGiven(body[property])).map((property) => new Fault(property, onlyFor(own))),
  );

/** Validates a create body, so that all faults are reported at once. */
export const addPortRule = (create: Class): void =>
  addBodyRule(create, (body) => {
    const { kind = 'network' } = body;
    // An unknown kind is reported separately.
    if (!PORT_KINDS.includes(kind as PortKind)) return undefined;
    const faults = foreignTo(kind as PortKind, body);
    const needed = GIVEN[kind as PortKind];
    if (needed && !isGiven(body[needed])) faults.push(new Fault(needed, REAR_PORT_MISSING, 'required'));
    return faults;
  });

/** The faults of a change. The constraints would report only one of them. */
export function faultsOfChange(kind: PortKind, body: Readonly<Record<string, unknown>>): Fault[] {
  const missing = NEEDED.filter(([own, property]) => own === kind && body[property] === null);
  return [
    ...(body.kind === undefined || body.kind === kind ? [] : [new Fault('kind', KIND_FIXED)]),
    ...foreignTo(kind, body),
    ...missing.map(([, property, sentence]) => new Fault(property, sentence)),
  ];
}

const JUDGED = ['kind', ...Object.values(OWN_FIELDS).flat()];

/** Whether a change can have more than one fault that depends on the kind of the port. */
export const canHaveFaults = (body: object): boolean => JUDGED.filter((property) => property in body).length > 1;
