import { createTestDatabase, onServer, type TestDatabase } from '../support/database.js';
import { sql, type Sql } from '../../src/database/sql.js';

// The embedded database has one connection. Its transactions use a stream of the service.
(onServer ? describe.skip : describe)('a transaction on the embedded database', () => {
  let database: TestDatabase;
  beforeAll(async () => void (database = await createTestDatabase()));
  afterAll(() => database.drop());

  const names = async (): Promise<string[]> =>
    (await database.db.query<{ name: string }>(sql`SELECT name FROM runbooks ORDER BY name`)).map(({ name }) => name);
  const insert = (name: string | null): Sql => sql`INSERT INTO runbooks (name) VALUES (${name})`;
  afterEach(() => database.db.query(sql`DELETE FROM runbooks`));

  it('is committed when its work is done', async () => {
    const result = await database.db.transaction(async (tx) => {
      await tx.query(insert('a'));
      await tx.query(insert('b'));
      return 'done';
    });
    expect(result).toBe('done');
    expect(await names()).toEqual(['a', 'b']);
  });

  it('is rolled back when its work fails', async () => {
    const work = database.db.transaction(async (tx) => {
      await tx.query(insert('a'));
      throw new Error('enough');
    });
    await expect(work).rejects.toThrow('enough');
    expect(await names()).toEqual([]);
  });

  it('is rolled back when a statement fails, and the next one works', async () => {
    const work = database.db.transaction(async (tx) => {
      await tx.query(insert('a'));
      await tx.query(insert(null));
    });
    await expect(work).rejects.toMatchObject({ code: '23502' });
    expect(await names()).toEqual([]);
    await database.db.transaction((tx) => tx.query(insert('b')));
    expect(await names()).toEqual(['b']);
  });

  it('is rolled back when the failure of a statement is ignored', async () => {
    await database.db
      .transaction(async (tx) => {
        await tx.query(insert('a'));
        await tx.query(insert(null)).catch(() => {});
      })
      .catch(() => {});
    expect(await names()).toEqual([]);
  });

  it('joins the transaction that it is started in', async () => {
    const work = database.db.transaction(async (tx) => {
      await tx.transaction((inner) => inner.query(insert('a')));
      throw new Error('enough');
    });
    await expect(work).rejects.toThrow('enough');
    expect(await names()).toEqual([]);
  });

  it('keeps other statements out', async () => {
    let beside: Promise<unknown> | undefined;
    const work = database.db.transaction(async (tx) => {
      await tx.query(insert('a'));
      beside = database.db.query(insert('b'));
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw new Error('enough');
    });
    await expect(work).rejects.toThrow('enough');
    await beside;
    expect(await names()).toEqual(['b']);
  });

  it('is one of many concurrent ones', async () => {
    const settled = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        database.db.transaction(async (tx) => {
          await tx.query(insert(`n${index}`));
          if (index % 2 === 1) throw new Error('odd');
        }),
      ),
    );
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(10);
    expect(await names()).toHaveLength(10);
  });
});
