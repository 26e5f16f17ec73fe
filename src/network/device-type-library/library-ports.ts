import { Fault } from '../../http/errors.js';
import type { PortKind } from '../ports/port-kinds.js';
import { CreatePortOfLibrary } from './library-bodies.js';
import { keysOf, readAs, typed } from './library-values.js';

/** A port as a document describes it. References to other ports of the document are by name. */
export type LibraryPort = CreatePortOfLibrary & {
  kind: PortKind;
  name: string;
  rearPort?: string;
  powerPort?: string;
};

type Keys = Record<string, keyof CreatePortOfLibrary>;

const COMMON: Keys = { name: 'name', label: 'label', type: 'type', description: 'description' };

/** The lists of a document that have ports, each with the kind and the keys of its entries. */
export const PORT_LISTS: Readonly<
  Record<string, { kind: PortKind; keys: Keys; refersTo?: 'rear_port' | 'power_port' }>
> = {
  interfaces: { kind: 'network', keys: { ...COMMON, mgmt_only: 'mgmtOnly' } },
  'console-ports': { kind: 'console', keys: COMMON },
  'console-server-ports': { kind: 'console-server', keys: COMMON },
  'power-ports': {
    kind: 'power',
    keys: { ...COMMON, maximum_draw: 'maximumDrawW', allocated_draw: 'allocatedDrawW' },
  },
  'power-outlets': { kind: 'outlet', keys: { ...COMMON, feed_leg: 'feedLeg' }, refersTo: 'power_port' },
  'rear-ports': { kind: 'rear', keys: { ...COMMON, positions: 'positions' } },
  'front-ports': { kind: 'front', keys: { ...COMMON, rear_port_position: 'rearPosition' }, refersTo: 'rear_port' },
};

/** The list that assigns front ports to rear ports. The library has it since NetBox 4.5. */
const MAPPINGS = 'port-mappings';

/** A list of the document that is about ports. */
export const isPortList = (key: string): boolean => key === MAPPINGS || Object.hasOwn(PORT_LISTS, key);

/** Reads the ports of a document, and collects their faults. */
export class LibraryPorts {
  private readonly ports = new Map<string, LibraryPort>();
  /** Front ports that have a rear port. */
  private readonly mapped = new Set<LibraryPort>();
  /** References to other ports: the path of each, the port, and the kind and name of the target. */
  private readonly references: { path: string; port: LibraryPort; kind: PortKind; name: unknown }[] = [];

  /**
   * @param path of the document
   * @param ignored gets the keys that are not kept
   */
  constructor(
    private readonly path: string,
    private readonly ignored: string[],
    private readonly faults: Fault[],
  ) {}

  /** @param lists of the document, by their keys. An absent list has the text '' */
  read(lists: readonly (readonly [key: string, value: unknown])[]): LibraryPort[] {
    // A front port needs no rear port of its own if the document has mappings, or no references of the old form.
    const isMapped = lists.some(([key]) => key === MAPPINGS) || !lists.some(([, value]) => hasReference(value));
    for (const [key, value] of lists) {
      if (key !== MAPPINGS) this.readList(key, value, (entry, at) => this.readPort(key, entry, at, isMapped));
    }
    for (const [key, value] of lists) {
      if (key === MAPPINGS) this.readList(key, value, (entry, at) => this.readMapping(entry, at));
    }
    this.checkReferences();
    if (isMapped) this.leaveOutUnmapped();
    return [...this.ports.values()];
  }

  private readList(list: string, given: unknown, read: (entry: Map<string, unknown>, at: string) => void): void {
    const path = `${this.path}.${list}`;
    const value = given === '' ? [] : given;
    if (!Array.isArray(value)) {
      this.faults.push(new Fault(path, 'must be a list'));
      return;
    }
    for (const [index, entry] of value.entries()) {
      if (entry instanceof Map) read(entry as Map<string, unknown>, `${path}[${index}]`);
      else this.faults.push(new Fault(`${path}[${index}]`, 'must be a mapping'));
    }
  }

