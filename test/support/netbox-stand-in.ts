import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An object as `dumpdata` writes it. */
export interface Dumped {
  model: string;
  pk?: number | string;
  fields: Record<string, unknown>;
}

/** Paths of lists that are not the plural of the kind. */
const PATHS: Readonly<Record<string, string>> = {
  'dcim.sitegroup': 'dcim/site-groups',
  'dcim.rackrole': 'dcim/rack-roles',
  'dcim.racktype': 'dcim/rack-types',
  'dcim.rackreservation': 'dcim/rack-reservations',
  'dcim.devicetype': 'dcim/device-types',
  'dcim.moduletype': 'dcim/module-types',
  'dcim.devicerole': 'dcim/device-roles',
  'dcim.modulebay': 'dcim/module-bays',
  'dcim.devicebay': 'dcim/device-bays',
  'dcim.macaddress': 'dcim/mac-addresses',
  'dcim.consoleport': 'dcim/console-ports',
  'dcim.consoleserverport': 'dcim/console-server-ports',
  'dcim.powerport': 'dcim/power-ports',
  'dcim.poweroutlet': 'dcim/power-outlets',
  'dcim.rearport': 'dcim/rear-ports',
  'dcim.frontport': 'dcim/front-ports',
  'dcim.virtualchassis': 'dcim/virtual-chassis',
  'dcim.powerpanel': 'dcim/power-panels',
  'dcim.powerfeed': 'dcim/power-feeds',
  'dcim.inventoryitem': 'dcim/inventory-items',
  'dcim.consoleporttemplate': 'dcim/console-port-templates',
  'dcim.consoleserverporttemplate': 'dcim/console-server-port-templates',
  'dcim.powerporttemplate': 'dcim/power-port-templates',
  'dcim.poweroutlettemplate': 'dcim/power-outlet-templates',
  'dcim.interfacetemplate': 'dcim/interface-templates',
  'dcim.rearporttemplate': 'dcim/rear-port-templates',
  'dcim.frontporttemplate': 'dcim/front-port-templates',
  'dcim.modulebaytemplate': 'dcim/module-bay-templates',
  'dcim.devicebaytemplate': 'dcim/device-bay-templates',
  'ipam.routetarget': 'ipam/route-targets',
  'ipam.vlangroup': 'ipam/vlan-groups',
  'ipam.prefix': 'ipam/prefixes',
  'ipam.iprange': 'ipam/ip-ranges',
  'ipam.ipaddress': 'ipam/ip-addresses',
  'circuits.circuittype': 'circuits/circuit-types',
  'circuits.circuittermination': 'circuits/circuit-terminations',
  'circuits.providernetwork': 'circuits/provider-networks',
  'circuits.provideraccount': 'circuits/provider-accounts',
  'tenancy.tenantgroup': 'tenancy/tenant-groups',
  'tenancy.contactgroup': 'tenancy/contact-groups',
  'tenancy.contactrole': 'tenancy/contact-roles',
  'tenancy.contactassignment': 'tenancy/contact-assignments',
  'virtualization.clustertype': 'virtualization/cluster-types',
  'virtualization.clustergroup': 'virtualization/cluster-groups',
  'virtualization.virtualmachine': 'virtualization/virtual-machines',
  'virtualization.vminterface': 'virtualization/interfaces',
  'extras.customfield': 'extras/custom-fields',
  'extras.customfieldchoiceset': 'extras/custom-field-choice-sets',
};

const pathOf = (model: string): string => `/api/${PATHS[model] ?? `${model.replace('.', '/')}s`}/`;

