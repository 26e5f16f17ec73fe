import type { Estate, Made } from './estate.js';
import { GROUPS, type Group } from './hardware.js';
import type { People } from './people.js';
import type { Site } from './places.js';

const VENDORS = [
  {
    name: 'Northwind Networks',
    slug: 'northwind-networks',
    accountManager: 'Paula Stein',
    status: 'active',
    description: 'Reseller of network equipment',
  },
  {
    name: 'Harbour Systems',
    slug: 'harbour-systems',
    accountManager: 'Rory Campbell',
    status: 'active',
    description: 'Servers and storage',
  },
  {
    name: 'Polder Datacentres',
    slug: 'polder-datacentres',
    accountManager: 'Inge Maas',
    status: 'active',
    description: 'Colocation in Amsterdam',
  },
  {
    name: 'Docklands Colocation',
    slug: 'docklands-colocation',
    accountManager: 'Simon Hale',
    status: 'active',
    description: 'Colocation in London',
  },
  {
    name: 'North Sea Carrier',
    slug: 'north-sea-carrier',
    accountManager: 'Astrid Holm',
    status: 'active',
    description: 'Wavelengths and Internet transit',
  },
  {
    name: 'Lumen & Loam Software',
    slug: 'lumen-loam-software',
    accountManager: 'Priya Nair',
    status: 'active',
    description: 'Software reseller',
  },
  {
    name: 'Deskside Supply',
    slug: 'deskside-supply',
    accountManager: 'Olaf Brink',
    status: 'active',
    description: 'Laptops, telephones, accessories',
  },
  {
    name: 'Cheap Optics Direct',
    slug: 'cheap-optics-direct',
    accountManager: null,
    status: 'blocked',
    description: 'Blocked after a batch of optics with forged serial numbers',
  },
] as const;

const CATEGORIES = [
  'Network',
  'Firewalls',
  'Servers',
  'Storage',
  'Power',
  'Laptops',
  'Telephones',
  'Spare parts',
] as const;
type Category = (typeof CATEGORIES)[number];

const CATEGORY_OF: Record<string, Category> = {
  'perimeter-firewall': 'Firewalls',
  'internal-segmentation-firewall': 'Firewalls',
  'hypervisor-host': 'Servers',
  'kubernetes-node': 'Servers',
  'database-server': 'Servers',
  'dns-dhcp-server': 'Servers',
  'storage-array': 'Storage',
  'backup-appliance': 'Storage',
  ups: 'Power',
  'rack-pdu': 'Power',
};

/** Vendor, days since the order was placed, the number of deliveries, and months of warranty. */
const EQUIPMENT: Record<Group['order'], { vendor: string; placed: number; deliveries: number; warranty: number }> = {
  edge: { vendor: 'Northwind Networks', placed: 420, deliveries: 1, warranty: 12 },
  fabric: { vendor: 'Northwind Networks', placed: 410, deliveries: 2, warranty: 15 },
  servers: { vendor: 'Harbour Systems', placed: 380, deliveries: 2, warranty: 60 },
  facility: { vendor: 'Harbour Systems', placed: 400, deliveries: 1, warranty: 60 },
};

const LEAD_TIME = 35;

interface Equipment {
  id: string;
  serialNumber: string;
}

/** Vendors with contracts, and orders. Delivered assets are installed, handed out or in stock. */
export class Procurement {
  readonly vendors = new Map<string, string>();
  private readonly categories = new Map<string, string>();
  /** Units that were delivered to a site and are not installed yet, by type. */
  private readonly delivered = new Map<string, Equipment[]>();
  private orders = 0;
  private tags = 0;

  constructor(
    private readonly estate: Estate,
    private readonly sites: readonly Site[],
    private readonly people: People,
    /** Types of the catalogue and of the demo, by slug. */
    private readonly types: ReadonlyMap<string, Made>,
  ) {}

