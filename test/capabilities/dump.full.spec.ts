import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { raw } from '../../src/database/sql.js';
import { administer, createTestDatabase, onServer, urlOf } from '../support/database.js';
import { describeWith, run } from '../support/tools.js';

(onServer ? describeWith('pg_dump', 'pg_restore') : describe.skip)('a dump that another database reads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dump-'));
  const name = `dump_${randomBytes(5).toString('hex')}`;
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });

  it('has every trigger, and logs, counts and holds what is written', async () => {
    const source = await createTestDatabase();
    const file = join(folder, 'dump');
    const restored = new Client(urlOf(name));
    const triggers = `SELECT tgrelid::regclass::text AS on, tgname AS name, tgfoid::regproc::text AS runs, tgtype AS type, tgenabled AS is,
        tgqual IS NULL AS always, encode(tgargs, 'escape') AS arguments
      FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2`;
    try {
      // Triggers that definitions create.
      await source.db.query(
        raw(`INSERT INTO custom_fields (key, type, resources, required) VALUES ('tier', 'text', '{vendors}', true)`),
      );
      await source.db.query(raw(`INSERT INTO transitions (resource, to_value) VALUES ('sites', 'planned')`));
      await run('pg_dump', ['-d', source.url!, '-Fc', '-f', file]);
      await administer(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
      await run('pg_restore', ['-d', urlOf(name), '--no-owner', file]);
      await restored.connect();
      expect((await restored.query(triggers)).rows).toEqual(await source.db.query(raw(triggers)));
      await expect(restored.query(`INSERT INTO vendors (name) VALUES ('without')`)).rejects.toThrow(
        'customFields.tier is required',
      );
      await expect(restored.query(`INSERT INTO sites (name, status) VALUES ('s', 'active')`)).rejects.toThrow(
        'must not be',
      );
      await restored.query(`INSERT INTO racks (name) VALUES ('one'), ('two')`);
      await restored.query(`UPDATE racks SET status = 'retired' WHERE name = 'one'`);
      await restored.query(`DELETE FROM racks WHERE name = 'two'`);
      const { rows } = await restored.query(
        `SELECT action, count(*)::int AS entries FROM change_log WHERE resource = 'racks' GROUP BY action ORDER BY action`,
      );
      expect(rows).toEqual(
        ['create', 'delete', 'update'].map((action) => ({ action, entries: action === 'create' ? 2 : 1 })),
      );
      const kept = await restored.query(
        `SELECT value, sum(delta)::int AS n FROM value_counts WHERE table_name = 'racks' GROUP BY value HAVING sum(delta) <> 0
         UNION ALL SELECT 'all', sum(delta)::int FROM record_counts WHERE table_name = 'racks'`,
      );
      expect(kept.rows).toEqual([
        { value: 'retired', n: 1 },
        { value: 'all', n: 1 },
      ]);
    } finally {
      await restored.end();
      await source.drop();
    }
  });
});
