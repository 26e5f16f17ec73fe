import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Sessions } from '../../auth/session/sessions.js';
import type { Database } from '../../database/database.js';
import { Addresses } from './addresses.js';
import { makeAssetDesk } from './asset-desk.js';
import { makeCables } from './cabling.js';
import { makeClusters, makeVirtualMachines } from './compute.js';
import { makeCoverage } from './coverage.js';
import { makeDevices, type Catalogue } from './devices.js';
import { Estate } from './estate.js';
import { collections, makeExamples, pathOf } from './examples.js';
import { OWN_TYPES } from './hardware.js';
import { makeOperations } from './operations.js';
import { makePeople } from './people.js';
import { makePlaces } from './places.js';
import { makePlans } from './plans.js';
import { Procurement } from './procurement.js';
import { Random } from './random.js';
import { makeWorkflow } from './workflow.js';
import { makeCircuits, makePanels, makePower } from './supplies.js';
import { sql } from '../../database/sql.js';

const SEED = 1;

/** Number of records by collection, as a path under `/api`. */
export type Counts = Record<string, number>;

/**
 * Fills a database that has a catalogue and an administrator, but no estate, by requests to the service. On one day the estate is
 * always the same, except for ids and for dates that the service sets.
 * @returns the number of records by collection
 * @throws Error with a sentence for the operator
 */
export async function fillDemo(app: NestFastifyApplication, db: Database, today = new Date()): Promise<Counts> {
  const [administrator] = await db.query<{ id: string }>(
    sql`SELECT id FROM profiles WHERE role = 'admin' AND is_active ORDER BY created_at LIMIT 1`,
  );
  const session = administrator && (await app.get(Sessions).open(db, administrator.id, { userAgent: 'npm run demo' }));
  if (!session) throw new Error('There is no active administrator to create the records');
  const estate = new Estate(app, session, new Random(SEED), today);
  try {
    await assertEmpty(estate);
    await fill(estate);
    return await count(estate);
  } finally {
    await estate.leave();
  }
}

async function fill(estate: Estate): Promise<void> {
  const catalogue = await completeCatalogue(estate);
  const sites = await makePlaces(estate);
  const people = await makePeople(estate, sites);
  const procurement = new Procurement(estate, sites, people, catalogue.types);
  await procurement.agree();
  await procurement.orderEquipment();
  await procurement.orderOthers();
  const clusters = await makeClusters(estate, sites);
  const devices = await makeDevices(estate, sites, catalogue, procurement, clusters, people);
  const machines = await makeVirtualMachines(estate, clusters, catalogue.platforms);
  await new Addresses(estate).make(sites, devices, machines);
  await makeCables(estate, sites, devices);
  await makePanels(estate, sites, devices, catalogue);
  await makePower(estate, devices, catalogue);
  await makeCircuits(estate, sites, devices, procurement.vendors);
  await makeCoverage(estate, sites, devices);
  await makeOperations(estate, people, { sites, devices, machines });
  await procurement.lend();
  await makeAssetDesk(estate, sites, people);
  await procurement.countStores();
  await makeExamples(estate);
  await makeWorkflow(estate);
  await makePlans(estate, sites, devices);
}

/** The catalogue by slug, with the types that the demo adds to it. */
async function completeCatalogue(estate: Estate): Promise<Catalogue> {
  const bySlug = async (path: string): Promise<Map<string, string>> =>
    new Map((await estate.all(path)).map(({ slug, id }) => [slug as string, id]));
  const manufacturers = await bySlug('manufacturers');
  for (const { manufacturer, ...type } of OWN_TYPES) {
    await estate.make('device-types', { ...type, manufacturerId: manufacturers.get(manufacturer) });
  }
  return {
    types: new Map((await estate.all('device-types')).map((type) => [type.slug as string, type])),
    roles: await bySlug('device-roles'),
    platforms: await bySlug('platforms'),
  };
}

async function count(estate: Estate): Promise<Counts> {
  const counts: Counts = {};
  for (const resource of collections()) counts[pathOf(resource)] = await estate.total(pathOf(resource));
  return counts;
}

async function assertEmpty(estate: Estate): Promise<void> {
  const found = Object.entries(await count(estate)).filter(([, total]) => total > 0);
  if (found.length === 0) return;
  const some = found.slice(0, 3).map(([path, total]) => `${total} in /api/${path}`);
  throw new Error(
    `The database already has an estate (${some.join(', ')}${found.length > 3 ? ', …' : ''}), and the demo would mix with it. ` +
      'If it is the demo, look at it: DATA_DIR=./demo-data npm start. For another one: DATA_DIR=./another-demo npm run demo',
  );
}
