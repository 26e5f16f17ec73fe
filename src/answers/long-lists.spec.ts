import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Lines } from '../database/database.js';
import type { LineColumn, LineForm, LineWriter } from '../database/lines.js';
import { AnswerMemory } from './answer-memory.js';
import { LongLists, type Follower } from './long-lists.js';

/** Rows of a list: the JSON of a record, or null where there is none, and the total. */
type Row = { record: string | null; total: number };

const NO_COLUMN: LineColumn = { name: '', dataTypeID: 25 };

/** The message of a row with two cells, as it comes from the database. */
function rowOf({ record, total }: Row): Buffer {
  const cells = [record, String(total)].flatMap((cell) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(cell === null ? -1 : cell.length);
    return [length, Buffer.from(cell ?? '')];
  });
  return Buffer.concat([Buffer.from([0, 2]), ...cells]);
}

/** A reading that goes on when the test says so. */
class Reading implements Lines {
  closed = false;
  isOver = false;
  steps = 0;
  private readonly results: (Row[] | Error)[] = [];
  private readonly writer: LineWriter;
  private wake?: () => void;

  constructor(
    readonly text: string,
    form: LineForm,
    private readonly automatic?: Row[],
  ) {
    this.writer = form([NO_COLUMN, NO_COLUMN]);
  }

  /** The rows that come next; without rows, the end. */
  give(...rows: Row[]): void {
    this.results.push(rows);
    this.wake?.();
  }

  fail(error: Error): void {
    this.results.push(error);
    this.wake?.();
  }

  async read(): Promise<Buffer | undefined> {
    this.steps++;
    if (this.automatic) return this.linesOf(this.automatic.splice(0, RECORDS_OF_A_PART));
    while (this.results.length === 0) await new Promise<void>((resolve) => (this.wake = resolve));
    const result = this.results.shift()!;
    if (result instanceof Error) throw result;
    return this.linesOf(result);
  }

  private linesOf(rows: Row[]): Buffer | undefined {
    const lines = rows.map((each) => {
      const row = rowOf(each);
      const line = Buffer.alloc(this.writer.most(row.length));
      return line.subarray(0, this.writer.write(row, 0, line, 0));
    });
    const part = Buffer.concat(lines);
    this.isOver = part.length === 0;
    return this.isOver ? undefined : part;
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }
}

const RECORDS_OF_A_PART = 5;

const settled = async (): Promise<void> => {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
};

const row = (record: string): Row => ({ record, total: 9 });

let readings: Reading[];
let memory: AnswerMemory;

function listsOf(automatic?: () => Row[], patience?: number, waiting?: number): LongLists {
  readings = [];
  memory = new AnswerMemory(4000);
  const db = {
    size: 10,
    lines(text: string, _values: unknown[], form: LineForm) {
      const reading = new Reading(text, form, automatic?.());
      readings.push(reading);
      return Promise.resolve(reading);
    },
  } as unknown as Database;
  return new LongLists(db, memory, patience, undefined, waiting);
}

