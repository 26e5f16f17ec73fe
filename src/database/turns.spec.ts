import { Turns } from './turns.js';

const SLOT = { patience: 50, refusal: 'No slot' };
const CLAIM = { patience: 300, refusal: 'Nothing to claim' };

const settled = async (): Promise<void> => {
  for (let i = 0; i < 10; i++) await Promise.resolve();
};

/** What became of a request: `waits`, `has it`, or the sentence of its refusal. */
function outcomeOf(taking: Promise<() => void>): () => Promise<string> {
  let outcome = 'waits';
  taking.then(
    () => (outcome = 'has it'),
    (error: Error) => (outcome = error.message),
  );
  return async () => {
    await settled();
    return outcome;
  };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('a request that waits', () => {
  it.each([
    { what: 'for a slot', limit: SLOT, isTaken: true },
    { what: 'for what it claims', limit: CLAIM, isTaken: false },
  ])('$what is refused after the time for that', async ({ limit: { patience, refusal }, isTaken }) => {
    const turns = new Turns(1, SLOT, { forClaim: CLAIM });
    if (isTaken) await turns.take('ada');
    const outcome = outcomeOf(turns.take('bob', () => isTaken));
    jest.advanceTimersByTime(patience - 1);
    expect(await outcome()).toBe('waits');
    jest.advanceTimersByTime(1);
    expect(await outcome()).toBe(refusal);
    expect(turns.pending).toBe(0);
  });

  it('for a slot first and then for what it claims has the time of both from its start', async () => {
    const turns = new Turns(1, SLOT, { forClaim: CLAIM });
    let isFree = false;
    const done = await turns.take('ada');
    const outcomes = ['bob', 'eve'].map((caller) => outcomeOf(turns.take(caller, () => isFree)));
    jest.advanceTimersByTime(40);
    done();
    jest.advanceTimersByTime(200);
    expect(await Promise.all(outcomes.map((each) => each()))).toEqual(['waits', 'waits']);
    isFree = true;
    turns.serve();
    expect(await Promise.all(outcomes.map((each) => each()))).toEqual(['has it', 'waits']);
    jest.advanceTimersByTime(60);
    expect(await outcomes[1]!()).toBe('No slot');
  });
});

it('requests of a caller are served in their order, one of each caller after the other', async () => {
  const turns = new Turns(1, SLOT);
  const order: string[] = [];
  let done = await turns.take('ada');
  const take = (caller: string, name: string): void =>
    void turns.take(caller).then((release) => {
      order.push(name);
      done = release;
    });
  for (const name of ['ada 1', 'ada 2', 'ada 3', 'bob 1', 'bob 2']) take(name.split(' ')[0]!, name);
  for (let n = 0; n < 5; n++) {
    done();
    await settled();
  }
  expect(order).toEqual(['ada 1', 'bob 1', 'ada 2', 'bob 2', 'ada 3']);
});

it('a request whose claim fails does not delay those of its caller whose claims succeed', async () => {
  const turns = new Turns(1, SLOT);
  const done = await turns.take('ada');
  const large = outcomeOf(turns.take('ada', () => false));
  const small = outcomeOf(turns.take('ada'));
  done();
  expect(await Promise.all([large(), small()])).toEqual(['waits', 'has it']);
});