  async agree(): Promise<void> {
    const { estate } = this;
    for (const { slug, ...vendor } of VENDORS) {
      const contacts = {
        email: `sales@${slug}.example`,
        phone: '+44 20 7946 0800',
        website: `https://${slug}.example`,
      };
      this.vendors.set(vendor.name, (await estate.make('vendors', { slug, ...vendor, ...contacts })).id);
    }
    for (const name of CATEGORIES) this.categories.set(name, (await estate.make('asset-categories', { name })).id);
    for (const [name, vendor, target, responseTime, uptime] of SLAS) {
      await estate.make('slas', { name, vendorId: this.vendor(vendor), target, responseTime, uptime });
    }
    for (const { contract, renewal } of CONTRACTS) {
      const [name, vendor, type, start, end, cost, currency, status] = contract;
      const { id } = await estate.make('contracts', {
        name,
        contractNumber: `C-${estate.random.integer(2000, 9999)}`,
        vendorId: this.vendor(vendor),
        type,
        startDate: estate.day(start),
        endDate: estate.day(end),
        noticeDate: estate.day(end - 90),
        cost,
        currency,
        status,
      });
      const [amount, renewalStatus, notes = null] = renewal;
      await estate.make('renewals', {
        name: `Renewal of ${name[0]!.toLowerCase()}${name.slice(1)}`,
        vendorId: this.vendor(vendor),
        contractId: id,
        renewalDate: estate.day(end - 30),
        amount,
        status: renewalStatus,
        notes,
      });
    }
    for (const [name, product, seats, assignedSeats, expires, cost, status] of LICENCES) {
      await estate.make('software-licences', {
        name,
        product,
        licenceKey: Array.from({ length: 4 }, () => estate.random.code(5)).join('-'),
        seats,
        assignedSeats,
        vendorId: this.vendor('Lumen & Loam Software'),
        expiryDate: expires === null ? null : estate.day(expires),
        cost,
        status,
      });
    }
  }

  /** Orders of all racked equipment, placed a year ago and received in full. */
  async orderEquipment(): Promise<void> {
    for (const site of this.sites) {
      for (const [kind, { vendor, placed, deliveries, warranty }] of Object.entries(EQUIPMENT)) {
        const groups = GROUPS.filter((group) => group.order === kind && (group.site ?? site.code) === site.code);
        const order = await this.order({
          vendorId: this.vendor(vendor),
          orderDate: this.estate.day(-placed),
          expectedDate: this.estate.day(-placed + LEAD_TIME),
          currency: site.code === 'ams' ? 'EUR' : 'GBP',
          siteId: site.id,
          locationId: site.locations.get('Store'),
          notes: `${site.name}: first equipment, ${kind}`,
          items: groups.map(({ name, role, type, count, price }) => ({
            name: this.types.get(type)!.model,
            sku: this.types.get(type)!.partNumber ?? null,
            quantity: count,
            unitPrice: price,
            categoryId: this.categories.get(CATEGORY_OF[role] ?? 'Network'),
            manufacturerId: this.types.get(type)!.manufacturerId,
            warrantyMonths: warranty,
            notes: `For ${site.code}-${name}`,
          })),
        });
        const quantities = groups.map(({ count }) => count);
        const first = deliveries === 1 ? quantities : quantities.map((count) => Math.ceil(count / 2));
        const received = await this.receive(order, first, 'S');
        if (deliveries === 2) {
          const second = await this.receive(
            order,
            quantities.map((count, index) => count - first[index]!),
            'S',
          );
          received.forEach((assets, index) => assets.push(...second[index]!));
        }
        // The service has recorded today as the date of receipt.
        await this.estate.change(`purchase-orders/${order.id}`, { receivedDate: this.estate.day(-placed + LEAD_TIME) });
        received.forEach((assets, index) => {
          const key = `${site.code} ${groups[index]!.type}`;
          this.delivered.set(key, [...(this.delivered.get(key) ?? []), ...assets]);
        });
      }
    }
  }

