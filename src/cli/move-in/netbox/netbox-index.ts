import type { Mapping } from '../mapping.js';
import type { SourceObject } from '../model.js';
import { Numbers } from '../numbers.js';
import { isTrue, listOf, textOf } from '../shapes.js';
import { DeviceNames, type Rack } from './device-names.js';

interface End {
  model: string;
  pk: string;
  /** Key of the termination; undefined before 3.3, when a cable had its ends itself. */
  key?: string;
}

type StoredEnd = [side: 'A' | 'B', type: string, pk: string, key?: string | null, connector?: number];

/** Where a front port passes to, since 4.5. */
interface PortMapping {
  model: string;
  pk: string;
  /** Position of the front port. */
  from: number;
  rear: string;
  position: number;
}

const MAC_ADDRESS = 'dcim.macaddress';

/** `00:11:22:33:44:55` of a number. */
const macAddressOf = (number: number): string =>
  number
    .toString(16)
    .toUpperCase()
    .padStart(12, '0')
    .replaceAll(/..(?=.)/g, '$&:');

/** A custom field of the source. Its target may come later in the file, so the target is looked up when a value needs it. */
interface Definition {
  key: string;
  type: string;
  /** Its own choices. Since 3.6 choices belong to a set. */
  choices?: string[];
  /** Key of the set of choices. */
  choiceSet?: string;
  label: string | null;
  description: string | null;
  /** Content type of the objects that it refers to. */
  target?: unknown;
}

/** Sorts keys as the source does: numbers by value. All other keys keep their order. */
const byKey = (a = '', b = ''): number => (/^\d+$/.test(a) && /^\d+$/.test(b) ? Number(a) - Number(b) : 0);

const keyOf = ({ model, pk }: SourceObject): string => `${model}:${pk}`;

/** Values of objects that other kinds need. Only small values are kept, because a source may have millions of objects. */
export class NetboxIndex {
  readonly racks = new Map<string, Rack>();
  readonly siteOfLocation = new Map<string, string>();
  readonly siteOfPanel = new Map<string, string>();
  /** Names of objects that become texts, and of device types. */
  readonly names = new Map<string, string>();
  private readonly heights = new Map<string, number>();
  readonly devices = new DeviceNames(this.names, this.racks, this.heights);
  /** Ends of cables as JSON, which takes less memory than objects. */
  private readonly ends = new Map<string, string>();
  readonly definitions = new Map<string, Definition>();
  private readonly mappings = new Map<string, PortMapping[]>();
  /** The tags of each object, by name or key. The map's key is the content type as it was read, and the key of the object. */
  private tags = new Map<string, { tag: string; key: string }[]>();
  /** Keys of the type and of the bay of a module. */
  private readonly modules = new Map<string, { type: string; bay: string }>();
  private readonly tagKeys = new Map<string, string>();
  private readonly contentTypes = new Map<string, string>();
  private readonly diskUnits = new Set<'MB' | 'GB'>();
  /** MAC addresses as numbers plus 1. Addresses that are not valid are in the other map. */
  private readonly macAddresses = new Numbers();
  private readonly otherMacAddresses = new Map<string, string>();
  private readonly choices = new Map<string, string[]>();
  private hasDisks = false;

  /** Detects the version of the source from an object: fields that were added in 4.1. */
  seeVersion({ model, fields }: SourceObject): void {
    if (model === 'dcim.rack') this.diskUnits.add('form_factor' in fields ? 'MB' : 'GB');
    if (model === 'ipam.vlangroup') this.diskUnits.add('vid_ranges' in fields ? 'MB' : 'GB');
  }

  add(object: SourceObject): void {
    const { model, pk, fields } = object;
    if (model === 'dcim.devicetype') this.heights.set(pk, Number(textOf(fields.u_height) ?? 1));
    switch (model) {
      case 'contenttypes.contenttype':
        this.contentTypes.set(pk, `${fields.app_label}.${fields.model}`);
        break;
      case 'dcim.rack':
        this.racks.set(pk, {
          name: textOf(fields.name) ?? pk,
          startingUnit: Number(textOf(fields.starting_unit) ?? 1) || 1,
          ...(isTrue(fields.desc_units) && { unitsFromTop: Number(textOf(fields.u_height) ?? 42) || 42 }),
        });
        break;
      case 'dcim.location':
        if (fields.site != null) this.siteOfLocation.set(pk, String(fields.site));
        break;
      case 'dcim.powerpanel':
        if (fields.site != null) this.siteOfPanel.set(pk, String(fields.site));
        this.names.set(keyOf(object), textOf(fields.name) ?? `Panel ${pk}`);
        break;
      case 'dcim.module':
        this.modules.set(pk, { type: String(fields.module_type), bay: String(fields.module_bay) });
        break;
      case 'dcim.macaddress':
        this.addMacAddress(pk, textOf(fields.mac_address) ?? '');
        break;
      case 'dcim.cabletermination':
        this.addEnd(
          String(fields.cable),
          String(fields.cable_end),
          fields.termination_type,
          String(fields.termination_id),
          pk,
          Number(fields.connector ?? 0) || 0,
        );
        break;
      case 'dcim.portmapping':
      case 'dcim.porttemplatemapping': {
        const front = `${model === 'dcim.portmapping' ? 'dcim.frontport' : 'dcim.frontporttemplate'}:${fields.front_port}`;
        const mapping = {
          model,
          pk,
          from: Number(fields.front_port_position ?? 1),
          rear: String(fields.rear_port),
          position: Number(fields.rear_port_position ?? 1),
        };
        this.mappings.set(front, [...(this.mappings.get(front) ?? []), mapping]);
        break;
      }
      case 'extras.taggeditem': {
        const tagged = `${nameOfType(fields.content_type)}:${fields.object_id}`;
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
          if (type != null) this.addEnd(pk, side.toUpperCase(), type, String(fields[`termination_${side}_id`]));
        }
        break;
      default: {
        const name = textOf(
          fields.name ?? fields.model ?? fields.asn ?? fields.account ?? fields.ssid ?? fields.username,
        );
        if (name !== undefined && !LARGE.has(model)) this.names.set(keyOf(object), name);
      }
    }
  }

