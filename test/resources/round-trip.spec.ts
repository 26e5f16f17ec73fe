import * as fc from 'fast-check';
import { snakeCase } from '../../src/database/naming.js';
import { fieldsOf, isStored, type Class } from '../../src/fields/field.js';
import { tableOf } from '../../src/lists/record-sql.js';
import { allowed, WITHIN_THE_RULES } from '../support/allowed.js';
import { startService, type Api, type TestService } from '../support/app.js';
import { document, pathLike, type Json } from '../support/document.js';
import { pathOf, resources } from '../support/resources.js';
import { itInFull } from '../support/size.js';
import { Maker } from './make.js';
import { rows } from './rows.js';
import { raw, sql } from '../../src/database/sql.js';

/*
 * What the service exports, it imports into an empty database as it was: random valid records of every resource, in both
 * formats. `PROPERTY_RUNS` and `PROPERTY_SEED` change their number and choice.
 */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 2);
const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_122);
const FORMATS = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

const named = resources.map((resource) => ({ ...resource, row: rows.find(({ path }) => path === pathOf(resource))! }));
type Named = (typeof named)[number];

/** What a record refers to, and whose part it is, come before it. */
function inOrder(): Named[] {
  const done: Named[] = [];
  const visit = (resource: Named): void => {
    if (done.includes(resource)) return;
    for (const record of targetsOf(resource)) {
      const target = named.find((candidate) => candidate.record === record);
      if (target && target !== resource) visit(target);
    }
    done.push(resource);
  };
  named.forEach(visit);
  return done;
}
const targetsOf = ({ record, owner }: Named): Class[] => [
  ...(owner ? [owner.record] : []),
  ...fieldsOf(record)
    .filter(isStored)
    .flatMap(({ references, refersBy }) => [
      ...(references ? [references()] : []),
      ...Object.values(refersBy?.records ?? {}).map((target) => target()),
    ]),
];

/** Paths of the collections of a resource that have records: one for each owner of parts. */
async function collectionsOf({ record, owner, path }: Named): Promise<string[]> {
  if (!owner) return [`/${path}`];
  const owners = await service.database.db.query<{ id: string }>(
    sql`SELECT DISTINCT ${raw(snakeCase(owner.field))} AS id FROM ${raw(tableOf(record))} ORDER BY 1`,
  );
  return owners.map(({ id }) => `/${path.replace(/:\w+/, id)}`);
}

/** Makes random records of every resource, which refer to others. */
async function fill(): Promise<void> {
  const maker = new Maker(admin, 'trip');
  for (const { row } of inOrder()) {
    const collection = await maker.collection(row);
    const values = { ...row.required, ...row.optional };
    const references = Object.fromEntries(Object.entries(values).filter(([, value]) => String(value).startsWith('→')));
    await admin.make(collection, await maker.values(row.required));
    const schema = document.paths[pathLike(row.path)].post.requestBody.content['application/json'].schema;
    for (const [index, body] of fc.sample(allowed(schema, {}), { numRuns: RUNS, seed: SEED }).entries()) {
      const ids = await maker.values(references);
      // Every reference is given in the first record, and some are in the others.
      const given = Object.entries(ids).filter(([name]) => index === 0 || name in (body as Json));
      const sent = (WITHIN_THE_RULES[row.path] ?? ((same: Json) => same))({
        ...(body as Json),
        ...Object.fromEntries(given),
      });
      const { status, text } = await admin.post(row.few ? await maker.collection(row) : collection, sent);
      // A unique value may be taken.
      expect([row.path, status, status === 400 && text]).toEqual([row.path, status === 409 ? 409 : 201, false]);
    }
  }
  // The parent is made after its child, and stands after it in an export.
  const child = await admin.make('/api/locations', { name: 'Child' });
  const parent = await admin.make('/api/locations', { name: 'Parent' });
  expect((await admin.patch(`/api/locations/${child.id}`, { parentId: parent.id })).status).toBe(200);
}

/** The resources without those that have the same records: of parts, either those of each owner or those of all owners. */
const onceEach = (isFlat: boolean): Named[] =>
  inOrder().flatMap((resource) => {
    if (resource.flat) return [];
    const ofAll = named.find(({ record, flat }) => flat && record === resource.record);
    return [(isFlat && ofAll) || resource];
  });

/** Collections, all by default, and what they answer. */
async function everything(format?: keyof typeof FORMATS, of: Named[] = inOrder()): Promise<Map<string, Json>> {
  const answers = new Map<string, Json>();
  for (const resource of of) {
    for (const path of await collectionsOf(resource)) {
      const { status, text, body } = await admin.get(`${path}?sort=id${format ? `&format=${format}` : ''}`);
      expect([path, status]).toEqual([path, 200]);
      answers.set(path, format ? text : body.data.map(comparable));
    }
  }
  return answers;
}

/** A record without what the service gives each one anew: times, and the ids of the items of an order. */
const comparable = ({ createdAt: _created, updatedAt: _updated, items, ...record }: Json): Json => ({
  ...record,
  ...(items && {
    items: items.map(({ id: _id, createdAt: _at, updatedAt: _changed, ...item }: Json) => item),
  }),
});

async function importAll(files: ReadonlyMap<string, Json>, format: keyof typeof FORMATS): Promise<Json[]> {
  const results: Json[] = [];
  for (const [path, file] of files) {
    // An empty cell is null, and not a property that gets its default.
    const options = `mode=upsert&key=id${format === 'csv' ? '&empty=clear' : ''}`;
    const answer = await admin.request('POST', `${path}/import?${options}`, file, {
      'content-type': FORMATS[format],
    });
    expect([path, answer.status, answer.status === 200 || answer.text]).toEqual([path, 200, true]);
    results.push({ path, ...answer.body.data });
  }
  return results;
}

itInFull(
  'an export of every resource is imported into an empty database as it was, and again without a change',
  async () => {
    await fill();
    const stored = await everything();
    for (const resource of named)
      expect([resource.path, await collectionsOf(resource)]).not.toEqual([resource.path, []]);
    for (const format of Object.keys(FORMATS) as (keyof typeof FORMATS)[]) {
      const files = await everything(format);
      const unchanged = await importAll(files, format);
      const counts = (key: string, results: readonly Json[]): [string, number][] =>
        results.map(({ path, [key]: count }) => [path, count]);
      const rowsOfAll = counts('rows', unchanged);
      expect(counts('unchanged', unchanged)).toEqual(rowsOfAll);
      // Imported once: for one format by their owners, for the other all at once.
      const once = await everything(format, onceEach(format === 'ndjson'));
      await service.database.db.query(
        sql`TRUNCATE ${raw(named.map(({ record }) => tableOf(record)).join(', '))} CASCADE`,
      );
      const created = await importAll(once, format);
      const rowsOf = new Map(rowsOfAll);
      expect(counts('created', created)).toEqual([...once.keys()].map((path) => [path, rowsOf.get(path)]));
      expect(await everything()).toEqual(stored);
      expect(counts('unchanged', await importAll(files, format))).toEqual(rowsOfAll);
    }
  },
  300_000,
);
