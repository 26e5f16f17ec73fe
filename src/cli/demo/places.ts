import type { Estate, Made } from './estate.js';

/** Code of each site in names, and its numbers in addresses and racks. */
const SITES = [
  {
    code: 'ams',
    octet: 10,
    region: 'Netherlands',
    site: {
      name: 'Amsterdam DC1',
      facility: 'AM3',
      physicalAddress: 'Science Park 610, 1098 XH Amsterdam',
      timeZone: 'Europe/Amsterdam',
      latitude: 52.3563,
      longitude: 4.9515,
      description: 'Primary site: customer platforms, head office network and the first route to the Internet',
    },
  },
  {
    code: 'lon',
    octet: 20,
    region: 'United Kingdom',
    site: {
      name: 'London DC2',
      facility: 'LD8',
      physicalAddress: '6-9 Harbour Exchange Square, London E14 9GE',
      timeZone: 'Europe/London',
      latitude: 51.4991,
      longitude: -0.0152,
      description: 'Secondary site: disaster recovery, the London office and the second route to the Internet',
    },
  },
] as const;

const LOCATIONS: { name: string; within?: string; description: string; racks?: readonly string[]; units?: number }[] = [
  { name: 'Data hall 1', description: 'Own cage, 2 x 60 kW, cold aisle containment' },
  { name: 'Row A', within: 'Data hall 1', description: 'Production compute', racks: ['A1', 'A2', 'A3', 'A4'] },
  { name: 'Row B', within: 'Data hall 1', description: 'Production compute', racks: ['B1', 'B2', 'B3', 'B4'] },
  { name: 'Data hall 2', description: 'Expansion hall, half of it leased' },
  { name: 'Row C', within: 'Data hall 2', description: 'Databases and backup', racks: ['C1', 'C2', 'C3'] },
  { name: 'Meet-me room', description: 'Carriers, Internet edge and firewalls', racks: ['M1'] },
  { name: 'Office, first floor', description: 'Workplaces and their wiring closet', racks: ['F1'], units: 24 },
  { name: 'Store', description: 'Spares and equipment waiting to be racked' },
];

export interface Rack {
  id: string;
  name: string;
  locationId: string;
  units: number;
}

export interface Site {
  id: string;
  code: string;
  name: string;
  /** Second byte of the site's IPv4 addresses. */
  octet: number;
  racks: Map<string, Rack>;
  locations: Map<string, string>;
}

/** Two sites in their regions, with their locations and racks. The last rack of row C is planned and stays empty. */
export async function makePlaces(estate: Estate): Promise<Site[]> {
  const sites: Site[] = [];
  const { id: parentId } = await estate.make('regions', { name: 'Europe', slug: 'europe' });
  for (const { code, octet, region, site } of SITES) {
    const slug = region.toLowerCase().replaceAll(' ', '-');
    const { id: regionId } = await estate.make('regions', { name: region, slug, parentId });
    const { id } = await estate.make('sites', { ...site, regionId });
    const locations = new Map<string, string>();
    const racks = new Map<string, Rack>();
    for (const { name, within, description, racks: names = [], units = 42 } of LOCATIONS) {
      const location: Made = await estate.make('locations', {
        name,
        slug: `${code}-${name.toLowerCase().replaceAll(/\W+/g, '-')}`,
        siteId: id,
        parentId: within === undefined ? null : locations.get(within),
        description,
      });
      locations.set(name, location.id);
      for (const rackName of names) {
        const rack = await estate.make('racks', {
          name: `${code.toUpperCase()}-${rackName}`,
          siteId: id,
          locationId: location.id,
          units,
          status: rackName === 'C3' ? 'planned' : 'active',
        });
        racks.set(rackName, { id: rack.id, name: rackName, locationId: location.id, units });
      }
    }
    sites.push({ id, code, name: site.name, octet, locations, racks });
  }
  return sites;
}
