import type { Mapping } from '../mapping.js';
import type { SourceObject } from '../model.js';
import { Numbers } from '../numbers.js';
import { listOf, textOf } from '../shapes.js';

interface End {
  model: string;
  pk: string;
  /** Key of the termination; undefined before 3.3, when a cable had its ends itself. */
  key?: string;
}

type StoredEnd = [side: 'A' | 'B', model: string, pk: string, key?: string | null];

const MAC_ADDRESS = 'dcim.macaddress';

/** `00:11:22:33:44:55` of a number. */
const macAddressOf = (number: number): string =>
  number
    .toString(16)
    .toUpperCase()
    .padStart(12, '0')
    .replaceAll(/..(?=.)/g, '$&:');

interface Definition {
  key: string;
  type: string;
  choices?: string[];
  /** Key of the set of choices. */
  choiceSet?: string;
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
  /** Ends of cables as JSON, which takes less memory than objects. */
  private readonly ends = new Map<string, string>();
  readonly definitions = new Map<string, Definition>();
  /** Where front ports pass to, since 4.5. */
  readonly mappings = new Map<string, { model: string; pk: string; rear: string; position: number }[]>();
  /** What the tags of an object are called or numbered, and the objects that say so. */
  private readonly tags = new Map<string, { tag: string; key: string }[]>();
  private readonly tagKeys = new Map<string, string>();
  private readonly contentTypes = new Map<string, string>();
  private readonly diskUnits = new Set<'MB' | 'GB'>();
  /** Addresses as numbers, which are 1 more than they are, and those that are none. */
  private readonly macAddresses = new Numbers();
  private readonly otherMacAddresses = new Map<string, string>();
  private readonly choices = new Map<string, string[]>();
  private hasDisks = false;

  /** Looks at an object as its version has it for what tells that version: fields that came with 4.1. */
  seeVersion({ model, fields }: SourceObject): void {
    if (model === 'dcim.rack') this.diskUnits.add('form_factor' in fields ? 'MB' : 'GB');
    if (model === 'ipam.vlangroup') this.diskUnits.add('vid_ranges' in fields ? 'MB' : 'GB');
  }