  /** Takes one delivered unit of a type at a site and puts it into use at a location. */
  async install(site: Site, { type, order }: Pick<Group, 'type' | 'order'>, locationId: string): Promise<Equipment> {
    const asset = this.delivered.get(`${site.code} ${type}`)!.shift()!;
    const { placed, warranty } = EQUIPMENT[order];
    await this.estate.change(`assets/${asset.id}`, {
      status: 'in_use',
      condition: 'good',
      locationId,
      warrantyUntil: this.estate.day(-placed + LEAD_TIME + warranty * 30),
    });
    return asset;
  }

  /** Orders in every state: laptops that were handed out, spares and an expansion in transit, plans and mistakes. */
  async orderOthers(): Promise<void> {
    const { estate, people } = this;
    const [amsterdam, london] = this.sites as [Site, Site];
    const buyers = people.team('procurement');
    const line = (
      name: string,
      category: Category,
      quantity: number,
      unitPrice: string,
      warrantyMonths = 24,
    ): object => ({
      name,
      quantity,
      unitPrice,
      warrantyMonths,
      categoryId: this.categories.get(category),
    });
    const order = (site: Site, vendor: string, placed: number, notes: string, items: object[], status = 'ordered') =>
      this.order({
        vendorId: this.vendor(vendor),
        status,
        orderDate: status === 'draft' ? null : estate.day(placed),
        expectedDate: status === 'draft' ? null : estate.day(placed + 28),
        currency: site === amsterdam ? 'EUR' : 'GBP',
        supplierReference: status === 'draft' ? null : `SO-${estate.random.integer(10_000, 99_999)}`,
        requestedById: estate.random.pick(buyers),
        siteId: site.id,
        locationId: site.locations.get('Store'),
        notes,
        items,
      });

    const laptops = await order(amsterdam, 'Deskside Supply', -200, 'Laptops and telephones of this year', [
      line('ThinkPad X1 Carbon', 'Laptops', 44, '1689.00', 36),
      line('IP telephone', 'Telephones', 30, '129.00'),
    ]);
    const [carried, telephones] = await this.receive(laptops, [44, 30], 'L');
    await estate.change(`purchase-orders/${laptops.id}`, { receivedDate: estate.day(-184) });
    await this.handOut(carried!, telephones!);
    // In use although its warranty has ended.
    await estate.make('assets', {
      name: 'Label printer',
      assetTag: this.tag(),
      serialNumber: `LP${estate.random.code(7)}`,
      status: 'in_use',
      categoryId: this.categories.get('Spare parts'),
      siteId: london.id,
      purchasedAt: estate.day(-750),
      warrantyUntil: estate.day(-20),
      purchasePrice: '389.00',
    });

    // Partly received: the rest is in transit.
    const optics = await order(amsterdam, 'Northwind Networks', -21, 'Spare optics, both kinds', [
      line('SFP28 25G SR transceiver', 'Spare parts', 40, '64.00', 12),
      line('QSFP28 100G LR4 transceiver', 'Spare parts', 12, '410.00', 12),
    ]);
    await this.receive(optics, [24, 0], 'OP');
    const expansion = await order(london, 'Harbour Systems', -30, 'Four more hypervisor hosts for rack C3', [
      line('ProLiant DL380 Gen10', 'Servers', 4, '10980.00', 60),
      line('25 GbE adapter, two ports', 'Spare parts', 8, '389.00'),
    ]);
    await this.receive(expansion, [1, 8], 'EX');

    // Delivered in two parts. The second was for another customer, and has gone back.
    const docks = await order(london, 'Deskside Supply', -14, 'Docking stations of the hot desks', [
      line('Thunderbolt 4 dock', 'Laptops', 16, '219.00'),
    ]);
    await this.receive(docks, [10], 'DK');
    await this.receive(docks, [6], 'DK');
    await this.reverseLast(docks);
    await estate.change(`purchase-orders/${docks.id}`, {
      notes: 'Docking stations of the hot desks; the second delivery was for another customer and has gone back',
    });

    // Closed: the missing unit will not be delivered.
    const batteries = await order(london, 'Harbour Systems', -120, 'Replacement batteries of the UPS', [
      line('RBC43 battery cartridge', 'Power', 8, '345.00', 12),
    ]);
    await this.receive(batteries, [7], 'BT');
    await estate.change(`purchase-orders/${batteries.id}`, {
      status: 'closed',
      notes: 'The eighth cartridge is no longer made; credited with invoice 88213',
    });

    await order(amsterdam, 'Northwind Networks', -6, 'Access points of the second floor', [
      line('Catalyst 9136I access point', 'Network', 14, '1180.00', 60),
    ]);
    await order(london, 'Northwind Networks', -3, 'Replacement of the distribution switches', [
      line('Catalyst 9500-40X', 'Network', 2, '14200.00', 60),
    ]);
    await order(amsterdam, 'Harbour Systems', -45, 'Tapes: overdue, reminded twice', [
      line('LTO-9 cartridge, pack of 20', 'Storage', 6, '1560.00'),
    ]);
    await order(
      amsterdam,
      'Deskside Supply',
      0,
      'Laptops of next year',
      [line('ThinkPad X1 Carbon', 'Laptops', 20, '1715.00', 36)],
      'draft',
    );
    await order(
      london,
      'Harbour Systems',
      0,
      'Second flash array, if the budget allows',
      [line('FlashArray//X20', 'Storage', 1, '88000.00', 60)],
      'draft',
    );
    const forged = await order(amsterdam, 'Cheap Optics Direct', -90, 'Cheap optics', [
      line('SFP28 25G SR transceiver', 'Spare parts', 100, '19.00'),
    ]);
    await estate.change(`purchase-orders/${forged.id}`, {
      status: 'cancelled',
      notes: 'The samples had forged serial numbers',
    });
  }

