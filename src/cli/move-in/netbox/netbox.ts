import { CommandError } from '../../remote.js';
import { Mapping, camelCase, type CustomType, type Known, type Moved } from '../mapping.js';
import type { Kind, SourceObject } from '../model.js';
import type { Wanted } from '../custom-fields.js';
import type { Link, Source } from '../source.js';
import type { Spool } from '../spool.js';
import { readDump } from './dump.js';
import { isOfInstallation, KINDS, REASONS, VALUES } from './kinds.js';
import type { NetboxKind } from './kind.js';
import { NetboxIndex } from './netbox-index.js';
import { asRecent } from './versions.js';

/** Types of NetBox's custom fields, as those here. */
const TYPES: Readonly<Record<string, CustomType>> = {
  text: 'text',
  longtext: 'text',
  integer: 'integer',
  decimal: 'decimal',
  boolean: 'boolean',
  date: 'date',
  datetime: 'dateTime',
  url: 'url',
  select: 'choice',
  multiselect: 'tags',
  object: 'reference',
};

/** The objects of a NetBox. */
export class NetboxSource implements Source {
  readonly kinds = KINDS;
  readonly values = VALUES;
  private readonly definitions = new Map<string, Partial<Wanted>>();

  private constructor(private readonly index: NetboxIndex) {}

  /**
   * Reads a dump into a spool.
   * @param version such as `4.0`, if the dump does not tell it
   * @throws CommandError
   */
  static async read(path: string, spool: Spool, version?: string): Promise<NetboxSource> {
    const index = new NetboxIndex(version);
    for await (const object of readDump(path)) {
      const recent = asRecent(object);
      index.add(recent);
      if (!isOfInstallation(recent.model)) await spool.add(recent);
    }
    await spool.complete();
    if (index.diskUnit === undefined)
      throw new CommandError(
        'The dump does not tell its version, and disks of virtual machines have another unit since 4.1. Give it: --netbox-version 4.2',
      );
    return new NetboxSource(index);
  }

  reasonOf(model: string): string {
    return REASONS[model] ?? 'there is no such resource';
  }

  definitionOf(key: string): Partial<Wanted> | undefined {
    return this.definitions.get(key);
  }

  nameOf(model: string, pk: string): string | undefined {
    return this.index.names.get(`${model}:${pk}`);
  }

  map(kind: Kind, object: SourceObject, known: Known): Moved {
    const mapping = new Mapping(object, known);
    const { row, defaults } = kind as NetboxKind;
    const properties = row(mapping, this.index);
    this.addDefined(mapping);
    mapping.addRest(defaults);
    const tags = this.index.tags.get(`${object.model}:${object.pk}`);
    if (tags) {
      const uses = tags.flatMap((tag) => tag.uses);
      mapping.custom.push({ key: 'tags', type: 'tags', value: tags.map(({ name }) => name), uses });
    }
    return { object, row: properties, custom: mapping.custom, uses: mapping.uses };
  }

  /** VLANs of ports, and addresses of virtual machines. */
  async *links(spool: Spool, known: Known): AsyncGenerator<Link> {
    for await (const object of spool.read('dcim.interface')) {
      const { pk, fields } = object;
      for (const vlan of (fields.tagged_vlans ?? []) as (string | number)[]) {
        if (!known.has('dcim.interface', pk)) continue;
        if (known.has('ipam.vlan', String(vlan))) {
          const row = {
            id: known.ids.of('dcim.interface', `${pk}/tagged_vlans/${vlan}`),
            portId: known.ids.of('dcim.interface', pk),
            vlanId: known.ids.of('ipam.vlan', vlan),
          };
          yield { object, field: 'tagged_vlans', path: 'device-port-vlans', row };
        } else known.report.line('dcim.interface', pk, 'tagged_vlans', `ipam.vlan ${vlan} was not moved`);
      }
    }
    const machines = new Map<string, string>();
    for await (const { pk, fields } of spool.read('virtualization.vminterface'))
      machines.set(pk, String(fields.virtual_machine));
    for await (const object of spool.read('ipam.ipaddress')) {
      const { pk, fields } = object;
      if (
        fields.assigned_object_id == null ||
        this.index.typeOf(fields.assigned_object_type) !== 'virtualization.vminterface'
      )
        continue;
      const at = String(fields.assigned_object_id);
      if (!known.has('ipam.ipaddress', pk)) continue;
      if (!known.has('virtualization.vminterface', at)) {
        known.report.line('ipam.ipaddress', pk, 'assigned_object_id', `virtualization.vminterface ${at} was not moved`);
        continue;
      }
      const id = known.ids.of('ipam.ipaddress', pk);
      const row = { id, ipAddressId: id, interfaceId: known.ids.of('virtualization.vminterface', at) };
      const machine = known.ids.of('virtualization.virtualmachine', machines.get(at)!);
      yield { object, field: 'assigned_object_id', path: `virtual-machines/${machine}/addresses`, row };
    }
  }

  /** Values of fields that the source has defined itself. */
  private addDefined(mapping: Mapping): void {
    const values = (mapping.value('custom_field_data') ?? {}) as Record<string, unknown>;
    for (const [name, value] of Object.entries(values)) {
      if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) continue;
      const definition = this.index.definitions.get(name);
      const uses = definition && [`extras.customfield:${definition.key}`];
      const key = camelCase(name);
      const type = TYPES[definition?.type ?? ''] ?? 'text';
      const target = definition?.target === undefined ? undefined : mapping.known.resourceOf(definition.target);
      if (definition) {
        const { label, description, choices } = definition;
        const choicesUsed = type === 'choice' || type === 'tags' ? choices : undefined;
        this.definitions.set(key, { label, description, choices: choicesUsed });
      }
      if (type === 'reference' && target !== undefined) {
        const id = mapping.referenceTo(name, definition!.target!, String(value));
        if (id !== null) mapping.custom.push({ key, type, target, value: id, uses });
      } else if (type === 'reference') mapping.custom.push({ key, type: 'text', value: JSON.stringify(value), uses });
      else
        mapping.custom.push({
          key,
          type,
          value: type === 'text' && typeof value !== 'string' ? JSON.stringify(value) : value,
        });
    }
  }
}
