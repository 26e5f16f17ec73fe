import { fabricLinks, portOf } from './cabling.js';
import type { Machine } from './compute.js';
import type { Device, Port } from './devices.js';
import type { Estate } from './estate.js';
import type { Site } from './places.js';

/** Total number of addresses. Those that devices and machines do not use belong to workplaces. */
const TOTAL = 2000;

const VRFS = {
  management: {
    routeDistinguisher: '65010:10',
    enforceUnique: true,
    description: 'Management ports, reachable from jump hosts only',
  },
  fabric: {
    routeDistinguisher: '65010:20',
    enforceUnique: true,
    description: 'Underlay: loopbacks and the links between switches',
  },
  production: { routeDistinguisher: '65010:100', description: 'Servers and virtual machines' },
  storage: { routeDistinguisher: '65010:110', description: 'Storage and backup, jumbo frames' },
  office: { routeDistinguisher: '65010:200', description: 'Workplaces, telephones, printers' },
  internet: { routeDistinguisher: '65010:900', description: 'Links to carriers' },
} as const;

/** Networks of a site that have a gateway: third byte of their IPv4 addresses, VRF, prefix length, VLAN id. */
const NETWORKS = {
  servers: { byte: 10, vrf: 'production', length: 24, vid: 110 },
  storage: { byte: 20, vrf: 'storage', length: 24, vid: 120 },
  machines: { byte: 30, vrf: 'production', length: 24, vid: 130 },
  services: { byte: 40, vrf: 'production', length: 24, vid: 140 },
  office: { byte: 64, vrf: 'office', length: 22, vid: 164 },
} as const;
type Network = keyof typeof NETWORKS;

/** The carriers use address ranges that are reserved for documentation. */
const CARRIER = { ams: '198.51.100', lon: '203.0.113' } as Record<string, string>;

const SERVICES = ['booking', 'tracking', 'edi', 'warehouse', 'mail', 'git', 'wiki', 'logs', 'metrics', 'vault'];

interface Details {
  status?: string;
  role?: string;
  dnsName?: string;
  description?: string;
}

export class Addresses {
  private readonly vrfs = new Map<string, string>();
  private readonly planned: object[] = [];
  /** Indexes of the machines' addresses within the planned ones. */
  private readonly ofMachines: [place: number, machine: Machine][] = [];

  constructor(private readonly estate: Estate) {}

  async make(sites: readonly Site[], devices: readonly Device[], machines: readonly Machine[]): Promise<void> {
    for (const [name, vrf] of Object.entries(VRFS)) {
      this.vrfs.set(name, (await this.estate.make('vrfs', { name, ...vrf })).id);
    }
    for (const site of sites) {
      await this.plan(site);
      const own = devices.filter((device) => device.site === site);
      this.gateways(site);
      this.management(site, own);
      this.fabric(site, own);
      this.carriers(site, own);
      this.servers(site, own);
      this.machines(
        site,
        machines.filter((machine) => machine.site === site),
      );
      this.services(site);
    }
    for (const [index, site] of sites.entries()) {
      this.workPlaces(site, Math.ceil((TOTAL - this.planned.length) / (sites.length - index)));
    }
    const ids = await this.estate.makeAll('ip-addresses', this.planned);
    await this.bindMachines(machines, ids);
  }

  /** The VLANs of a site and the prefixes of its VRFs. Each prefix with a gateway has a VLAN. */
  private async plan({ id: siteId, code, octet }: Site): Promise<void> {
    const group = await this.estate.make('vlan-groups', { name: `${code}-lan`, siteId, minVid: 100, maxVid: 199 });
    const prefix = (vrf: keyof typeof VRFS, network: string, details: object): Promise<unknown> =>
      this.estate.make('prefixes', { prefix: network, vrfId: this.vrfs.get(vrf), siteId, ...details });
    for (const vrf of ['management', 'fabric', 'production', 'storage', 'office'] as const) {
      await prefix(vrf, `10.${octet}.0.0/16`, { status: 'container', description: `All of ${code}` });
    }
    await prefix('production', `2001:db8:${octet}::/48`, { status: 'container', description: `All of ${code}` });
    await prefix('management', `10.${octet}.0.0/24`, { role: 'management' });
    await prefix('fabric', `10.${octet}.254.0/24`, { role: 'transit', isPool: true });
    await prefix('fabric', `10.${octet}.255.0/24`, { role: 'loopback', isPool: true });
    await prefix('internet', `${CARRIER[code]}.0/24`, { role: 'transit' });
    for (const [name, { byte, vrf, length, vid }] of Object.entries(NETWORKS)) {
      const vlan = await this.estate.make('vlans', { vid, name, vlanGroupId: group.id, siteId });
      const description = `Network ${name}`;
      await prefix(vrf, `10.${octet}.${byte}.0/${length}`, { vlanId: vlan.id, description });
      if (vrf === 'production') {
        await prefix(vrf, `2001:db8:${octet}:${byte}::/64`, { vlanId: vlan.id, description });
      }
    }
  }

  private gateways(site: Site): void {
    for (const network of Object.keys(NETWORKS) as Network[]) {
      this.in(network, site, 1, { role: 'anycast', description: `Gateway of the network ${network}` });
    }
  }

