import type { Mapping } from '../mapping.js';
import type { SourceObject } from '../model.js';

interface End {
  model: string;
  pk: string;
  /** Key of the termination; undefined before 3.3, when a cable had its ends itself. */
  key?: string;
}

interface Definition {
  key: string;
  type: string;
  choices?: string[];
  label: string | null;
  description: string | null;
  /** The kind that a reference is to. */
  target?: string;
}

const keyOf = ({ model, pk }: SourceObject): string => `${model}:${pk}`;

/** What objects of one kind say of those of another. Small values only, because an estate may have millions of objects. */
export class NetboxIndex {
  readonly racks = new Map<string, { name: string; startingUnit: number }>();
  readonly siteOfLocation = new Map<string, string>();
  readonly siteOfPanel = new Map<string, string>();
  /** Names of objects that live on as texts, and of device types. */
  readonly names = new Map<string, string>();
  /** Ends of cables. */
  readonly ends = new Map<string, { A: End[]; B: End[] }>();
  /** Tags of an object, and the objects that say so. */
  readonly tags = new Map<string, { name: string; uses: string[] }[]>();
  readonly definitions = new Map<string, Definition>();
  /** Where front ports pass to, since 4.5. */
  readonly mappings = new Map<string, { model: string; pk: string; rear: string; position: number }[]>();
  private readonly contentTypes = new Map<string, string>();
  private readonly diskUnits = new Set<'MB' | 'GB'>();
  private readonly macAddresses = new Map<string, { pk: string; address: string }>();
  private readonly choices = new Map<string, string[]>();
  private hasDisks = false;

  add(object: SourceObject): void {
    const { model, pk, fields } = object;
    switch (model) {
      case 'contenttypes.contenttype':
        this.contentTypes.set(pk, `${fields.app_label}.${fields.model}`);
        break;
      case 'dcim.rack':
        this.racks.set(pk, { name: String(fields.name), startingUnit: Number(fields.starting_unit ?? 1) });
        this.diskUnits.add('form_factor' in fields ? 'MB' : 'GB');
        break;
      case 'dcim.location':
        this.siteOfLocation.set(pk, String(fields.site));
        break;
      case 'dcim.powerpanel':
        this.siteOfPanel.set(pk, String(fields.site));
        this.names.set(keyOf(object), String(fields.name));
        break;
      case 'dcim.module': {
        const type = this.names.get(`dcim.moduletype:${fields.module_type}`) ?? `Module ${pk}`;
        const bay = this.names.get(`dcim.modulebay:${fields.module_bay}`);
        this.names.set(keyOf(object), bay === undefined ? type : `${type} in ${bay}`);
        break;
      }
      case 'dcim.macaddress':
        this.macAddresses.set(pk, { pk, address: String(fields.mac_address) });
        break;
      case 'dcim.cabletermination':
        this.addEnd(
          String(fields.cable),
          String(fields.cable_end),
          this.typeOf(fields.termination_type),
          String(fields.termination_id),
          pk,
        );
        break;
      case 'dcim.portmapping':
      case 'dcim.porttemplatemapping': {
        const front = `${model === 'dcim.portmapping' ? 'dcim.frontport' : 'dcim.frontporttemplate'}:${fields.front_port}`;
        const mapping = { model, pk, rear: String(fields.rear_port), position: Number(fields.rear_port_position ?? 1) };
        this.mappings.set(front, [...(this.mappings.get(front) ?? []), mapping]);
        break;
      }
      case 'extras.taggeditem': {
        const tagged = `${this.typeOf(fields.content_type)}:${fields.object_id}`;
        this.tags.set(tagged, [
          ...(this.tags.get(tagged) ?? []),
          // A dump with natural keys has the name of the tag.
          {
            name: String(this.names.get(`extras.tag:${fields.tag}`) ?? fields.tag),
            uses: [`extras.tag:${fields.tag}`, keyOf(object)],
          },
        ]);
        break;
      }
      case 'extras.customfieldchoiceset':
        this.choices.set(
          pk,
          ((fields.extra_choices ?? []) as [string, string][]).map(([value]) => value),
        );
        break;
      case 'extras.customfield':
        this.define(object);
        break;
      case 'virtualization.virtualmachine':
        this.hasDisks ||= Number(fields.disk ?? 0) > 0;
        break;
      case 'ipam.vlangroup':
        this.diskUnits.add('vid_ranges' in fields ? 'MB' : 'GB');
        break;
      case 'dcim.cable':
        for (const side of ['a', 'b'] as const) {
          const type: unknown = fields[`termination_${side}_type`];
          if (type != null)
            this.addEnd(pk, side.toUpperCase(), this.typeOf(type), String(fields[`termination_${side}_id`]));
        }
        break;
      default: {
        const name: unknown = fields.name ?? fields.model ?? fields.asn ?? fields.account;
        if (name != null && !LARGE.has(model)) this.names.set(keyOf(object), String(name));
      }
    }
  }

  /** @param version of the NetBox, if the objects do not tell it */
  constructor(private readonly version?: string) {}

  /** Unit of the disks of virtual machines: gigabytes until 4.0. Undefined if it matters and nothing tells the version. */
  get diskUnit(): 'MB' | 'GB' | undefined {
    if (this.version !== undefined) {
      const [major = 0, minor = 0] = this.version.split('.').map(Number);
      return major > 4 || (major === 4 && minor >= 1) ? 'MB' : 'GB';
    }
    if (this.diskUnits.size === 1) return [...this.diskUnits][0];
    return this.hasDisks ? undefined : 'MB';
  }

  /** The address of an interface: its primary one, or before 4.2 its own. */
  macAddressOf(object: Mapping): string | null {
    const own = object.text('mac_address');
    const primary = object.text('primary_mac_address');
    if (own !== null || primary === null) return own;
    const found = this.macAddresses.get(primary);
    if (!found) object.changed('primary_mac_address', `dcim.macaddress ${primary} is not in the source`);
    else object.uses.push(`dcim.macaddress:${found.pk}`);
    return found?.address ?? null;
  }

  /** The kind that a content type means: by its name, or in a dump without natural keys by its number. */
  typeOf(value: unknown): string {
    if (Array.isArray(value)) return value.join('.');
    return this.contentTypes.get(String(value)) ?? String(value);
  }

  private addEnd(cable: string, side: string, model: string, pk: string, key?: string): void {
    const ends = this.ends.get(cable) ?? { A: [], B: [] };
    ends[side === 'B' ? 'B' : 'A'].push({ model, pk, key });
    this.ends.set(cable, ends);
  }

  private define({ pk, fields }: SourceObject): void {
    const { name, type, label, description } = fields;
    this.definitions.set(String(name), {
      key: pk,
      type: String(type),
      label: label || null,
      description: description || null,
      choices: fields.choice_set == null ? undefined : this.choices.get(String(fields.choice_set)),
      target:
        fields.related_object_type == null && fields.object_type == null
          ? undefined
          : this.typeOf(fields.related_object_type ?? fields.object_type),
    });
  }
}

/** Kinds that nothing refers to by name. */
const LARGE: ReadonlySet<string> = new Set([
  'dcim.device',
  'dcim.interface',
  'dcim.frontport',
  'dcim.rearport',
  'dcim.powerport',
  'dcim.poweroutlet',
  'dcim.consoleport',
  'dcim.consoleserverport',
  'ipam.ipaddress',
  'virtualization.vminterface',
]);