  add(object: SourceObject): void {
    const { model, pk, fields } = object;
    switch (model) {
      case 'contenttypes.contenttype':
        this.contentTypes.set(pk, `${fields.app_label}.${fields.model}`);
        break;
      case 'dcim.rack':
        this.racks.set(pk, {
          name: textOf(fields.name) ?? pk,
          startingUnit: Number(textOf(fields.starting_unit) ?? 1) || 1,
        });
        break;
      case 'dcim.location':
        if (fields.site != null) this.siteOfLocation.set(pk, String(fields.site));
        break;
      case 'dcim.powerpanel':
        if (fields.site != null) this.siteOfPanel.set(pk, String(fields.site));
        this.names.set(keyOf(object), textOf(fields.name) ?? `Panel ${pk}`);
        break;
      case 'dcim.module': {
        const type = this.names.get(`dcim.moduletype:${fields.module_type}`) ?? `Module ${pk}`;
        const bay = this.names.get(`dcim.modulebay:${fields.module_bay}`);
        this.names.set(keyOf(object), bay === undefined ? type : `${type} in ${bay}`);
        break;
      }
      case 'dcim.macaddress':
        this.addMacAddress(pk, textOf(fields.mac_address) ?? '');
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
        const tag = textOf([fields.tag].flat()[0]);
        if (tag !== undefined) this.tags.set(tagged, [...(this.tags.get(tagged) ?? []), { tag, key: keyOf(object) }]);
        break;
      }
      case 'extras.tag':
        if (textOf(fields.name) === undefined) break;
        this.names.set(keyOf(object), String(fields.name));
        this.tagKeys.set(String(fields.name), pk);
        break;
      case 'extras.customfieldchoiceset':
        this.choices.set(
          pk,
          (listOf(fields.extra_choices) ?? []).flatMap((choice) => textOf(listOf(choice)?.[0]) ?? []),
        );
        break;
      case 'extras.customfield':
        this.define(object);
        break;
      case 'virtualization.virtualmachine':
        this.hasDisks ||= Number(fields.disk ?? 0) > 0;
        break;
      case 'dcim.cable':
        for (const side of ['a', 'b'] as const) {
          const type: unknown = fields[`termination_${side}_type`];
          if (type != null)
            this.addEnd(pk, side.toUpperCase(), this.typeOf(type), String(fields[`termination_${side}_id`]));
        }
        break;
      default: {
        const name = textOf(fields.name ?? fields.model ?? fields.asn ?? fields.account ?? fields.ssid);
        if (name !== undefined && !LARGE.has(model)) this.names.set(keyOf(object), name);
      }
    }
  }

  /** @param version of the NetBox, if the objects do not tell it */
  constructor(private readonly version?: string) {}

  /** Unit of the disks of virtual machines: gigabytes until 4.0. Undefined if it matters and nothing tells the version. */
  get diskUnit(): 'MB' | 'GB' | undefined {
    if (this.diskUnits.size === 1) return [...this.diskUnits][0];
    const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(this.version ?? '')?.map(Number) ?? [];
    if (major === undefined || minor === undefined) return this.hasDisks ? undefined : 'MB';
    return major > 4 || (major === 4 && minor >= 1) ? 'MB' : 'GB';
  }

  /** The address of an interface: its primary one, or before 4.2 its own. */
  macAddressOf(object: Mapping): string | null {
    const own = object.text('mac_address');
    const primary = object.text('primary_mac_address');
    if (own !== null || primary === null) return own;
    const number = this.macAddresses.get(MAC_ADDRESS, primary);
    const found = number > 0 ? macAddressOf(number - 1) : this.otherMacAddresses.get(primary);
    if (found === undefined) object.changed('primary_mac_address', `${MAC_ADDRESS} ${primary} is not in the source`);
    else object.uses.push(`${MAC_ADDRESS}:${primary}`);
    return found || null;
  }

  private addMacAddress(pk: string, address: string): void {
    if (!/^[\dA-F]{2}(?::[\dA-F]{2}){5}$/.test(address)) this.otherMacAddresses.set(pk, address);
    else this.macAddresses.set(MAC_ADDRESS, pk, Number.parseInt(address.replaceAll(':', ''), 16) + 1);
  }

  /** The ends of a cable, on each of its sides. */
  endsOf(cable: string): { A: End[]; B: End[] } {
    const ends = JSON.parse(this.ends.get(cable) ?? '[]') as StoredEnd[];
    const on = (side: string): End[] =>
      ends.filter(([of]) => of === side).map(([, model, pk, key]) => ({ model, pk, key: key ?? undefined }));
    return { A: on('A'), B: on('B') };
  }

  /** The names of the tags of an object, and the objects that say so. A dump with natural keys has names in place of numbers. */
  tagsOf(object: Mapping): { name: string; uses: string[] }[] {
    return (this.tags.get(keyOf(object.object)) ?? []).flatMap(({ tag, key }) => {
      const name = this.names.get(`extras.tag:${tag}`) ?? (/^\d+$/.test(tag) ? undefined : tag);
      if (name !== undefined) return [{ name, uses: [`extras.tag:${this.tagKeys.get(name) ?? tag}`, key] }];
      object.changed('tags', `extras.tag ${tag} is not in the source`);
      return [];
    });
  }

  /** The kind that a content type means: by its name, or in a dump without natural keys by its number. */
  typeOf(value: unknown): string {
    if (Array.isArray(value)) return value.join('.');
    return this.contentTypes.get(String(value)) ?? String(value);
  }

  private addEnd(cable: string, side: string, model: string, pk: string, key?: string): void {
    const end: StoredEnd = [side === 'B' ? 'B' : 'A', model, pk, key];
    this.ends.set(cable, JSON.stringify([...(JSON.parse(this.ends.get(cable) ?? '[]') as StoredEnd[]), end]));
  }

  private define({ pk, fields }: SourceObject): void {
    const { name, type, label, description } = fields;
    this.definitions.set(String(name), {
      key: pk,
      type: String(type),
      label: textOf(label) ?? null,
      description: textOf(description) ?? null,
      choiceSet: fields.choice_set == null ? undefined : String(fields.choice_set),
      // Until 3.5 a field had its choices itself.
      choices: fields.choice_set == null ? textsOf(fields.choices) : this.choices.get(String(fields.choice_set)),
      target:
        fields.related_object_type == null && fields.object_type == null
          ? undefined
          : this.typeOf(fields.related_object_type ?? fields.object_type),
    });
  }
}

function textsOf(value: unknown): string[] | undefined {
  const texts = (listOf(value) ?? []).flatMap((text) => textOf(text) ?? []);
  return texts.length > 0 ? texts : undefined;
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
  'dcim.inventoryitem',
  'ipam.ipaddress',
  'virtualization.vminterface',
]);
