import { netboxObject as object, type Json } from './netbox-estate.js';

const field = (pk: number, name: string, type: string, more: Json = {}): Json =>
  object('extras.customfield', pk, {
    label: '',
    description: '',
    default: null,
    related_object_type: null,
    object_types: [['dcim', 'site']],
    name,
    type,
    ...more,
  });

const to = (app: string, model: string): Json => ({ related_object_type: [app, model] });

/** Every custom field type of NetBox, references to every kind of target, and choices from every source of choices. */
const FIELDS = [
  field(1, 'note', 'text'),
  field(2, 'story', 'longtext'),
  field(3, 'floors', 'integer'),
  field(4, 'ceiling', 'integer'),
  field(5, 'share', 'decimal'),
  field(6, 'largest', 'decimal'),
  field(7, 'staffed', 'boolean'),
  field(8, 'guarded', 'boolean'),
  field(9, 'opened', 'date'),
  field(10, 'closes', 'date'),
  field(11, 'checked', 'datetime'),
  field(12, 'seen', 'datetime'),
  field(13, 'wiki', 'url'),
  field(14, 'facts', 'json'),
  field(15, 'links', 'json'),
  field(16, 'tier', 'select', { choice_set: 1 }),
  field(17, 'zones', 'multiselect', { choice_set: 1 }),
  field(18, 'country', 'select', { choice_set: 2 }),
  field(19, 'countries', 'multiselect', { choice_set: 2 }),
  field(20, 'cell', 'select', { choice_set: 3 }),
  field(21, 'cells', 'multiselect', { choice_set: 3 }),
  // Until 3.5.
  field(22, 'grade', 'select', { choices: '["first", "second"]' }),
  field(23, 'nearest', 'object', to('dcim', 'site')),
  field(24, 'gateway', 'object', to('dcim', 'device')),
  field(25, 'network', 'object', to('ipam', 'prefix')),
  field(26, 'mark', 'object', to('extras', 'tag')),
  field(27, 'holder', 'object', to('users', 'user')),
  field(28, 'peers', 'multiobject', to('dcim', 'site')),
  field(29, 'gateways', 'multiobject', to('dcim', 'device')),
  field(30, 'networks', 'multiobject', to('ipam', 'prefix')),
  field(31, 'lines', 'multiobject', to('circuits', 'circuit')),
  field(32, 'patches', 'multiobject', to('dcim', 'cable')),
  field(33, 'spans', 'multiobject', to('ipam', 'iprange')),
  field(34, 'holders', 'multiobject', to('users', 'user')),
  field(36, 'marks', 'multiobject', to('extras', 'tag')),
  field(35, 'cust_id', 'text', { label: 'Customer', description: 'As in the ledger' }),
];

/** More words than a field here may have choices. */
const CELLS = Array.from({ length: 1001 }, (_, at) => [`cell ${at}`, `Cell ${at}`]);

const SETS = [
  object('extras.customfieldchoiceset', 1, {
    name: 'tiers',
    base_choices: null,
    extra_choices: JSON.stringify([
      ['gold', 'Gold'],
      ['tin, or lead', 'Tin'],
      ['w'.repeat(100), 'Long'],
    ]),
  }),
  object('extras.customfieldchoiceset', 2, { name: 'countries', base_choices: 'ISO_3166', extra_choices: null }),
  object('extras.customfieldchoiceset', 3, { name: 'cells', base_choices: null, extra_choices: JSON.stringify(CELLS) }),
];

/** The first set, with a choice more. */
export const WIDER = object('extras.customfieldchoiceset', 1, {
  name: 'tiers',
  base_choices: null,
  extra_choices: [
    ['gold', 'Gold'],
    ['tin, or lead', 'Tin'],
    ['w'.repeat(100), 'Long'],
    ['iron', 'Iron'],
  ],
});

/** Values at the limits of NetBox and of fields here, as a dump has them. */
export const VALUES: Json = {
  note: 'x'.repeat(65_536),
  story: `Two\nlines ${'é'.repeat(60_000)}`,
  floors: -2_147_483_648,
  ceiling: 2_147_483_647,
  share: 1e-7,
  largest: 999_999_999_999.9999,
  staffed: false,
  // NetBox accepts it as true.
  guarded: 1,
  opened: '0001-01-01',
  closes: '9999-12-31',
  checked: '2024-02-29T23:59:59.999999+05:30',
  seen: '2024-02-29 23:59:59',
  wiki: 'https://wiki.example.com/s?a=1#b',
  facts: { id: 7, url: 'https://facts.example.com', value: 'a', label: 'A', none: null },
  links: [],
  tier: 'w'.repeat(100),
  zones: ['tin, or lead', 'gold'],
  country: 'DE',
  countries: ['NL', 'DE'],
  cell: 'cell 1000',
  cells: ['cell 3', 'cell 20'],
  grade: 'second',
  nearest: 2,
  gateway: 2,
  network: 2,
  mark: 7,
  holder: 2,
  peers: [2, 1],
  gateways: [2, 1],
  networks: [2, 1],
  lines: [2, 1],
  patches: [2, 1],
  spans: [1],
  holders: [3, 2],
  cust_id: 'C-1',
};

