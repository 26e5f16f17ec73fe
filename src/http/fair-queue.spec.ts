import { FairQueue } from './fair-queue.js';

const OPTIONS = { timeoutMs: 50, message: 'Too many' };

const settled = async (): Promise<void> => {
  for (let i = 0; i < 10; i++) await Promise.resolve();
};

/** The state of a request: `waits`, `has a place`, or its refusal. */
function outcomeOf(entering: Promise<() => void>): () => Promise<string> {
  let outcome = 'waits';
  entering.then(
    () => (outcome = 'has a place'),
    (error: Error) => (outcome = error.message),
  );
  return async () => {
    await settled();
    return outcome;
  };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('a request that waits is refused after the timeout, and then takes no place', async () => {
  const queue = new FairQueue(1, OPTIONS);
  const release = await queue.acquire('ada');
  const outcome = outcomeOf(queue.acquire('bob'));
  jest.advanceTimersByTime(49);
  expect(await outcome()).toBe('waits');
  jest.advanceTimersByTime(1);
  expect(await outcome()).toBe('Too many');
  release();
  expect(await outcomeOf(queue.acquire('eve'))()).toBe('has a place');
});

it('without a timeout a request waits for as long as it takes', async () => {
  const queue = new FairQueue(1);
  const release = await queue.acquire('ada');
  const outcome = outcomeOf(queue.acquire('bob'));
  jest.advanceTimersByTime(86_400_000);
  expect(await outcome()).toBe('waits');
  release();
  expect(await outcome()).toBe('has a place');
});

it('requests of a caller are served in their order, one of each caller after the other', async () => {
  const queue = new FairQueue(1, OPTIONS);
  const order: string[] = [];
  let release = await queue.acquire('ada');
  const acquire = (caller: string, name: string): void =>
    void queue.acquire(caller).then((given) => {
      order.push(name);
      release = given;
    });
  for (const name of ['ada 1', 'ada 2', 'ada 3', 'bob 1', 'bob 2']) acquire(name.split(' ')[0]!, name);
  for (let n = 0; n < 5; n++) {
    release();
    await settled();
  }
  expect(order).toEqual(['ada 1', 'bob 1', 'ada 2', 'bob 2', 'ada 3']);
});

/** Names of the requests in the order in which they get the only place, each for some milliseconds. */
async function orderOf(ms: Record<string, number>, requests: readonly string[]): Promise<string[]> {
  const queue = new FairQueue(1, { ...OPTIONS, timeoutMs: 3_600_000 });
  const order: string[] = [];
  let release = await queue.acquire('eve');
  for (const name of requests) {
    void queue.acquire(name).then((given) => {
      order.push(name);
      release = given;
    });
  }
  release();
  for (let n = 0; n < requests.length; n++) {
    await settled();
    jest.advanceTimersByTime(ms[order.at(-1)!]!);
    release();
  }
  return order;
}

it('a caller with long requests waits while others have had less time', async () =>
  expect(await orderOf({ ada: 30, bob: 10 }, ['ada', 'ada', 'ada', 'bob', 'bob', 'bob', 'bob'])).toEqual(
    'ada bob bob bob ada bob ada'.split(' '),
  ));

it('a request that took minutes counts as a quarter of a second', async () => {
  const requests = ['ada', 'ada', ...Array.from({ length: 30 }, () => 'bob')];
  const order = await orderOf({ ada: 300_000, bob: 10 }, requests);
  expect(order.lastIndexOf('ada')).toBe(26);
});

it('time in which nobody waited does not count', async () => {
  const queue = new FairQueue(2);
  const eve = await queue.acquire('eve');
  const release = await queue.acquire('ada');
  jest.advanceTimersByTime(100);
  release();
  await queue.acquire('eve');
  const outcomes = [outcomeOf(queue.acquire('ada')), outcomeOf(queue.acquire('bob'))];
  eve();
  expect(await Promise.all(outcomes.map((each) => each()))).toEqual(['has a place', 'waits']);
});

it('a caller gets at most half of the places while others wait', async () => {
  const queue = new FairQueue(4, OPTIONS);
  const releases = await Promise.all(['ada', 'ada', 'ada', 'bob'].map((caller) => queue.acquire(caller)));
  const ada = outcomeOf(queue.acquire('ada'));
  const bob = [outcomeOf(queue.acquire('bob')), outcomeOf(queue.acquire('bob'))];
  const outcomes = (): Promise<string[]> => Promise.all([ada, ...bob].map((each) => each()));
  releases[0]!();
  expect(await outcomes()).toEqual(['waits', 'has a place', 'waits']);
  // Now both callers have half of them.
  releases[1]!();
  expect(await outcomes()).toEqual(['has a place', 'has a place', 'waits']);
  // Nobody else waits any more.
  releases[2]!();
  expect(await outcomes()).toEqual(['has a place', 'has a place', 'has a place']);
});

it('a caller has no more places than its share, also where others are free', async () => {
  const queue = new FairQueue(4, { ...OPTIONS, perCaller: 2 });
  const first = await queue.acquire('ada');
  await queue.acquire('ada');
  const third = outcomeOf(queue.acquire('ada'));
  const other = outcomeOf(queue.acquire('bob'));
  expect([await third(), await other()]).toEqual(['waits', 'has a place']);
  first();
  expect(await third()).toBe('has a place');
});

it('a place that is given back twice is given back once', async () => {
  const queue = new FairQueue(1, OPTIONS);
  const release = await queue.acquire('ada');
  release();
  release();
  expect(await outcomeOf(queue.acquire('ada'))()).toBe('has a place');
  expect(await outcomeOf(queue.acquire('bob'))()).toBe('waits');
});

it('work that fails gives its place back', async () => {
  const queue = new FairQueue(1, OPTIONS);
  await expect(queue.run('ada', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await queue.run('bob', () => Promise.resolve('done'))).toBe('done');
});
