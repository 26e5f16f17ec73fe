import type { Database } from '../database/database.js';
import { Kernel } from './kernel.js';
import type { SecretBox } from './secret-box.js';

/** A list that is read when the test says so. */
function reading<T>(): { read: jest.Mock<Promise<T>, []>; end: (value: T) => void } {
  let end!: (value: T) => void;
  const read = jest.fn(() => new Promise<T>((resolve) => (end = resolve)));
  return { read, end: (value) => end(value) };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('long lists', () => {
  let kernel: Kernel;
  beforeEach(() => (kernel = new Kernel({} as Database, {} as SecretBox)));

  it('are read once for all who ask before the reading begins', async () => {
    const { read, end } = reading<string>();
    const answers = [kernel.inTurn('people', read), kernel.inTurn('people', read), kernel.inTurn('people', read)];
    await settled();
    expect(read).toHaveBeenCalledTimes(1);
    end('all people');
    expect(await Promise.all(answers)).toEqual(['all people', 'all people', 'all people']);
  });

  it('are read again for who asks after that, as something may have been written since', async () => {
    const [first, second] = [reading<string>(), reading<string>()];
    const early = kernel.inTurn('people', first.read);
    await settled();
    const late = kernel.inTurn('people', second.read);
    first.end('before the write');
    expect(await early).toBe('before the write');
    await settled();
    second.end('after the write');
    expect(await late).toBe('after the write');
  });

  it('are not taken for one another', async () => {
    const [people, sites] = [reading<string>(), reading<string>()];
    const answers = [kernel.inTurn('people', people.read), kernel.inTurn('sites', sites.read)];
    await settled();
    people.end('people');
    await settled();
    sites.end('sites');
    expect(await Promise.all(answers)).toEqual(['people', 'sites']);
  });

  it('that fail, fail for all who waited, and are read again afterwards', async () => {
    const failing = jest.fn(() => Promise.reject(new Error('away')));
    const answers = await Promise.allSettled([kernel.inTurn('people', failing), kernel.inTurn('people', failing)]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await kernel.inTurn('people', () => Promise.resolve('back'))).toBe('back');
  });

  it('are refused when too many others wait', async () => {
    const never = (): Promise<never> => new Promise(() => {});
    for (let n = 0; n < 520; n++) {
      try {
        void kernel.inTurn(`list ${n}`, never);
      } catch (error) {
        expect(n).toBeGreaterThanOrEqual(500);
        expect((error as Error).message).toMatch(/Too many long lists/);
        return;
      }
      await settled();
    }
    throw new Error('no list was refused');
  });
});
