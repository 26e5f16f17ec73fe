/** A range of ports of a device: `prefix` with the numbers `from` to `to`, or `prefix` alone. */
export interface Ports {
  prefix: string;
  from?: number;
  to?: number;
  type: string;
  speedMbps?: number;
  mtu?: number;
  /** The use of the ports. It decides about addresses and cabling. */
  use: 'mgmt' | 'loopback' | 'uplink' | 'peer' | 'data' | 'storage' | 'access';
}

/** A group of devices, at every site or only at `site`. */
export interface Group {
  /** Part of the names, as in `ams-leaf-01`. */
  name: string;
  site?: 'ams' | 'lon';
  count: number;
  /** Slugs of the catalogue, or of the types that the demo adds. */
  role: string;
  type: string;
  platform?: string;
  ports: readonly Ports[];
  /** The racks that take the devices in turn. */
  racks: readonly string[];
  /** Heavy devices are mounted from the bottom of a rack, all others from the top. */
  fromBottom?: true;
  /** The kind of cluster whose hosts the devices are. */
  cluster?: 'virtual' | 'kubernetes';
  order: 'fabric' | 'edge' | 'servers' | 'facility';
  price: string;
}

const DATA_RACKS = ['A1', 'A2', 'A3', 'A4', 'B1', 'B2', 'B3', 'B4', 'C1', 'C2'];
const CORES = ['A1', 'B1'];

const mgmt = (prefix: string): Ports => ({ prefix, type: '1000base-t', speedMbps: 1000, use: 'mgmt' });
const loopback = (prefix: string): Ports => ({ prefix, type: 'virtual', use: 'loopback' });
const sfp28 = { type: '25gbase-x-sfp28', speedMbps: 25_000, mtu: 9216 };
const qsfp28 = { type: '100gbase-x-qsfp28', speedMbps: 100_000, mtu: 9216 };
const sfpPlus = { type: '10gbase-x-sfpp', speedMbps: 10_000, mtu: 1500 };
const copper = { type: '1000base-t', speedMbps: 1000, mtu: 1500 };

const arista = [
  mgmt('Management1'),
  loopback('Loopback0'),
  { prefix: 'Ethernet', from: 1, to: 8, ...sfp28, use: 'access' },
  { prefix: 'Ethernet', from: 49, to: 50, ...qsfp28, use: 'uplink' },
] satisfies Ports[];
const nexus = [
  mgmt('mgmt0'),
  loopback('loopback0'),
  { prefix: 'Ethernet1/', from: 1, to: 8, ...sfp28, use: 'access' },
  { prefix: 'Ethernet1/', from: 49, to: 50, ...qsfp28, use: 'uplink' },
] satisfies Ports[];
const server = (controller: string, data: string, storage: string): Ports[] => [
  mgmt(controller),
  { prefix: data, ...sfp28, mtu: 1500, use: 'data' },
  { prefix: storage, ...sfp28, mtu: 9000, use: 'storage' },
];