  /** @param version of the NetBox, if the objects do not tell it */
  constructor(private readonly version?: string) {}

  /** Kinds that custom fields name. */
  get namedKinds(): ReadonlySet<string> {
    const targets = [...this.definitions.values()].flatMap(({ target }) => (target === undefined ? [] : [target]));
    return new Set(targets.map((target) => this.typeOf(target)));
  }

  /** Stores the name of an object that custom fields can refer to. */
  addName(object: SourceObject): void {
    const key = keyOf(object);
    if (!this.names.has(key)) this.names.set(key, this.calledBy(object));
  }

  /** The name of an object in NetBox. */
  private calledBy({ model, pk, fields }: SourceObject): string {
    if (model === 'dcim.device') return this.devices.nameOf(pk, fields);
    const { name, cid, prefix, address, start_address: start, end_address: end, mac_address: mac, label } = fields;
    const range = textOf(start) === undefined ? undefined : `${textOf(start)}-${textOf(end)}`;
    return [name, cid, prefix, address, range, mac, label].map(textOf).find((text) => text !== undefined) ?? `#${pk}`;
  }

  /** Called when all objects are known. Resolves the numbers of content types. */
  complete(): void {
    const tags = [...this.tags].map(([tagged, found]) => {
      const colon = tagged.indexOf(':');
      return [`${this.typeOf(tagged.slice(0, colon))}${tagged.slice(colon)}`, found] as const;
    });
    this.tags = new Map(tags);
  }

  /** The name of an object that has no record; undefined if the source has no such object. */
  nameOf(model: string, pk: string): string | undefined {
    const module = model === 'dcim.module' ? this.modules.get(pk) : undefined;
    if (!module) return this.names.get(`${model}:${pk}`);
    const type = this.names.get(`dcim.moduletype:${module.type}`) ?? `Module ${pk}`;
    const bay = this.names.get(`dcim.modulebay:${module.bay}`);
    return bay === undefined ? type : `${type} in ${bay}`;
  }

  /** The choices of a custom field, as far as the source lists them. */
  choicesOf({ choices, choiceSet }: Definition): readonly string[] {
    return choices ?? this.choices.get(choiceSet ?? '') ?? [];
  }

  /** Where a front port passes to, by its positions. */
  mappingsOf(frontPort: string): readonly PortMapping[] {
    return (this.mappings.get(frontPort) ?? []).toSorted((a, b) => a.from - b.from || byKey(a.pk, b.pk));
  }

  /** Unit of virtual machine disks: gigabytes until 4.0. Undefined if it does not matter, or the version is unknown. */
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

  /** The ends of a cable on each side, in the order of the source: by key. */
  endsOf(cable: string): { A: End[]; B: End[] } {
    const ends = (JSON.parse(this.ends.get(cable) ?? '[]') as StoredEnd[]).toSorted(
      ([, , , key, connector = 0], [, , , otherKey, otherConnector = 0]) =>
        connector - otherConnector || byKey(key ?? undefined, otherKey ?? undefined),
    );
    const on = (side: string): End[] =>
      ends
        .filter(([of]) => of === side)
        .map(([, type, pk, key]) => ({ model: this.typeOf(type), pk, key: key ?? undefined }));
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
    const name = nameOfType(value);
    return this.contentTypes.get(name) ?? name;
  }

  private addEnd(cable: string, side: string, type: unknown, pk: string, key?: string, connector?: number): void {
    const end: StoredEnd = [side === 'B' ? 'B' : 'A', nameOfType(type), pk, key, connector];
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
      choices: fields.choice_set == null ? textsOf(fields.choices) : undefined,
      target: fields.related_object_type ?? fields.object_type ?? undefined,
    });
  }
}

/** A content type as text: its name, or in a dump without natural keys its number. */
const nameOfType = (value: unknown): string => (Array.isArray(value) ? value.join('.') : String(value));

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