  /** A projector that people of Amsterdam share. */
  async lend(): Promise<void> {
    const { estate, people } = this;
    const [amsterdam] = this.sites as [Site];
    const { id: assetId } = await estate.make('assets', {
      name: 'Projector',
      assetTag: this.tag(),
      serialNumber: `PJ${estate.random.code(7)}`,
      siteId: amsterdam.id,
      locationId: amsterdam.locations.get('Store'),
      purchasedAt: estate.day(-400),
      purchasePrice: '749.00',
    });
    const [first, second] = people.team('procurement');
    for (const [personId, day, purpose] of [
      [first, 2, 'Talk for customers'],
      [second ?? first, 9, 'Training of the service desk'],
    ] as const) {
      await estate.make('bookings', {
        ...{ assetId, personId, purpose },
        startTime: estate.at(day, '08:00'),
        endTime: estate.at(day, '16:00'),
      });
    }
  }

  /** Stocktakes of the store rooms: a closed one in Amsterdam, and an open one in London. */
  async countStores(): Promise<void> {
    const { estate } = this;
    for (const { code, name, locations } of this.sites) {
      const locationId = locations.get('Store');
      const { id } = await estate.make('stocktakes', { name: `Store room, ${name}`, locationId });
      const stored = (await estate.all(`assets?locationId=${locationId}&status=in_stock&sort=assetTag`)).map(
        ({ assetTag }) => assetTag as string,
      );
      const isClosed = code === 'ams';
      const seen = isClosed ? stored.slice(1) : stored.slice(0, Math.ceil(stored.length / 2));
      // The last one is of another owner.
      await estate.make(`stocktakes/${id}/scans`, { codes: [...seen, 'DC-00318'] });
      if (isClosed) await estate.make(`stocktakes/${id}/close`, {});
    }
  }