/** The values as they are here. @param idOf id of the record of an object */
export const VALUES_HERE = (idOf: (model: string, pk: number) => string): Json => {
  const { cust_id: custId, ...values } = VALUES;
  return {
    ...values,
    share: '0.0000001',
    largest: '999999999999.9999',
    guarded: true,
    checked: '2024-02-29T18:29:59.999Z',
    seen: '2024-02-29T23:59:59.000Z',
    facts: '{"id":7,"url":"https://facts.example.com","value":"a","label":"A","none":null}',
    links: '[]',
    zones: ['gold', 'tin, or lead'],
    countries: ['DE', 'NL'],
    cells: ['cell 20', 'cell 3'],
    nearest: idOf('dcim.site', 2),
    gateway: idOf('dcim.device', 2),
    network: idOf('ipam.prefix', 2),
    mark: 'Lab',
    holder: 'ada',
    peers: 'C5, C6',
    gateways: 'gw1, gw2',
    networks: '10.1.0.0/16, 10.2.0.0/16',
    lines: 'Line 1, Line 2',
    patches: 'P-1, #2',
    spans: '10.1.0.1/16-10.1.0.9/16',
    holders: 'ada, grace',
    custId,
  };
};

/** Every value, changed. */
export const CHANGED: Json = {
  note: 'y',
  story: 'One line',
  floors: 2_147_483_647,
  ceiling: 0,
  share: 0.25,
  largest: -999_999_999_999.9999,
  staffed: true,
  guarded: 0,
  opened: '9999-12-31',
  closes: '2024-02-29',
  checked: '0001-01-01T00:00:00+00:00',
  seen: '9999-12-31T23:59:59.999000+00:00',
  wiki: 'http://other.example.com',
  facts: [1, { id: 2, display: 'two' }],
  links: 'a text',
  // Of the set only since.
  tier: 'iron',
  zones: ['iron'],
  country: 'FR',
  countries: ['FR', 'BE'],
  cell: 'cell 0',
  cells: ['cell 0'],
  grade: 'first',
  nearest: 1,
  gateway: 1,
  network: 1,
  mark: 8,
  holder: 3,
  peers: [2],
  gateways: [2],
  networks: [2],
  lines: [2],
  patches: [1],
  spans: [2, 1],
  holders: [3],
  cust_id: 'C-2',
};

export const CHANGED_HERE = (idOf: (model: string, pk: number) => string): Json => {
  const { cust_id: custId, ...values } = CHANGED;
  return {
    ...values,
    share: '0.25',
    largest: '-999999999999.9999',
    guarded: false,
    checked: '0001-01-01T00:00:00.000Z',
    seen: '9999-12-31T23:59:59.999Z',
    facts: '[1,{"id":2,"display":"two"}]',
    countries: ['BE', 'FR'],
    nearest: idOf('dcim.site', 1),
    gateway: idOf('dcim.device', 1),
    network: idOf('ipam.prefix', 1),
    mark: 'Field',
    holder: 'grace',
    peers: 'C6',
    gateways: 'gw2',
    networks: '10.2.0.0/16',
    lines: 'Line 2',
    patches: 'P-1',
    spans: '10.1.0.1/16-10.1.0.9/16, 10.1.0.20/16-10.1.0.29/16',
    holders: 'grace',
    custId,
  };
};

/** The values of which nothing remains. */
export const CLEARED: Json = Object.fromEntries(
  Object.entries(VALUES).map(([name, value]) => [name, Array.isArray(value) && name !== 'links' ? [] : null]),
);