async function textOf({ follower }: { follower: Follower }): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of follower.parts()) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe('long lists', () => {
  it('are read once for all who ask before the reading begins, and each has all of it', async () => {
    const lists = listsOf();
    const answers = ['ada', 'bob', 'ada'].map((caller) => lists.read(caller, 'people', []));
    await settled();
    expect(readings).toHaveLength(1);
    readings[0]!.give(row('1,2'));
    readings[0]!.give(row('3'));
    readings[0]!.give();
    const found = await Promise.all(answers);
    expect(found.map(({ total }) => total)).toEqual([9, 9, 9]);
    expect(await Promise.all(found.map(textOf))).toEqual(['1,2,3', '1,2,3', '1,2,3']);
    expect([readings.length, readings[0]!.closed, memory.size]).toEqual([1, true, 0]);
  });

  it('are read again for who asks after that, as something may have been written since', async () => {
    const lists = listsOf();
    const early = lists.read('ada', 'people', []);
    await settled();
    const late = lists.read('ada', 'people', []);
    readings[0]!.give({ record: null, total: 1 });
    expect((await early).total).toBe(1);
    await settled();
    readings[1]!.give({ record: null, total: 2 });
    expect((await late).total).toBe(2);
  });

  it('are not taken for one another', async () => {
    const lists = listsOf();
    const answers = [lists.read('ada', 'people', []), lists.read('ada', 'people', [1]), lists.read('ada', 'sites', [])];
    for (let n = 0; n < 3; n++) {
      await settled();
      for (const reading of readings.splice(0)) {
        reading.give(row(reading.text));
        reading.give();
      }
    }
    expect(await Promise.all((await Promise.all(answers)).map(textOf))).toEqual(['people', 'people', 'sites']);
  });

  it('that fail, fail for all who waited, and are read again afterwards', async () => {
    const lists = listsOf();
    const answers = Promise.allSettled([lists.read('ada', 'people', []), lists.read('bob', 'people', [])]);
    await settled();
    readings[0]!.fail(new Error('away'));
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(readings[0]!.closed).toBe(true);
    const again = lists.read('ada', 'people', []);
    await settled();
    readings[1]!.give(row('back'));
    readings[1]!.give();
    expect(await textOf(await again)).toBe('back');
  });

  it('that fail on their way end in that failure, and not as if they were complete', async () => {
    const lists = listsOf();
    const answer = lists.read('ada', 'people', []);
    await settled();
    readings[0]!.give(row('1'));
    readings[0]!.fail(new Error('away'));
    await expect(textOf(await answer)).rejects.toThrow('away');
    expect(memory.size).toBe(0);
  });

  it('are refused when too many others wait', async () => {
    const lists = listsOf(undefined, undefined, 1000);
    const refusals: Error[] = [];
    for (let n = 0; n < 520; n++) {
      lists.read('ada', `list ${n}`, []).catch((error: Error) => refusals.push(error));
    }
    await settled();
    expect(refusals.length).toBeGreaterThanOrEqual(10);
    expect(refusals.length).toBeLessThanOrEqual(20);
    expect(refusals[0]!.message).toMatch(/Too many long lists/);
  });

  it('are read in turn, caller by caller', async () => {
    const lists = listsOf();
    const order: string[] = [];
    const ask = (caller: string, text: string): Promise<void> =>
      lists.read(caller, text, []).then(async (answer) => {
        await textOf(answer);
        order.push(text);
      });
    const answers = Array.from({ length: 20 }, (_, n) => ask('ada', `of ada ${n}`));
    answers.push(ask('bob', 'of bob'));
    const all = Promise.all(answers);
    while (order.length < 21) {
      await settled();
      for (const reading of readings.splice(0)) {
        reading.give(row('1'));
        reading.give();
      }
    }
    await all;
    // One or more of ada's were being read when bob asked, and one more may come before.
    expect(order.indexOf('of bob')).toBeLessThan(6);
  });
});