/** Fields that refer to other objects. */
const REFERENCES: ReadonlySet<string> = new Set(
  (
    'region parent group site tenant location rack rack_type manufacturer platform default_platform device_type module_type device ' +
    'module module_bay cluster virtual_chassis config_template primary_ip4 primary_ip6 oob_ip lag bridge untagged_vlan tagged_vlans vrf ' +
    'primary_mac_address power_port rear_port power_panel cable provider provider_account circuit termination_a termination_z rir vlan ' +
    'nat_inside asns import_targets export_targets virtual_machine contact choice_set provider_network device_role installed_device ' +
    'groups master'
  ).split(' '),
);
const CHOICES: ReadonlySet<string> = new Set(
  'status face mode airflow width form_factor phase supply feed_leg length_unit weight_unit subdevice_role duplex poe_mode poe_type priority qinq_role'.split(
    ' ',
  ),
);

const nested = (id: unknown): unknown =>
  id === null || id === undefined
    ? null
    : { id, url: `https://netbox.example/${String(id)}`, display: `Object ${String(id)}` };
const choice = (value: unknown): unknown =>
  value === null || value === '' || value === undefined ? null : { value, label: String(value).toUpperCase() };

function shaped(model: string, field: string, value: unknown): unknown {
  if (REFERENCES.has(field)) return Array.isArray(value) ? value.map(nested) : nested(value);
  if (field === 'role') return model === 'ipam.ipaddress' ? choice(value) : nested(value);
  if (field === 'type')
    return ['circuits.circuit', 'virtualization.cluster'].includes(model) ? nested(value) : choice(value);
  if (CHOICES.has(field)) return choice(value);
  if (field.endsWith('_type') && Array.isArray(value)) return value.join('.');
  if (field === 'vid_ranges' && typeof value === 'string')
    return (JSON.parse(value) as string[]).map((text) => {
      const { lower, upper } = JSON.parse(text) as { lower: string; upper: string };
      return [Number(lower), Number(upper) - 1];
    });
  return value;
}

/** A value of a custom field of a type. The API has several objects in its own order, and times in JSON form. */
function customValue(type: unknown, value: unknown, nameOf: (id: unknown) => object): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'object') return { ...(nested(value) as object), ...nameOf(value) };
  if (type === 'multiobject')
    return (value as unknown[]).toReversed().map((id) => ({ ...(nested(id) as object), ...nameOf(id) }));
  if (type !== 'datetime') return value;
  return (value as string)
    .replace(' ', 'T')
    .replace(/(\.\d{3})\d+/, '$1')
    .replace('+00:00', 'Z');
}

/** Computed properties of an object in NetBox: links, names, counts, and connections. */
const BESIDE = {
  url: 'https://netbox.example/x',
  display: 'x',
  display_url: 'https://netbox.example/x',
  link_peers: [],
  link_peers_type: null,
  connected_endpoints: [{ id: 1, url: 'x', display: 'x' }],
  connected_endpoints_type: 'dcim.interface',
  connected_endpoints_reachable: true,
  device_count: 3,
  _occupied: true,
  _depth: 0,
};

const listed = (value: unknown): unknown =>
  typeof value === 'string' && value.startsWith('[') ? JSON.parse(value) : value;

