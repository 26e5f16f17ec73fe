import { CommandError } from '../../remote.js';
import { Mapping, type Known, type Moved } from '../mapping.js';
import type { Kind, SourceObject } from '../model.js';
import { listOf } from '../shapes.js';
import type { Link, Source } from '../source.js';
import type { Spool } from '../spool.js';
import { NetboxApi } from './api.js';
import { addDefined } from './defined-values.js';
import { readDump } from './dump.js';
import { isOfInstallation, KINDS, REASONS, VALUES } from './kinds.js';
import type { NetboxKind } from './kind.js';
import { NetboxIndex } from './netbox-index.js';
import { asRecent } from './versions.js';

/** The objects of a NetBox. */
export class NetboxSource implements Source {
  readonly kinds = KINDS;
  readonly values = VALUES;

  private constructor(private readonly index: NetboxIndex) {}

  /**
   * Reads a NetBox into a spool.
   * @param path a dump, or the address of a NetBox
   * @param version such as `4.0`, if the dump does not tell it
   * @param onRead is called for each object
   * @throws CommandError
   */
  static async read(
    path: string,
    spool: Spool,
    version?: string,
    onRead: () => void = () => {},
  ): Promise<NetboxSource> {
    const api = /^https?:/i.test(path) ? new NetboxApi(path) : undefined;
    const index = new NetboxIndex(version ?? (await api?.version()));
    for await (const object of api?.objects() ?? readDump(path)) {
      if (object.fault === undefined) index.seeVersion(object);
      const recent = asRecent(object);
      if (object.fault === undefined) index.add(recent);
      if (!isOfInstallation(recent.model)) await spool.add(recent);
      onRead();
    }
    await spool.complete();
    index.complete();
    // Devices are read twice, because a device's name depends on how many others would get the same name.
    for await (const object of spool.read('dcim.device')) index.devices.add(object);
    for (const model of index.namedKinds) for await (const object of spool.read(model)) index.addName(object);
    if (index.diskUnit === undefined)
      throw new CommandError(
        'The source does not tell its version, and disks of virtual machines have another unit since 4.1. Give it: --netbox-version 4.2',
      );
    return new NetboxSource(index);
  }

  reasonOf(model: string): string {
    return REASONS[model] ?? 'there is no such resource';
  }

  nameOf(model: string, pk: string): string | undefined {
    return this.index.nameOf(model, pk);
  }

  map(kind: Kind, object: SourceObject, known: Known): Moved {
    const mapping = new Mapping(object, known);
    const { row, defaults } = kind as NetboxKind;
    const properties = row(mapping, this.index);
    addDefined(mapping, this.index);
    mapping.addRest(defaults);
    const tags = this.index.tagsOf(mapping);
    const names = tags.length > 0 ? tags.map(({ name }) => name) : null;
    mapping.custom.push({ key: 'tags', type: 'tags', value: names, uses: tags.flatMap((tag) => tag.uses) });
    return { object, row: properties, custom: mapping.custom, uses: mapping.uses, part: mapping.part };
  }

  /** VLANs of ports, and addresses of virtual machines. */
  async *links(spool: Spool, known: Known): AsyncGenerator<Link> {
    for await (const object of spool.read('dcim.interface')) {
      const { pk, fields } = object;
      if (!known.has('dcim.interface', pk)) continue;
      const isTagged = fields.mode === 'tagged';
      for (const vlan of new Set((listOf(fields.tagged_vlans) ?? []).map(String))) {
        if (!isTagged)
          known.report.line(
            'dcim.interface',
            pk,
            'tagged_vlans',
            `left out: ipam.vlan ${vlan} needs a port whose mode is tagged`,
          );
        else if (known.has('ipam.vlan', vlan)) {
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
}