describe('a long list that its client takes slowly', () => {
  const long = (): Row[] => Array.from({ length: 40 }, () => row('x'.repeat(199)));

  it('is read ahead of it within its share of the memory, and the rest as it goes', async () => {
    const lists = listsOf(long);
    const { follower } = await lists.read('ada', 'people', []);
    await sleep(20);
    // A quarter of the memory, and the two steps that were on their way.
    expect(memory.size).toBeLessThanOrEqual(1000 + 2 * 5 * 200);
    expect([readings[0]!.closed, memory.size > 0]).toEqual([false, true]);
    expect((await textOf({ follower })).length).toBe(40 * 200 - 1);
    await settled();
    expect([readings[0]!.closed, memory.size]).toEqual([true, 0]);
  });

  it('begins when there is memory for it, so that all are read to their ends, however slowly', async () => {
    const lists = listsOf(() => Array.from({ length: 15 }, () => row('x'.repeat(59))));
    const take = async (name: string): Promise<number> => {
      const { follower } = await lists.read('ada', name, [], { bytes: () => 900 });
      let length = 0;
      for await (const part of follower.parts()) {
        length += part.length;
        await sleep(5);
      }
      return length;
    };
    const lengths = await Promise.all(Array.from({ length: 12 }, (_, n) => take(`people ${n}`)));
    expect(lengths).toEqual(Array(12).fill(899));
    expect(memory.size).toBe(0);
  });

  it('has memory set aside for what is still to be read, which no other list takes', async () => {
    const lists = listsOf();
    // A caller may hold 2,000 bytes, so there is room for one list.
    memory.hold('ada', 1000);
    const answers = ['people', 'sites'].map((name) => lists.read('ada', name, [], { bytes: () => 900 }));
    await settled();
    expect(readings).toHaveLength(1);
    readings[0]!.give(row('x'.repeat(900)));
    readings[0]!.give();
    expect((await textOf(await answers[0]!)).length).toBe(900);
    await settled();
    expect(readings).toHaveLength(2);
    readings[1]!.give(row('1'));
    readings[1]!.give();
    expect(await textOf(await answers[1]!)).toBe('1');
  });

  it('begins in the order of the requests of its caller, and lets those pass for which there is memory', async () => {
    const lists = listsOf(() => [row('1')]);
    const release = memory.hold('ada', 1500);
    const order: string[] = [];
    const ask = async (caller: string, bytes: number): Promise<void> => {
      const { follower } = await lists.read(caller, `${bytes} of ${caller}`, [], { bytes: () => bytes });
      order.push(`${bytes} of ${caller}`);
      await textOf({ follower });
    };
    const answers = [ask('ada', 1000), ask('ada', 900), ask('ada', 800), ask('ada', 100), ask('bob', 500)];
    await Promise.race([Promise.all(answers.slice(3)), sleep(1000)]);
    expect(order).toEqual(['100 of ada', '500 of bob']);
    release();
    await Promise.all(answers);
    expect(order.slice(2)).toEqual(['1000 of ada', '900 of ada', '800 of ada']);
  });

  it('claims no more memory than is known to be enough once it may begin', async () => {
    const lists = listsOf(() => [row('1')]);
    memory.hold('ada', 1500);
    const release = memory.hold('ada', 100);
    let known: number | undefined;
    const answer = lists.read('ada', 'people', [], { bytes: () => known });
    release();
    await settled();
    expect(readings).toHaveLength(0);
    known = 300;
    memory.hold('bob', 100)();
    expect(await textOf(await answer)).toBe('1');
  });

  it('gives its turn to others while it waits', async () => {
    const lists = listsOf(long);
    const slow = await lists.read('ada', 'people', []);
    await sleep(20);
    expect((await textOf(await lists.read('bob', 'sites', []))).length).toBe(40 * 200 - 1);
    expect(readings[0]!.closed).toBe(false);
    slow.follower.leave();
    await settled();
    expect([readings[0]!.closed, memory.size]).toEqual([true, 0]);
  });

  it('keeps its connection to the database for so long only', async () => {
    const lists = listsOf(long, 50);
    const { follower } = await lists.read('ada', 'people', []);
    await sleep(150);
    expect(readings[0]!.closed).toBe(true);
    await expect(textOf({ follower })).rejects.toThrow(/so slowly/);
    expect(memory.size).toBe(0);
  });

  it('is not read on for a client that has gone', async () => {
    const lists = listsOf(long);
    const { follower } = await lists.read('ada', 'people', []);
    follower.leave();
    await sleep(20);
    expect([readings[0]!.closed, memory.size]).toEqual([true, 0]);
    expect(readings[0]!.steps).toBeLessThan(10);
  });
});

it('a list waits while the memory is full, and is refused when it stays so', async () => {
  const lists = listsOf(() => [row('1')], undefined, 200);
  const release = memory.hold('bob', 4000);
  const waiting = lists.read('ada', 'people', []);
  await settled();
  expect(readings).toHaveLength(0);
  release();
  expect(await textOf(await waiting)).toBe('1');
  memory.hold('bob', 4000);
  await expect(lists.read('ada', 'people', [])).rejects.toThrow(/Too many long answers/);
});

it('a list that several callers wait for is begun once when there is memory again', async () => {
  const lists = listsOf(() => [row('1')]);
  const release = memory.hold('bob', 4000);
  const answers = ['ada', 'eve', 'ada'].map((caller) => lists.read(caller, 'people', [], { bytes: () => 100 }));
  await settled();
  expect(readings).toHaveLength(0);
  release();
  expect(await Promise.all((await Promise.all(answers)).map(textOf))).toEqual(['1', '1', '1']);
  await settled();
  expect([readings.length, lists.pending, memory.size]).toEqual([1, 0, 0]);
});

it('what one caller holds leaves room for others', async () => {
  const lists = listsOf(() => [row('1')], undefined, 200);
  memory.hold('ada', 2000);
  await expect(lists.read('ada', 'people', [])).rejects.toThrow(/Too many long answers/);
  expect(await textOf(await lists.read('bob', 'people', []))).toBe('1');
});

it('tells everybody who waits for a list that it could not begin', async () => {
  const lines = jest.fn().mockRejectedValue(new Error('connect ECONNREFUSED'));
  memory = new AnswerMemory(4000);
  const lists = new LongLists({ size: 10, lines } as unknown as Database, memory);
  const outcomes = await Promise.all(
    ['a', 'a', 'b'].map((caller) => lists.read(caller, 'SELECT', []).catch((error: Error) => error.message)),
  );
  expect(outcomes).toEqual(Array(3).fill('connect ECONNREFUSED'));
  expect(lines).toHaveBeenCalledTimes(1);
  expect(lists.pending).toBe(0);
});