  /** Every active person gets a laptop. Some return an older one, and the other laptops get other statuses. */
  private async handOut(laptops: Equipment[], telephones: Equipment[]): Promise<void> {
    const { estate } = this;
    const atWork = this.people.all.filter(({ status }) => status !== 'inactive');
    for (const [index, person] of atWork.entries()) {
      await this.assign(laptops[index]!, person.id);
      if (index % 2 === 0) await this.assign(telephones[index / 2]!, person.id);
    }
    const [broken, lost, ...rest] = laptops.slice(atWork.length);
    await estate.change(`assets/${broken!.id}`, { status: 'in_repair', condition: 'damaged', notes: 'Coffee' });
    await estate.change(`assets/${lost!.id}`, { status: 'lost', notes: 'Left on a train; wiped remotely' });
    await estate.change(`assets/${rest[0]!.id}`, { status: 'reserved', notes: 'For the new network engineer' });
    for (const [index, person] of atWork.slice(0, 6).entries()) {
      const old = await estate.make('assets', {
        name: 'ThinkPad T480',
        assetTag: this.tag(),
        serialNumber: `L${estate.random.code(7)}`,
        categoryId: this.categories.get('Laptops'),
        siteId: person.siteId,
        purchasedAt: estate.day(-1900),
        purchasePrice: '1249.00',
      });
      await estate.make(`assets/${old.id}/assign`, { personId: person.id });
      await estate.make(`assets/${old.id}/return`, {});
      await estate.change(`assets/${old.id}`, {
        status: index < 4 ? 'retired' : 'disposed',
        condition: index < 4 ? 'fair' : 'poor',
      });
    }
  }

  private async assign(asset: Equipment, personId: string): Promise<void> {
    await this.estate.make(`assets/${asset.id}/assign`, { personId });
    await this.estate.change(`assets/${asset.id}`, { condition: 'new' });
  }

  private vendor(name: string): string {
    return this.vendors.get(name)!;
  }

  private tag(): string {
    return `AT-${String(++this.tags).padStart(5, '0')}`;
  }

  private order(body: object): Promise<Made> {
    return this.estate.make('purchase-orders', { orderNumber: `PO-${1000 + ++this.orders}`, ...body });
  }

  /** Receives these quantities of the lines. Returns the assets line by line. */
  private async receive(order: Made, quantities: readonly number[], series: string): Promise<Equipment[][]> {
    const lines = order.items as { id: string }[];
    const serials = quantities.map((quantity) =>
      Array.from({ length: quantity }, () => `${series}${this.estate.random.code(8)}`),
    );
    const items = lines.flatMap(({ id }, index) =>
      quantities[index] === 0
        ? []
        : [
            {
              itemId: id,
              quantity: quantities[index],
              assets: serials[index]!.map((serialNumber) => ({ serialNumber, assetTag: this.tag() })),
            },
          ],
    );
    const receipt = await this.estate.make(`purchase-orders/${order.id}/receive`, { items });
    const ids = (receipt.assetIds as string[]).values();
    return serials.map((line) => line.map((serialNumber) => ({ id: ids.next().value!, serialNumber })));
  }

  private async reverseLast(order: Made): Promise<void> {
    const receipts = await this.estate.all(`purchase-orders/${order.id}/receipts`);
    await this.estate.make(`purchase-orders/${order.id}/receipts/${receipts.at(-1)!.id}/reverse`, {});
  }
}

/** Name, vendor, target, response time, uptime. */
const SLAS: readonly [string, string, string, string | null, string | null][] = [
  [
    'Network hardware, gold',
    'Northwind Networks',
    'Replacement on site within four hours, day and night',
    '15 minutes',
    null,
  ],
  ['Network hardware, silver', 'Northwind Networks', 'Replacement on the next business day', '4 hours', null],
  ['Server hardware', 'Harbour Systems', 'Technician on site within six hours', '1 hour', null],
  [
    'Power and cooling, Amsterdam',
    'Polder Datacentres',
    'Two feeds, 18 to 27 °C at the inlet',
    '30 minutes',
    '99.999 %',
  ],
  ['Power and cooling, London', 'Docklands Colocation', 'Two feeds, 18 to 27 °C at the inlet', '30 minutes', '99.99 %'],
  ['Internet transit', 'North Sea Carrier', 'Packet loss below 0.1 % within Europe', '30 minutes', '99.95 %'],
];