  private management({ octet }: Site, devices: readonly Device[]): void {
    // A patch panel has no address.
    const managed = devices.filter(({ ports }) => ports.length > 0);
    for (const [index, device] of managed.entries()) {
      this.add('management', `10.${octet}.0.${index + 11}/24`, portOf(device, 'mgmt'), {
        role: 'mgmt',
        dnsName: `${device.name}.mgmt.example.com`,
      });
    }
  }

  /** Loopbacks of all devices that route, and the links of every leaf to both spines. */
  private fabric({ octet }: Site, devices: readonly Device[]): void {
    const routers = devices.filter(({ ports }) => ports.some(({ use }) => use === 'loopback'));
    for (const [index, router] of routers.entries()) {
      const port = portOf(router, 'loopback');
      const details = { role: 'loopback', dnsName: `${router.name}.example.com` };
      this.add('fabric', `10.${octet}.255.${index + 1}/32`, port, details);
      this.add('fabric', `2001:db8:${octet}:ff::${(index + 1).toString(16)}/128`, port, details);
    }
    for (const [link, ends] of fabricLinks(devices).entries()) {
      const description = ends.map(({ device, port: { name } }) => `${device.name} ${name}`).join(' to ');
      for (const [end, { port }] of ends.entries()) {
        this.add('fabric', `10.${octet}.254.${2 * link + end}/31`, port, { description });
      }
    }
  }

  /** The Internet at the edge routers, and the other site behind the interconnect. */
  private carriers({ code, octet }: Site, devices: readonly Device[]): void {
    const routers = devices.filter(({ ports }) => ports.some(({ use }) => use === 'peer'));
    for (const [index, router] of routers.entries()) {
      const carrier = router.group.name === 'edge-rtr' ? 'North Sea Carrier, transit' : 'North Sea Carrier, wavelength';
      const details = { role: 'peering', description: carrier };
      this.add('internet', `${CARRIER[code]}.${index * 4 + 2}/30`, portOf(router, 'peer'), details);
      this.add('internet', `2001:db8:${octet}:${index + 1}::2/64`, portOf(router, 'peer'), details);
    }
  }

  private servers(site: Site, devices: readonly Device[]): void {
    const servers = devices.filter(({ ports }) => ports.some(({ use }) => use === 'data'));
    for (const [index, server] of servers.entries()) {
      const details = { dnsName: `${server.name}.example.com` };
      this.in('servers', site, index + 11, details, portOf(server, 'data'));
      this.in('servers', site, index + 11, details, portOf(server, 'data'), 6);
      this.in('storage', site, index + 11, {}, portOf(server, 'storage'));
    }
  }

  /** Gives each machine an interface, and its addresses to it. */
  private async bindMachines(machines: readonly Machine[], addresses: readonly string[]): Promise<void> {
    const interfaces = await this.estate.makeAll(
      'virtual-machine-interfaces',
      machines.map(({ id }) => ({ virtualMachineId: id, name: 'eth0', mtu: 1500 })),
    );
    const interfaceOf = new Map(machines.map((machine, index) => [machine, interfaces[index]]));
    for (const [place, machine] of this.ofMachines) {
      await this.estate.make(`virtual-machines/${machine.id}/addresses`, {
        ipAddressId: addresses[place],
        interfaceId: interfaceOf.get(machine),
      });
    }
  }

  private machines(site: Site, machines: readonly Machine[]): void {
    for (const [index, machine] of machines.entries()) {
      const { name } = machine;
      const details = { dnsName: `${name}.example.com`, description: `Virtual machine ${name}` };
      this.ofMachines.push([this.planned.length, machine]);
      this.in('machines', site, index + 11, details);
      if (/-(?:web|mail|proxy|vpn|booking|tracking)-/.test(name)) {
        this.ofMachines.push([this.planned.length, machine]);
        this.in('machines', site, index + 11, details, undefined, 6);
      }
    }
  }

  private services(site: Site): void {
    for (const [index, service] of SERVICES.entries()) {
      const details = {
        role: 'vip',
        dnsName: `${service}.${site.code}.example.com`,
        description: `Service ${service}`,
      };
      this.in('services', site, index + 11, details);
      this.in('services', site, index + 11, details, undefined, 6);
    }
    this.in('services', site, 200, { status: 'deprecated', role: 'vip', description: 'Old booking portal' });
    this.in('services', site, 201, { status: 'reserved', description: 'Next booking portal' });
  }

  private workPlaces(site: Site, count: number): void {
    for (let index = 0; index < count; index++) {
      const number = String(index + 1).padStart(3, '0');
      // The first addresses belong to printers and other fixed devices.
      const details =
        index < 20
          ? { status: 'reserved', dnsName: `printer-${number}.${site.code}.office.example.com` }
          : { status: 'dhcp', dnsName: `desk-${number}.${site.code}.office.example.com` };
      this.in('office', site, index + 20, details);
    }
  }

  private in(network: Network, site: Site, number: number, details: Details, port?: Port, family = 4): void {
    const { byte, vrf, length } = NETWORKS[network];
    const address =
      family === 6
        ? `2001:db8:${site.octet}:${byte}::${number.toString(16)}/64`
        : `10.${site.octet}.${byte + Math.floor(number / 256)}.${number % 256}/${length}`;
    this.add(vrf, address, port, details);
  }

  private add(vrf: keyof typeof VRFS, address: string, port: Port | undefined, details: Details): void {
    this.planned.push({
      address,
      vrfId: this.vrfs.get(vrf),
      // The device follows from the port.
      ...(port && { interfaceId: port.id }),
      ...details,
    });
  }
}