/** An object of each kind that has custom fields in a NetBox and is a record here: its key, the list of the record, and the fields. */
export const CARRIERS: readonly (readonly [model: string, pk: number, path: string, fields: Json])[] = [
  ['tenancy.tenant', 65, 'tenant-groups', { name: 'CF', slug: 'cf' }],
  ['tenancy.contact', 65, 'people', { name: 'CF' }],
  [
    'tenancy.contactassignment',
    65,
    'sites/1/responsibilities',
    { object_type: ['dcim', 'site'], object_id: 1, contact: 65, role: 65 },
  ],
  ['dcim.region', 65, 'regions', { name: 'CF', slug: 'cf' }],
  ['dcim.site', 1, 'sites', { name: 'C5', slug: 'c5', status: 'active' }],
  ['dcim.location', 65, 'locations', { name: 'CF', slug: 'cf', site: 1, status: 'active' }],
  ['dcim.rack', 65, 'racks', { name: 'CF', site: 1, u_height: 10, status: 'active', form_factor: '' }],
  ['dcim.manufacturer', 65, 'manufacturers', { name: 'CF', slug: 'cf' }],
  ['dcim.platform', 65, 'platforms', { name: 'CF', slug: 'cf' }],
  ['dcim.devicerole', 65, 'device-roles', { name: 'CF', slug: 'cf', color: '4caf50' }],
  ['dcim.devicetype', 65, 'device-types', { model: 'CF', slug: 'cf', manufacturer: 65, u_height: '1.0' }],
  ['dcim.moduletype', 65, 'device-types', { model: 'CF module', manufacturer: 65 }],
  ['dcim.device', 1, 'devices', { name: 'gw1', site: 1, status: 'active' }],
  ['dcim.interface', 65, 'device-ports', { device: 1, name: 'CF', type: '1000base-t', enabled: true }],
  ['dcim.rearport', 65, 'device-ports', { device: 1, name: 'CF rear', type: '8p8c', positions: 1 }],
  [
    'dcim.frontport',
    65,
    'device-ports',
    { device: 1, name: 'CF front', type: '8p8c', rear_port: 65, rear_port_position: 1 },
  ],
  ['dcim.consoleport', 65, 'device-ports', { device: 1, name: 'CF console' }],
  ['dcim.consoleserverport', 65, 'device-ports', { device: 1, name: 'CF server' }],
  ['dcim.powerport', 65, 'device-ports', { device: 1, name: 'CF power' }],
  ['dcim.poweroutlet', 65, 'device-ports', { device: 1, name: 'CF outlet' }],
  ['dcim.cable', 1, 'cables', { status: 'connected', label: 'P-1' }],
  ['dcim.powerfeed', 65, 'power-feeds', { name: 'CF', power_panel: 65, status: 'active' }],
  ['ipam.vrf', 65, 'vrfs', { name: 'CF' }],
  ['ipam.vlangroup', 65, 'vlan-groups', { name: 'CF', slug: 'cf' }],
  ['ipam.vlan', 65, 'vlans', { vid: 65, name: 'CF', status: 'active' }],
  ['ipam.prefix', 1, 'prefixes', { prefix: '10.1.0.0/16', status: 'active', vrf: 65 }],
  ['ipam.aggregate', 65, 'prefixes', { rir: 65 }],
  ['ipam.ipaddress', 65, 'ip-addresses', { address: '10.1.0.1/16', status: 'active', vrf: 65 }],
  ['virtualization.clustertype', 65, 'cluster-types', { name: 'CF', slug: 'cf' }],
  ['virtualization.cluster', 65, 'clusters', { name: 'CF', type: 65, status: 'active' }],
  ['virtualization.virtualmachine', 65, 'virtual-machines', { name: 'CF', status: 'active' }],
  ['virtualization.vminterface', 65, 'virtual-machine-interfaces', { virtual_machine: 65, name: 'CF', enabled: true }],
  ['circuits.provider', 65, 'vendors', { name: 'CF', slug: 'cf' }],
  ['circuits.circuit', 1, 'circuits', { cid: 'Line 1', provider: 65, status: 'active' }],
  [
    'circuits.circuittermination',
    65,
    'circuit-terminations',
    { circuit: 1, term_side: 'A', termination_type: ['dcim', 'site'], termination_id: 1 },
  ],
];

const end = (pk: number, cable: number, side: string, port: number): Json =>
  object('dcim.cabletermination', pk, {
    cable,
    cable_end: side,
    termination_type: ['dcim', 'interface'],
    termination_id: port,
  });

const range = (pk: number, from: number, until: number): Json =>
  object('ipam.iprange', pk, { start_address: `10.1.0.${from}/16`, end_address: `10.1.0.${until}/16` });

/** An estate in which an object of each kind has the values. @param at distinguishes estates that must not have the same aggregates */
export const customFieldEstate = (values: Json, at = 1): Json[] => [
  ...CARRIERS.map(([model, pk, , fields]) =>
    object(model, pk, {
      ...fields,
      ...(model === 'ipam.aggregate' && { prefix: `1${at}.0.0.0/8` }),
      custom_field_data: values,
    }),
  ),
  // From then on it has a choice.
  object('dcim.site', 2, {
    name: 'C6',
    slug: 'c6',
    status: 'active',
    custom_field_data: { tier: 'bronze', marks: [8, 7] },
  }),
  object('dcim.device', 2, { name: 'gw2', site: 1, status: 'active' }),
  ...[2, 3, 4].map((pk) => object('dcim.interface', pk, { device: 2, name: `eth${pk}`, type: '1000base-t' })),
  object('ipam.prefix', 2, { prefix: '10.2.0.0/16', status: 'active', vrf: 65 }),
  object('circuits.circuit', 2, { cid: 'Line 2', provider: 65, status: 'active' }),
  object('dcim.cable', 2, { status: 'connected', label: '' }),
  ...[end(1, 1, 'A', 65), end(2, 1, 'B', 2), end(3, 2, 'A', 3), end(4, 2, 'B', 4)],
  ...[range(1, 1, 9), range(2, 20, 29)],
  object('dcim.powerpanel', 65, { name: 'CF', site: 1 }),
  object('ipam.rir', 65, { name: 'CF' }),
  object('tenancy.contactrole', 65, { name: 'CF', slug: 'cf' }),
  object('extras.tag', 7, { name: 'Lab', slug: 'lab' }),
  object('extras.tag', 8, { name: 'Field', slug: 'field' }),
  object('users.user', 2, { username: 'ada' }),
  object('users.user', 3, { username: 'grace' }),
  ...FIELDS,
  ...SETS,
];
