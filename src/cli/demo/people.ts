import type { Estate, Made } from './estate.js';
import type { Site } from './places.js';

const DEPARTMENTS = {
  network: 'Network engineering',
  platform: 'Platform engineering',
  operations: 'Operations centre',
  security: 'Security',
  procurement: 'Procurement',
  business: 'Logistics',
} as const;

export type Team = keyof typeof DEPARTMENTS;

/** Name, job title, team, site (0 Amsterdam, 1 London), and the status if it is not `active`. */
const PEOPLE: readonly [string, string, Team, 0 | 1, string?][] = [
  ['Annelies de Vries', 'Head of infrastructure', 'platform', 0],
  ['Bram Jansen', 'Principal network engineer', 'network', 0],
  ['Chloe Bennett', 'Network engineer', 'network', 1],
  ['Daan Visser', 'Network engineer', 'network', 0],
  ['Emeka Okafor', 'Network engineer', 'network', 1],
  ['Femke Bakker', 'Network automation engineer', 'network', 0],
  ['Gareth Lloyd', 'Wireless engineer', 'network', 1],
  ['Hanna Kowalska', 'Platform engineer', 'platform', 0],
  ['Imran Sheikh', 'Platform engineer', 'platform', 1],
  ['Jasper Smit', 'Virtualisation engineer', 'platform', 0],
  ['Katie Morgan', 'Storage engineer', 'platform', 1],
  ['Lars Mulder', 'Database administrator', 'platform', 0],
  ['Mei Tanaka', 'Site reliability engineer', 'platform', 1],
  ['Niels Peters', 'Site reliability engineer', 'platform', 0, 'on_leave'],
  ['Olivia Hughes', 'Operations manager', 'operations', 1],
  ['Pieter Meijer', 'Duty engineer', 'operations', 0],
  ['Quentin Moreau', 'Duty engineer', 'operations', 0],
  ['Rachel Adeyemi', 'Duty engineer', 'operations', 1],
  ['Sander de Boer', 'Data centre technician', 'operations', 0],
  ['Tom Whitfield', 'Data centre technician', 'operations', 1],
  ['Ursula Brandt', 'Service desk lead', 'operations', 0],
  ['Victor Lindqvist', 'Security architect', 'security', 0],
  ['Wendy Clarke', 'Security engineer', 'security', 1],
  ['Xander Hendriks', 'Security engineer', 'security', 0],
  ['Yasmin Karimi', 'Security analyst', 'security', 1],
  ['Zoe Papadakis', 'Head of procurement', 'procurement', 0],
  ['Adam Fletcher', 'Buyer', 'procurement', 1],
  ['Beatriz Costa', 'Asset manager', 'procurement', 0],
  ['Casper Vos', 'Licence manager', 'procurement', 0],
  ['Diana Petrova', 'Planner', 'business', 0],
  ['Ethan Brooks', 'Planner', 'business', 1],
  ['Fleur Dekker', 'Customs specialist', 'business', 0],
  ['George Mensah', 'Fleet analyst', 'business', 1],
  ['Helena Novak', 'Data analyst', 'business', 0],
  ['Isaac Turner', 'Data analyst', 'business', 1, 'on_leave'],
  ['Johanna Berg', 'Warehouse systems lead', 'business', 0],
  ['Kwame Boateng', 'Account manager', 'business', 1],
  ['Lotte Willems', 'Account manager', 'business', 0],
  ['Marcus Reid', 'Data centre technician', 'operations', 1, 'inactive'],
  ['Noor Hassan', 'Project manager', 'business', 0],
];

const TENANT_GROUPS = [
  { name: 'Freight customers', slug: 'freight-customers', description: 'Track-and-trace and the booking portal' },
  { name: 'Warehouses', slug: 'warehouses', description: 'Warehouse management and hand-held scanners' },
  { name: 'Partners', slug: 'partners', description: 'Carriers and customs, by EDI' },
  { name: 'Internal', slug: 'internal', description: 'Systems for internal use' },
];

export interface People {
  all: Made[];
  /** Active members of each team. */
  team: (team: Team) => string[];
  tenantGroups: string[];
}

export async function makePeople(estate: Estate, sites: readonly Site[]): Promise<People> {
  const tenantGroups: string[] = [];
  for (const group of TENANT_GROUPS) tenantGroups.push((await estate.make('tenant-groups', group)).id);
  const all: Made[] = [];
  for (const [index, [fullName, jobTitle, team, site, status = 'active']] of PEOPLE.entries()) {
    const person = await estate.make('people', {
      fullName,
      email: `${fullName.toLowerCase().replaceAll(' ', '.')}@example.com`,
      // Number ranges that are never assigned.
      phone: `${site === 0 ? '+31 20 555 01' : '+44 20 7946 09'}${String(index + 10)}`,
      jobTitle,
      department: DEPARTMENTS[team],
      employeeId: `E-${1001 + index}`,
      siteId: sites[site]!.id,
      status,
      startDate: estate.day(-estate.random.integer(60, 3000)),
      notes: status === 'on_leave' ? 'Parental leave' : null,
    });
    all.push(person);
  }
  const team = (name: Team): string[] =>
    all.filter(({ department, status }) => department === DEPARTMENTS[name] && status === 'active').map(({ id }) => id);
  return { all, team, tenantGroups };
}
