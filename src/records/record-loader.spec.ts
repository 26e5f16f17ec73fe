import type { Executor } from '../database/database.js';
import { RecordLoader } from './record-loader.js';
import { AnswerMemory } from '../answers/answer-memory.js';
import type { Resource } from '../projection/resource.js';

const resource = { table: 'things', selectJson: (_: string, tail: string) => tail } as unknown as Resource;

/** A loader over `{a, b}`, and the statements that it ran. */
function loaderOf(answer?: () => never): { loader: RecordLoader; statements: unknown[][] } {
  const statements: unknown[][] = [];
  const db = {
    async query(text: string, values: readonly unknown[]) {
      statements.push([text, ...values]);
      answer?.();
      return ['a', 'b'].filter((id) => values.flat().includes(id)).map((id) => ({ id, json: `{"id":"${id}"}` }));
    },
  } as unknown as Executor;
  return { loader: new RecordLoader(db, new AnswerMemory(1000), resource), statements };
}

it('reads by one statement what is asked for in one turn, and gives each what it asked for', async () => {
  const { loader, statements } = loaderOf();
  const found = await Promise.all(['b', 'a', 'missing', 'b'].map((id) => loader.load(id, 'ada')));
  expect(found.map((row) => row?.id)).toEqual(['b', 'a', undefined, 'b']);
  expect(statements).toEqual([[expect.stringContaining('WHERE t.id = ANY($1)'), ['b', 'a', 'missing']]]);
});

it('reads again what is asked for later', async () => {
  const { loader, statements } = loaderOf();
  await loader.load('a', 'ada');
  await loader.load('a', 'ada');
  expect(statements).toEqual([
    ['WHERE t.id = $1', 'a'],
    ['WHERE t.id = $1', 'a'],
  ]);
});

it('tells everybody of a failure, and goes on', async () => {
  let broken = true;
  const { loader } = loaderOf((() => {
    if (broken) throw new Error('gone');
  }) as () => never);
  const results = await Promise.allSettled([loader.load('a', 'ada'), loader.load('b', 'ada'), loader.load('a', 'ada')]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  broken = false;
  expect(await loader.load('a', 'ada')).toEqual({ id: 'a', json: '{"id":"a"}' });
});

it('reads what is too long for one statement by further ones, fewer at once', async () => {
  const asked: string[][] = [];
  const db = {
    async query(_text: string, [ids]: [string | string[]]) {
      const all = [ids].flat();
      asked.push(all);
      return all.map((id, index) => ({ id, json: index < 2 ? `{"id":"${id}"}` : null }));
    },
  } as unknown as Executor;
  const loader = new RecordLoader(db, new AnswerMemory(1000), resource);
  const found = await Promise.all([...'abcde'].map((id) => loader.load(id, 'ada')));
  expect(found.map((row) => row?.json)).toEqual([...'abcde'].map((id) => `{"id":"${id}"}`));
  expect(asked).toEqual([['a', 'b', 'c', 'd', 'e'], ['c', 'd'], ['e']]);
});

describe('while two statements are under way', () => {
  /** A loader whose statements end when the test says so. */
  function heldLoader(): { loader: RecordLoader; asked: string[][]; release: (() => void)[] } {
    const asked: string[][] = [];
    const release: (() => void)[] = [];
    const db = {
      async query(_text: string, [ids]: [string | string[]]) {
        const all = [ids].flat();
        asked.push(all);
        await new Promise<void>((resolve) => release.push(resolve));
        return all.map((id) => ({ id, json: `{"id":"${id}"}` }));
      },
    } as unknown as Executor;
    return { loader: new RecordLoader(db, new AnswerMemory(1000), resource), asked, release };
  }
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('reads those who ask by one, as soon as the first of them ends', async () => {
    const { loader, asked, release } = heldLoader();
    const found = [];
    for (const id of 'abcd') {
      found.push(loader.load(id, 'ada'));
      await turn();
    }
    expect(asked).toEqual([['a'], ['b']]);
    release[1]!();
    expect(await found[1]).toEqual({ id: 'b', json: '{"id":"b"}' });
    await turn();
    expect(asked).toEqual([['a'], ['b'], ['c', 'd']]);
    for (const each of release) each();
    expect(await Promise.all(found)).toHaveLength(4);
  });

  it('lets nobody wait for statements that are stuck', async () => {
    const { loader, asked, release } = heldLoader();
    for (const id of 'ab') {
      void loader.load(id, 'ada');
      await turn();
    }
    const found = loader.load('c', 'ada');
    // Ten times as long as it takes.
    for (let wait = 0; release.length < 3 && wait < 400; wait++) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(release).toHaveLength(3);
    release[2]!();
    expect(await found).toEqual({ id: 'c', json: '{"id":"c"}' });
    expect(asked).toEqual([['a'], ['b'], ['c']]);
    for (const each of release) each();
  });
});
