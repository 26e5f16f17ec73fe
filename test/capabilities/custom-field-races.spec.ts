import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { AREAS, type Caller } from '../../src/access/access.js';
import { StoredValues } from '../../src/custom-fields/stored-values.js';
import type { Transaction } from '../../src/database/executor.js';
import { sql } from '../../src/database/sql.js';
import type { CustomDefinition } from '../../src/fields/custom/definition.js';
import { Api, startService, startServiceOn, type Answer, type TestService } from '../support/app.js';
import { connectTo, onServer } from '../support/database.js';
import { until as eventually } from '../support/until.js';

// Two services cannot share an embedded database.
const describeOnServer = onServer ? describe : describe.skip;
if (!onServer) console.warn('Races of custom fields: skipped, as they need a server (TEST_DATABASE_URL)');

// oxlint-disable-next-line typescript/no-explicit-any -- records of any shape
type Json = any;

const WRITERS = 32;
const RECORDS = 8;

const CALLER: Caller = {
  profileId: '',
  email: 'admin@example.com',
  role: 'admin',
  areas: AREAS,
  credential: { kind: 'session', id: '' },
};

describeOnServer('values that 32 writers write on two replicas while a definition changes', () => {
  let one: TestService;
  let two: TestService;
  let admin: Api;
  let apis: Api[];
  let vendors: string[];

  beforeAll(async () => {
    one = await startService();
    two = await startServiceOn(await connectTo(one.database.url!, 4));
    admin = await one.as('admin');
    apis = [admin, new Api(two.url, admin.cookie)];
  });
  afterAll(async () => {
    await two?.stop();
    await one?.stop();
  });

  const define = (body: object): Promise<Json> =>
    admin.make('/api/custom-fields', { key: 'tier', type: 'text', resources: ['vendors'], ...body });
  const rows = (): Promise<{ id: string; tier: string | null }[]> =>
    one.database.db.query(
      sql`SELECT t.id, live_custom_fields('vendors', t.custom_fields)->>d.stored_as AS tier FROM vendors t LEFT JOIN custom_fields d ON d.key = 'tier'`,
    );

  beforeEach(async () => {
    vendors = [];
    for (let n = 0; n < RECORDS; n++) vendors.push((await admin.make('/api/vendors', { name: `v${n}` })).id);
  });
  afterEach(async () => {
    for (const { id } of (await admin.get('/api/custom-fields')).body.data) {
      await admin.delete(`/api/custom-fields/${id}?dropValues=true`);
    }
    for (const { id } of (await admin.get('/api/vendors')).body.data) await admin.delete(`/api/vendors/${id}`);
  });

  /**
   * Writes as fast as possible until the work is done, and a little longer.
   * @param body of the nth write
   * @returns the statuses of the writes
   */
  async function during(work: () => Promise<void>, body: (n: number) => object): Promise<Set<number>> {
    const statuses = new Set<number>();
    let written = 0;
    const over = new AbortController();
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let n = writer; !over.signal.aborted; n += WRITERS) {
        const write = () => apis[n % 2]!.patch(`/api/vendors/${vendors[n % RECORDS]}`, { customFields: body(n) });
        let answer = await write();
        // A write that began before the definition changed stored nothing. It is retried.
        while (answer.code === 'definitions_changed') answer = await write();
        statuses.add(answer.status);
        written++;
      }
    });
    /** Waits for some more writes. */
    const writes = async (): Promise<void> => {
      const before = written;
      await eventually(() => written >= before + 4 * WRITERS);
    };
    try {
      await writes();
      await work();
      await writes();
    } finally {
      over.abort();
      await Promise.all(writers);
    }
    return statuses;
  }

  /** Retries a change of a definition until it succeeds. Conflicting values cause a 409. */
  async function until(change: () => Promise<Answer>, done: number): Promise<void> {
    for (let tries = 0; ; tries++) {
      const { status, text } = await change();
      if (status === done) return;
      if (status !== 409 || tries > 500) throw new Error(`The change gave ${status}: ${text}`);
    }
  }

  it('are none of a choice that was removed', async () => {
    const { id } = await define({ type: 'choice', choices: ['gold', 'silver', 'tin'] });
    const rest = ['gold', 'silver'];
    const statuses = await during(
      () => until(() => admin.patch(`/api/custom-fields/${id}`, { choices: rest }), 200),
      // Some writes use the choice that is about to be removed.
      (n) => ({ tier: n % 97 === 0 ? 'tin' : rest[n % 2] }),
    );
    expect([...statuses].filter((status) => status !== 200 && status !== 400)).toEqual([]);
    expect((await rows()).filter(({ tier }) => tier === 'tin')).toEqual([]);
  });

  it('are gone with their field, and do not come back with another of its key', async () => {
    const { id } = await define({});
    const statuses = await during(
      () => until(() => admin.delete(`/api/custom-fields/${id}?dropValues=true`), 204),
      (n) => ({ tier: `${n}` }),
    );
    expect([...statuses].toSorted()).toEqual([200, 400]);
    await define({});
    expect((await rows()).filter(({ tier }) => tier !== null)).toEqual([]);
    for (const api of apis) {
      const { data } = (await api.get('/api/vendors')).body;
      expect(data.map(({ customFields }: Json) => customFields)).toEqual(vendors.map(() => ({})));
    }
  });

  it('are there once they are required', async () => {
    const { id } = await define({});
    for (const vendor of vendors) await admin.patch(`/api/vendors/${vendor}`, { customFields: { tier: 'x' } });
    const statuses = await during(
      () => until(() => admin.patch(`/api/custom-fields/${id}`, { required: true }), 200),
      (n) => ({ tier: n % 211 === 0 ? null : 'x' }),
    );
    expect([...statuses].filter((status) => status !== 200 && status !== 400)).toEqual([]);
    expect((await rows()).filter(({ tier }) => tier === null)).toEqual([]);
  });

  it('are different once they are unique', async () => {
    const { id } = await define({});
    for (const [n, vendor] of vendors.entries()) {
      await admin.patch(`/api/vendors/${vendor}`, { customFields: { tier: `${n}` } });
    }
    const statuses = await during(
      () => until(() => admin.patch(`/api/custom-fields/${id}`, { unique: true }), 200),
      // Each record has its own value, but sometimes all use the same.
      (n) => ({ tier: n % 211 === 0 ? 'same' : `${n % RECORDS}-${n % 5}` }),
    );
    expect([...statuses].filter((status) => ![200, 400, 409].includes(status))).toEqual([]);
    const tiers = (await rows()).map(({ tier }) => tier);
    expect(new Set(tiers).size).toBe(tiers.length);
    const kept = await one.database.db.query(sql`SELECT record_id FROM custom_field_values`);
    expect(kept).toHaveLength(RECORDS);
  });

  it.each<[string, object, (n: number) => string | null, string | null, (id: string) => Promise<Answer>]>([
    [
      'a choice is removed',
      { type: 'choice', choices: ['gold', 'tin'] },
      () => 'gold',
      'tin',
      (id) => admin.patch(`/api/custom-fields/${id}`, { choices: ['gold'] }),
    ],
    ['the field is deleted', {}, () => null, 'tin', (id) => admin.delete(`/api/custom-fields/${id}`)],
    ['it is required', {}, () => 'x', null, (id) => admin.patch(`/api/custom-fields/${id}`, { required: true })],
    ['it is unique', {}, (n) => `${n}`, '1', (id) => admin.patch(`/api/custom-fields/${id}`, { unique: true })],
  ])(
    'are waited for before %s, where a transaction has written one and not ended',
    async (_change, about, first, last, change) => {
      const { id } = await define(about);
      for (const [n, vendor] of vendors.entries()) {
        await admin.patch(`/api/vendors/${vendor}`, { customFields: { tier: first(n) } });
      }
      const writer = new Client(one.database.url!);
      await writer.connect();
      try {
        await writer.query('BEGIN');
        await writer.query(
          `UPDATE vendors SET custom_fields = merge_custom_fields(custom_fields, jsonb_build_object(d.stored_as, $2::text))
         FROM custom_fields d WHERE vendors.id = $1 AND d.id = $3`,
          [vendors[0], last, id],
        );
        const changed = change(id);
        expect(await Promise.race([changed, sleep(700)])).toBeUndefined();
        await writer.query('COMMIT');
        expect((await changed).status).toBe(409);
      } finally {
        await writer.end();
      }
    },
  );

  const newOnes = (): Promise<{ isHeld: boolean }[]> =>
    one.database.db.query(
      sql`SELECT tgqual IS NULL AS "isHeld" FROM pg_trigger WHERE tgname = 'vendors_custom_new' AND tgrelid = 'vendors'::regclass`,
    );

  it.each([
    ['is required', { required: true }, 409],
    ['has a default', { default: 'gold' }, 201],
  ])(
    'are waited for before the first field %s, where a transaction has written a record without',
    async (_, about, status) => {
      for (const id of vendors) await admin.delete(`/api/vendors/${id}`);
      await one.database.db.query(sql`SELECT rest_custom_fields()`);
      expect(await newOnes()).toEqual([{ isHeld: false }]);
      const writer = new Client(one.database.url!);
      await writer.connect();
      try {
        await writer.query('BEGIN');
        await writer.query(`INSERT INTO vendors (name) VALUES ('before')`);
        const defined = admin.post('/api/custom-fields', {
          key: 'tier',
          type: 'text',
          resources: ['vendors'],
          ...about,
        });
        expect(await Promise.race([defined, sleep(700)])).toBeUndefined();
        // Writes do not wait for the definition.
        expect((await admin.post('/api/vendors', { name: 'meanwhile' })).status).toBe(201);
        await writer.query('COMMIT');
        expect((await defined).status).toBe(status);
        expect(await newOnes()).toEqual([{ isHeld: status === 201 }]);
      } finally {
        await writer.end();
      }
    },
  );

  it('are in every new record from the definition of the first field with a default on', async () => {
    await one.database.db.query(sql`SELECT rest_custom_fields()`);
    let isDefined = false;
    const over = new AbortController();
    const answers: { late: boolean; status: number; tier: string | undefined }[] = [];
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      while (!over.signal.aborted) {
        const late = isDefined;
        const { status, body } = await apis[writer % 2]!.post('/api/vendors', { name: 'new' });
        const [stored] = await one.database.db.query<{ tier: string | undefined }>(
          sql`SELECT custom_fields->>(SELECT stored_as FROM custom_fields WHERE key = 'tier') AS tier FROM vendors WHERE id = ${body.data?.id}::uuid`,
        );
        answers.push({ late, status, tier: stored?.tier });
      }
    });
    try {
      await eventually(() => answers.length >= 4 * WRITERS);
      await define({ default: 'gold' });
      isDefined = true;
      const before = answers.length;
      await eventually(() => answers.length >= before + 8 * WRITERS);
    } finally {
      over.abort();
      await Promise.all(writers);
    }
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([201]);
    expect(answers.filter(({ late, tier }) => late && tier !== 'gold')).toEqual([]);
  }, 60_000);

  /** Waits for all transactions that have begun, including those in other databases of the server. */
  async function othersHaveEnded(tx: Transaction): Promise<void> {
    const [{ next }] = (await tx.query(sql`SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next`)) as [
      { next: string },
    ];
    const earlier = sql`SELECT FROM pg_snapshot_xip(pg_current_snapshot()) other WHERE other < ${next}::text::xid8`;
    while ((await tx.query(earlier)).length > 0) await sleep(20);
  }

  it('are compared once more if they were written since the round before, and no others', async () => {
    const { id } = await define({});
    const [definition] = await one.database.db.query<CustomDefinition>(
      sql`SELECT id, key, type, resources, stored_as AS "storedAs" FROM custom_fields WHERE id = ${id}`,
    );
    const write = (tier: string) => admin.patch(`/api/vendors/${vendors[0]}`, { customFields: { tier } });
    await one.database.db.transaction(async (tx) => {
      // A change of a definition has a transaction id from its beginning.
      await tx.query(sql`SELECT pg_current_xact_id()`);
      const values = new StoredValues(tx, CALLER, definition!);
      const all = () => values.refuseFaulty(['vendors'], sql`true`);
      await othersHaveEnded(tx);
      await values.begin();
      await expect(all()).rejects.toThrow(`${RECORDS} records`);
      await write('x');
      await othersHaveEnded(tx);
      await values.begin();
      await expect(all()).rejects.toThrow('1 record has');
      await values.begin();
      await all();
    });
  });

  it('may become unique while a record with a value is changed otherwise', async () => {
    const { id } = await define({});
    // Without entries in the change log, the record is not compared again.
    const writer = new Client(one.database.url!);
    await writer.connect();
    await writer.query('SET session_replication_role = replica');
    await writer.query(
      `UPDATE vendors SET custom_fields = jsonb_build_object(d.stored_as, vendors.name) FROM custom_fields d WHERE d.id = $1`,
      [id],
    );
    await writer.end();
    const { makeUnique } = StoredValues.prototype;
    const compared = jest.spyOn(StoredValues.prototype, 'makeUnique').mockImplementationOnce(async function (
      this: StoredValues,
    ) {
      await makeUnique.call(this);
      await admin.patch(`/api/vendors/${vendors[0]}`, { description: 'x' });
    });
    const { status, text } = await admin.patch(`/api/custom-fields/${id}`, { unique: true });
    expect([status, text]).toEqual([200, expect.any(String)]);
    expect(compared).toHaveBeenCalledTimes(3);
    compared.mockRestore();
    const kept = await one.database.db.query(sql`SELECT record_id FROM custom_field_values WHERE field_id = ${id}`);
    expect(kept).toHaveLength(RECORDS);
  });
});