  /** A front port on a position of a rear port. Only the first of several assignments and only one position are kept. */
  private readMapping(entry: Map<string, unknown>, at: string): void {
    const front = this.ports.get(keyOf('front', String(entry.get('front_port') ?? '')));
    if (!front) {
      this.faults.push(new Fault(`${at}.front_port`, 'must be the name of an entry of front-ports'));
      return;
    }
    if (this.mapped.has(front)) {
      this.ignored.push(`${MAPPINGS}.rear_port of a front port with several`);
      return;
    }
    this.mapped.add(front);
    const position = typed('rear_port_position', entry.get('rear_port_position') ?? '') ?? 1;
    if (typeof position === 'number' && Number.isInteger(position) && position >= 1) front.rearPosition = position;
    else this.faults.push(new Fault(`${at}.rear_port_position`, 'must be an integer of at least 1'));
    const name = typed('rear_port', entry.get('rear_port') ?? '');
    this.references.push({ path: `${at}.rear_port`, port: front, kind: 'rear', name });
  }

  /** Here a front port always has a rear port. */
  private leaveOutUnmapped(): void {
    for (const [key, port] of this.ports) {
      if (port.kind !== 'front' || this.mapped.has(port)) continue;
      this.ports.delete(key);
      this.ignored.push('front-ports without a rear port');
    }
  }

  private readPort(list: string, entry: Map<string, unknown>, at: string, isMapped: boolean): void {
    const { kind, keys, refersTo } = PORT_LISTS[list]!;
    const body: Record<string, unknown> = { name: null };
    for (const [key, one] of entry) {
      if (Object.hasOwn(keys, key)) body[keys[key]!] = typed(key, one);
      else if (key !== refersTo) this.ignored.push(`${list}.${key}`);
    }
    const port = Object.assign(readAs(CreatePortOfLibrary, body, keysOf(keys), `${at}.`, this.faults), {
      kind,
    }) as LibraryPort;
    if (kind === 'front') port.rearPosition ??= 1;
    if (kind === 'rear') port.positions ??= 1;
    const key = keyOf(kind, port.name);
    if (this.ports.has(key)) this.faults.push(new Fault(`${at}.name`, 'is already in an earlier entry'));
    else this.ports.set(key, port);
    const name = refersTo && typed(refersTo, entry.get(refersTo) ?? '');
    if (name !== null && kind === 'front') this.mapped.add(port);
    // If the document has mappings, they determine the rear port.
    if (refersTo && (name !== null || (kind === 'front' && !isMapped))) {
      this.references.push({
        path: `${at}.${refersTo}`,
        port,
        kind: refersTo === 'rear_port' ? 'rear' : 'power',
        name,
      });
    }
  }

  private checkReferences(): void {
    const taken = new Set<string>();
    for (const { path, port, kind, name } of this.references) {
      const other = typeof name === 'string' ? this.ports.get(keyOf(kind, name)) : undefined;
      if (name === null) this.faults.push(new Fault(path, 'is required', 'required'));
      else if (!other) this.faults.push(new Fault(path, `must be the name of an entry of ${kind}-ports`));
      else if (kind === 'power') port.powerPort = other.name;
      else {
        port.rearPort = other.name;
        const at = `${path}_position`;
        const position = port.rearPosition!;
        if (position > other.positions!)
          this.faults.push(new Fault(at, 'must not be above the positions of the rear port'));
        else if (taken.has(`${position} ${other.name}`))
          this.faults.push(new Fault(at, 'is already in an earlier entry'));
        taken.add(`${position} ${other.name}`);
      }
    }
  }
}

/** Whether an entry of a list itself refers to a rear port, as in documents before NetBox 4.5. */
const hasReference = (list: unknown): boolean =>
  Array.isArray(list) &&
  list.some((entry) => entry instanceof Map && entry.has('rear_port') && !entry.has('front_port'));

/** Unique key of a port within its owner. */
const keyOf = (kind: PortKind, name: string): string => `${kind} ${name}`;