/** Name, vendor, type, first and last day from today, cost, currency and status; for the renewal amount, status and notes. */
const CONTRACTS: readonly {
  contract: [string, string, string, number, number, string, string, string];
  renewal: [string, string, string?];
}[] = [
  {
    contract: ['Support of the core network', 'Northwind Networks', 'support', -320, 45, '48000.00', 'EUR', 'active'],
    renewal: ['49900.00', 'in_progress', 'Quote asked for three years'],
  },
  {
    contract: ['Server maintenance', 'Harbour Systems', 'support', -300, 795, '61000.00', 'EUR', 'active'],
    renewal: ['63000.00', 'upcoming'],
  },
  {
    contract: [
      'Cage and power, Amsterdam',
      'Polder Datacentres',
      'colocation',
      -1000,
      460,
      '186000.00',
      'EUR',
      'active',
    ],
    renewal: ['191500.00', 'upcoming'],
  },
  {
    contract: ['Cage and power, London', 'Docklands Colocation', 'colocation', -800, 295, '142000.00', 'GBP', 'active'],
    renewal: ['149000.00', 'upcoming'],
  },
  {
    contract: [
      'Wavelength between the sites',
      'North Sea Carrier',
      'connectivity',
      -730,
      365,
      '39600.00',
      'EUR',
      'active',
    ],
    renewal: ['37200.00', 'upcoming', 'Prices have fallen: ask again'],
  },
  {
    contract: ['Remote hands, London', 'Docklands Colocation', 'support', -375, -10, '4800.00', 'GBP', 'active'],
    renewal: ['5100.00', 'upcoming', 'The new terms wait for a signature'],
  },
  {
    contract: ['Internet transit', 'North Sea Carrier', 'connectivity', -400, -35, '24000.00', 'EUR', 'active'],
    renewal: ['22800.00', 'renewed'],
  },
  {
    contract: ['Monitoring software', 'Lumen & Loam Software', 'subscription', -420, -55, '9800.00', 'EUR', 'expired'],
    renewal: ['11200.00', 'lapsed', 'Replaced by a free one'],
  },
  {
    contract: ['Fax gateway', 'Deskside Supply', 'subscription', -900, -170, '1200.00', 'EUR', 'terminated'],
    renewal: ['1200.00', 'cancelled'],
  },
];

/** Name, product, seats, used seats, days until expiry, cost, status. */
const LICENCES: readonly [string, string, number | null, number | null, number | null, string, string][] = [
  ['Virtualisation, 24 hosts', 'vSphere Enterprise Plus', 48, 48, 240, '118000.00', 'active'],
  ['Backup of virtual machines', 'Backup Suite', 300, 240, 190, '21600.00', 'active'],
  ['Enterprise Linux, database servers', 'Enterprise Linux Server', 12, 12, 75, '14400.00', 'active'],
  ['Firewall subscriptions, both sites', 'Threat prevention', 4, 4, 28, '31800.00', 'active'],
  ['Network automation', 'Orchestrator', 250, 120, 400, '18500.00', 'active'],
  ['Office suite', 'Office E3', 60, 40, 120, '17280.00', 'active'],
  ['Diagram editor', 'Diagrams Pro', 10, 9, null, '1490.00', 'active'],
  // More seats are in use than were bought.
  ['Vector drawing', 'DrawWell', 8, 11, 200, '960.00', 'active'],
  // Expired, and nobody has decided about a renewal.
  ['Remote support', 'AssistDesk', 20, 15, -12, '3600.00', 'active'],
  ['Monitoring, 500 nodes', 'NetWatch Enterprise', 500, 320, -55, '9800.00', 'expired'],
  ['Log analysis', 'LogSpire', 50, 0, 60, '24000.00', 'suspended'],
  ['Terminal emulator', 'TermPlus', 25, 0, -400, '1975.00', 'retired'],
];
