import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../http/errors.js';
import { MOST_TOGETHER, SharedStatements } from './shared-statements.js';

interface Write {
  id: string;
  size: number;
}

const refusal = Object.assign(new Error('a rule'), { code: '23505' });
const loss = Object.assign(new Error('Connection terminated'), { code: '08006' });
const write = (id: string, size = 1): Write => ({ id, size });

/** Statements that answer the ids of their writes, once they are let go. */
function statements(fail: (ids: readonly string[]) => Error | undefined = () => undefined) {
  const ran: string[][] = [];
  const held: (() => void)[] = [];
  const run = async (writes: readonly Write[]): Promise<string[]> => {
    const ids = writes.map(({ id }) => id);
    ran.push(ids);
    await new Promise<void>((resolve) => held.push(resolve));
    const error = fail(ids);
    if (error) throw error;
    return ids;
  };
  const shared = new SharedStatements<Write, string>(async (one) => (await run([one]))[0]!, run);
  /** Lets all statements go, those that start meanwhile too. */
  async function finish(): Promise<void> {
    while (held.length > 0) {
      for (const release of held.splice(0)) release();
      await new Promise(setImmediate);
    }
  }
  return { ran, held, shared, finish };
}

it('a write without others runs alone and at once; those that come while two run share the next statement', async () => {
  const { ran, shared, finish } = statements();
  const answers = Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => shared.run('lane', write(id))));
  expect(ran).toEqual([['a'], ['b']]);
  await finish();
  expect(await answers).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(ran).toEqual([['a'], ['b'], ['c', 'd', 'e']]);
});

it('writes of different lanes share nothing', async () => {
  const { ran, shared, finish } = statements();
  const answers = Promise.all(['a', 'b', 'c', 'd'].map((id, i) => shared.run(`lane ${i % 2}`, write(id))));
  expect(ran).toEqual([['a'], ['b'], ['c'], ['d']]);
  await finish();
  await answers;
});

it('a statement has each record once, and as many as it may have', async () => {
  const { ran, shared, finish } = statements();
  const ids = ['x', 'y', 'a', 'a', 'b', ...Array.from({ length: MOST_TOGETHER }, (_, i) => `c${i}`), 'a'];
  const answers = Promise.all(ids.map((id) => shared.run('lane', write(id))));
  await finish();
  expect(await answers).toEqual(ids);
  for (const statement of ran) expect(new Set(statement).size).toBe(statement.length);
  expect(Math.max(...ran.map(({ length }) => length))).toBe(MOST_TOGETHER);
  expect(ran.flat()).toHaveLength(ids.length);
});

it('the writes of one record keep their order', async () => {
  const { ran, shared, finish } = statements();
  const answers = Promise.all(
    ['x', 'y', 'a', 'b', 'a', 'a'].map((id, i) => shared.run('lane', { id, size: i + 1 }).then(() => i)),
  );
  await finish();
  await answers;
  expect(ran.slice(2)).toEqual([['a', 'b'], ['a'], ['a']]);
});

it('if a shared statement is refused, each of its writes runs alone and has its own answer', async () => {
  const { ran, shared, finish } = statements((ids) => (ids.includes('bad') ? refusal : undefined));
  const answers = Promise.allSettled(['x', 'y', 'a', 'bad', 'b'].map((id) => shared.run('lane', write(id))));
  await finish();
  expect((await answers).map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason))).toEqual([
    'x',
    'y',
    'a',
    refusal,
    'b',
  ]);
  expect(ran.slice(2)).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']]);
});

it.each([
  ['the connection was lost, so that nobody knows whether it took effect', loss],
  ['it got no connection', new DomainError('unavailable')],
])('a shared statement is not repeated if %s', async (_why, error) => {
  const { ran, shared, finish } = statements((ids) => (ids.length > 1 ? error : undefined));
  const answers = Promise.allSettled(['x', 'y', 'a', 'b'].map((id) => shared.run('lane', write(id))));
  await finish();
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
  expect(ran).toEqual([['x'], ['y'], ['a', 'b']]);
});

it('statements that do not end do not hold up the writes that come after them', async () => {
  const { ran, held, shared, finish } = statements();
  const stuck = Promise.all(['x', 'y'].map((id) => shared.run('lane', write(id))));
  const releases = held.splice(0);
  const answer = shared.run('lane', write('a'));
  while (held.length === 0) await sleep(5);
  await finish();
  expect(await answer).toBe('a');
  expect(ran).toEqual([['x'], ['y'], ['a']]);
  for (const release of releases) release();
  await stuck;
});

it('a long write runs alone', async () => {
  const { ran, shared, finish } = statements();
  const answers = Promise.all(['x', 'y', 'a', 'b'].map((id) => shared.run('lane', write(id, id === 'a' ? 1e6 : 1))));
  expect(ran).toEqual([['x'], ['y'], ['a']]);
  await finish();
  await answers;
});