export const GROUPS: readonly Group[] = [
  {
    name: 'edge-rtr',
    count: 2,
    role: 'internet-edge-router',
    type: 'cisco-asr1002-hx',
    platform: 'cisco-ios-xe',
    racks: ['M1'],
    order: 'edge',
    price: '38400.00',
    ports: [
      mgmt('GigabitEthernet0'),
      loopback('Loopback0'),
      { prefix: 'TenGigabitEthernet0/1/', from: 0, to: 3, ...sfpPlus, use: 'peer' },
    ],
  },
  {
    name: 'dci-rtr',
    count: 2,
    role: 'dci-router',
    type: 'juniper-mx304',
    platform: 'juniper-junos',
    racks: ['M1'],
    order: 'edge',
    price: '61250.00',
    ports: [mgmt('fxp0'), loopback('lo0'), { prefix: 'et-0/0/', from: 0, to: 3, ...qsfp28, use: 'peer' }],
  },
  {
    name: 'fw',
    count: 2,
    role: 'perimeter-firewall',
    type: 'palo-alto-pa-3410',
    platform: 'palo-alto-pan-os',
    racks: ['M1'],
    order: 'edge',
    price: '22900.00',
    ports: [mgmt('mgmt'), { prefix: 'ethernet1/', from: 1, to: 6, ...sfpPlus, use: 'access' }],
  },
  {
    name: 'seg-fw',
    count: 2,
    role: 'internal-segmentation-firewall',
    type: 'fortinet-fg-1800f',
    platform: 'fortinet-fortios',
    racks: CORES,
    order: 'edge',
    price: '27450.00',
    ports: [mgmt('mgmt'), { prefix: 'port', from: 1, to: 6, ...sfpPlus, use: 'access' }],
  },
  {
    name: 'border-leaf',
    count: 2,
    role: 'border-leaf',
    type: 'arista-dcs-7050sx3-48yc8',
    platform: 'arista-eos',
    site: 'ams',
    racks: ['M1'],
    order: 'fabric',
    price: '17850.00',
    ports: arista,
  },
  {
    name: 'border-leaf',
    count: 2,
    role: 'border-leaf',
    type: 'cisco-n9k-c93180yc-fx',
    platform: 'cisco-nx-os',
    site: 'lon',
    racks: ['M1'],
    order: 'fabric',
    price: '18300.00',
    ports: nexus,
  },
  {
    name: 'spine',
    count: 2,
    role: 'spine-switch',
    type: 'juniper-qfx5200-32c',
    platform: 'juniper-junos',
    site: 'ams',
    racks: CORES,
    order: 'fabric',
    price: '24600.00',
    ports: [mgmt('em0'), loopback('lo0'), { prefix: 'et-0/0/', from: 0, to: 21, ...qsfp28, use: 'access' }],
  },
  {
    name: 'spine',
    count: 2,
    role: 'spine-switch',
    type: 'cisco-n9k-c9336c-fx2',
    platform: 'cisco-nx-os',
    site: 'lon',
    racks: CORES,
    order: 'fabric',
    price: '25900.00',
    ports: [mgmt('mgmt0'), loopback('loopback0'), { prefix: 'Ethernet1/', from: 1, to: 22, ...qsfp28, use: 'access' }],
  },
  {
    name: 'leaf',
    count: 20,
    role: 'leaf-switch',
    type: 'arista-dcs-7050sx3-48yc8',
    platform: 'arista-eos',
    site: 'ams',
    racks: DATA_RACKS,
    order: 'fabric',
    price: '17850.00',
    ports: arista,
  },
  {
    name: 'leaf',
    count: 20,
    role: 'leaf-switch',
    type: 'cisco-n9k-c93180yc-fx',
    platform: 'cisco-nx-os',
    site: 'lon',
    racks: DATA_RACKS,
    order: 'fabric',
    price: '18300.00',
    ports: nexus,
  },
  {
    name: 'oob-sw',
    count: 10,
    role: 'oob-management-switch',
    type: 'cisco-c9200-48p',
    platform: 'cisco-ios-xe',
    racks: DATA_RACKS,
    order: 'fabric',
    price: '3150.00',
    ports: [mgmt('Vlan10'), { prefix: 'GigabitEthernet1/0/', from: 1, to: 8, ...copper, use: 'access' }],
  },
  {
    name: 'dist-sw',
    count: 2,
    role: 'distribution-switch',
    type: 'cisco-c9500-40x',
    platform: 'cisco-ios-xe',
    racks: ['F1'],
    order: 'fabric',
    price: '14200.00',
    ports: [
      mgmt('GigabitEthernet0/0'),
      loopback('Loopback0'),
      { prefix: 'TenGigabitEthernet1/0/', from: 1, to: 8, ...sfpPlus, use: 'access' },
    ],
  },
  {
    name: 'access-sw',
    count: 4,
    role: 'access-switch',
    type: 'cisco-c9300-48p',
    platform: 'cisco-ios-xe',
    racks: ['F1'],
    order: 'fabric',
    price: '6480.00',
    ports: [mgmt('GigabitEthernet0/0'), { prefix: 'GigabitEthernet1/0/', from: 1, to: 16, ...copper, use: 'access' }],
  },
  {
    name: 'panel',
    count: 2,
    role: 'patch-panel',
    type: 'panduit-fap24-lc',
    racks: ['F1', 'M1'],
    order: 'facility',
    price: '310.00',
    // The ports of its type, see `supplies.ts`.
    ports: [],
  },
  {
    name: 'console',
    count: 2,
    role: 'console-server',
    type: 'opengear-om2216-l',
    racks: CORES,
    order: 'facility',
    price: '2380.00',
    ports: [mgmt('net1'), { prefix: 'port', from: 1, to: 8, type: 'other', use: 'access' }],
  },
  {
    name: 'hv',
    count: 24,
    role: 'hypervisor-host',
    type: 'dell-poweredge-r750',
    platform: 'vmware-esxi',
    site: 'ams',
    racks: DATA_RACKS.slice(0, 8),
    fromBottom: true,
    cluster: 'virtual',
    order: 'servers',
    price: '12640.00',
    ports: server('idrac', 'vmnic0', 'vmnic1'),
  },
  {
    name: 'hv',
    count: 24,
    role: 'hypervisor-host',
    type: 'hpe-proliant-dl380-gen10',
    platform: 'proxmox-ve',
    site: 'lon',
    racks: DATA_RACKS.slice(0, 8),
    fromBottom: true,
    cluster: 'virtual',
    order: 'servers',
    price: '10980.00',
    ports: server('ilo', 'ens1f0', 'ens1f1'),
  },
  {
    name: 'k8s',
    count: 8,
    role: 'kubernetes-node',
    type: 'lenovo-thinksystem-sr650-v2',
    platform: 'ubuntu-server',
    racks: DATA_RACKS.slice(0, 8),
    fromBottom: true,
    cluster: 'kubernetes',
    order: 'servers',
    price: '11300.00',
    ports: server('xcc', 'ens2f0', 'ens2f1'),
  },
  {
    name: 'db',
    count: 6,
    role: 'database-server',
    type: 'lenovo-thinksystem-sr650-v2',
    platform: 'red-hat-enterprise-linux',
    racks: ['C1', 'C2'],
    fromBottom: true,
    order: 'servers',
    price: '15750.00',
    ports: server('xcc', 'ens2f0', 'ens2f1'),
  },
  {
    name: 'dns',
    count: 2,
    role: 'dns-dhcp-server',
    type: 'dell-poweredge-r750',
    platform: 'debian',
    racks: CORES,
    fromBottom: true,
    order: 'servers',
    price: '7900.00',
    ports: server('idrac', 'eno1', 'eno2'),
  },
  {
    name: 'san',
    count: 2,
    role: 'storage-array',
    type: 'flasharray-x20',
    platform: 'pure-storage-purity-fa',
    racks: ['C1', 'C2'],
    fromBottom: true,
    order: 'facility',
    price: '88000.00',
    ports: server('ct0.eth0', 'ct0.eth4', 'ct1.eth4'),
  },
  {
    name: 'backup',
    count: 2,
    role: 'backup-appliance',
    type: 'synology-rs3621xs-plus',
    platform: 'synology-dsm',
    racks: ['C1', 'C2'],
    fromBottom: true,
    order: 'facility',
    price: '6450.00',
    ports: server('lan1', 'lan2', 'lan3'),
  },
  {
    name: 'ups',
    count: 4,
    role: 'ups',
    type: 'apc-smt3000rmi2u',
    platform: 'apc-nmc',
    racks: ['A1', 'B1', 'C1', 'M1'],
    fromBottom: true,
    order: 'facility',
    price: '2890.00',
    ports: [mgmt('nmc')],
  },
  {
    name: 'pdu',
    count: 8,
    role: 'rack-pdu',
    type: 'apc-ap7922b',
    platform: 'apc-nmc',
    // Two for each rack: first on feed A, then on feed B.
    racks: ['A1', 'A1', 'B1', 'B1', 'C1', 'C1', 'M1', 'M1'],
    fromBottom: true,
    order: 'facility',
    price: '1180.00',
    ports: [mgmt('nmc')],
  },
];

/** Types that are not in the catalogue, by slug, with the slug of the manufacturer. */
export const OWN_TYPES = [
  {
    slug: 'opengear-om2216-l',
    manufacturer: 'opengear',
    model: 'OM2216-L',
    uHeight: 1,
    isFullDepth: false,
    description: 'Console server with 16 serial ports and cellular',
  },
  {
    slug: 'panduit-fap24-lc',
    manufacturer: 'panduit',
    model: 'FAP 24 LC',
    uHeight: 1,
    isFullDepth: false,
    description: 'Patch panel with 24 positions of single-mode fibre',
  },
  {
    slug: 'apc-ap7922b',
    manufacturer: 'apc',
    model: 'AP7922B',
    uHeight: 2,
    isFullDepth: false,
    description: 'Switched rack PDU, 230 V, with 16 outlets',
  },
  {
    slug: 'flasharray-x20',
    manufacturer: 'pure-storage',
    model: 'FlashArray//X20',
    uHeight: 3,
    description: 'All-flash array',
  },
];