/** The lists of a NetBox by their paths, from the objects of its dump. */
function listsOf(objects: readonly Dumped[]): Map<string, Record<string, unknown>[]> {
  const lists = new Map<string, Record<string, unknown>[]>();
  const tags = new Map<string, unknown[]>();
  const names: unknown[] = objects.filter(({ model }) => model === 'extras.tag').map(({ fields }) => fields.name);
  const ends = new Map<string, { A: unknown[]; B: unknown[] }>();
  for (const { model, fields } of objects) {
    if (model === 'extras.taggeditem') {
      const key = `${[fields.content_type].flat().join('.')}:${String(fields.object_id)}`;
      const name: unknown = [fields.tag].flat()[0];
      tags.set(key, [
        ...(tags.get(key) ?? []),
        { id: names.indexOf(name) + 1, url: 'x', display: name, name, slug: name },
      ]);
    }
    if (model === 'dcim.cabletermination') {
      const cable = ends.get(String(fields.cable)) ?? { A: [], B: [] };
      cable[fields.cable_end as 'A' | 'B'].push({
        object_type: [fields.termination_type].flat().join('.'),
        object_id: fields.termination_id,
        object: nested(fields.termination_id),
      });
      ends.set(String(fields.cable), cable);
    }
  }
  const definitions = new Map(
    objects.flatMap(({ model, fields }) => (model === 'extras.customfield' ? [[fields.name, fields]] : [])),
  );
  const custom = ([name, value]: [string, unknown]): [string, unknown] => {
    const { type, related_object_type: target } = definitions.get(name) ?? {};
    const isUser = String(target) === 'users,user';
    const users = objects.filter(({ model }) => model === 'users.user');
    return [
      name,
      customValue(type, value, (id) =>
        isUser ? { username: users.find(({ pk }) => pk === id)?.fields.username, display: `User ${String(id)}` } : {},
      ),
    ];
  };
  for (const { model, pk, fields } of objects) {
    // It does not read accounts.
    if (model === 'users.user') continue;
    if (model === 'extras.taggeditem' || model === 'dcim.cabletermination' || model === 'dcim.cablepath') continue;
    const id = pk === undefined ? names.indexOf(fields.name) + 1 : pk;
    const entry: Record<string, unknown> = { id, ...(model === 'extras.customfield' ? {} : BESIDE) };
    for (const [field, value] of Object.entries(fields)) {
      if (field.startsWith('_') || ['lft', 'rght', 'tree_id', 'level'].includes(field)) continue;
      if (field === 'custom_field_data')
        entry.custom_fields = Object.fromEntries(Object.entries(value as Record<string, unknown>).map(custom));
      else entry[field] = shaped(model, field, ['tagged_vlans', 'asns'].includes(field) ? listed(value) : value);
    }
    if (!model.startsWith('extras.')) entry.tags = tags.get(`${model}:${String(pk)}`) ?? [];
    if (model === 'dcim.cable') {
      const { A, B } = ends.get(String(pk)) ?? { A: [], B: [] };
      Object.assign(entry, { a_terminations: A, b_terminations: B });
    }
    if (fields.primary_mac_address != null)
      entry.mac_address = objects.find(
        (other) => other.model === 'dcim.macaddress' && other.pk === fields.primary_mac_address,
      )?.fields.mac_address;
    for (const prefix of ['assigned_object', 'scope', 'termination'])
      if (`${prefix}_id` in fields) entry[prefix] = nested(fields[`${prefix}_id`]);
    lists.set(pathOf(model), [...(lists.get(pathOf(model)) ?? []), entry]);
  }
  for (const list of lists.values()) list.sort((a, b) => Number(a.id) - Number(b.id));
  return lists;
}

/** A NetBox that serves the objects of a dump over its REST API. */
export class NetboxStandIn {
  private readonly lists: Map<string, Record<string, unknown>[]>;
  private readonly server: Server;
  /** Addresses of all requests. */
  readonly requests: string[] = [];
  /** Called first; answers a request itself if it returns true. */
  intercept?: (url: URL, response: ServerResponse, request: IncomingMessage) => boolean;

  /** @param largest maximum number of objects of a page */
  constructor(
    objects: readonly Dumped[],
    private readonly version: string,
    private readonly largest = 1000,
  ) {
    this.lists = listsOf(objects);
    this.server = createServer((request, response) => this.answer(request, response));
  }

  list(model: string): Record<string, unknown>[] {
    return this.lists.get(pathOf(model)) ?? [];
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url!, 'http://localhost');
    this.requests.push(request.url!);
    const send = (status: number, body: unknown): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (this.intercept?.(url, response, request)) return;
    if (url.pathname === '/api/status/') return send(200, { 'netbox-version': this.version });
    if (request.headers.authorization !== 'Token secret') return send(403, { detail: 'Invalid token' });
    const list = this.lists.get(url.pathname);
    if (!list) return send(404, { detail: 'Not found.' });
    const offset = Number(url.searchParams.get('offset') ?? 0);
    const limit = Math.min(Number(url.searchParams.get('limit') ?? 50), this.largest);
    send(200, { count: list.length, next: null, previous: null, results: list.slice(offset, offset + limit) });
  }
}
