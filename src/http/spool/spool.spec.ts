import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { BLOCK, SpoolFile } from './spool-file.js';
import { SHORT, Spool } from './spool.js';
import { PATIENCE_MS, until } from '../../../test/support/until.js';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'spool-'))));
afterEach(() => rm(folder, { recursive: true }));

/** A text of this many bytes, with different characters at each position. */
const textOf = (bytes: number): string =>
  Array.from({ length: Math.ceil(bytes / 100) }, (_, n) => String(n).padStart(100, '0'))
    .join('')
    .slice(0, bytes);

async function* partsOf(text: string, length: number, onEnd?: () => void): AsyncGenerator<string> {
  try {
    for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
  } finally {
    onEnd?.();
  }
}

const read = async (body: string | Readable): Promise<string> => {
  if (typeof body === 'string') return body;
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
};

/** @param timeout milliseconds to wait for room: by default longer than any reader of a test takes */
const spoolOf = (blocks: number, waitsForRoom = true, timeout = PATIENCE_MS): { file: SpoolFile; spool: Spool } => {
  const file = new SpoolFile(blocks * BLOCK, folder, timeout);
  return { file, spool: new Spool(file, waitsForRoom) };
};

it('sends a short response as one text, without a file', async () => {
  const { spool } = spoolOf(10);
  expect(await spool.send('ada', partsOf('', 1))).toBe('');
  const text = textOf(SHORT);
  expect(await spool.send('ada', partsOf(text, 1000))).toBe(text);
  expect(await readdir(folder)).toEqual([]);
});

it.each([SHORT + 8, BLOCK * 2, BLOCK * 7 + 800])('sends a longer one from a file without a name: %p', async (bytes) => {
  const { file, spool } = spoolOf(100);
  const text = textOf(bytes);
  const body = await spool.send('ada', partsOf(text, 100_000));
  expect(typeof body).toBe('object');
  expect(file.used).toBeGreaterThan(0);
  expect(await readdir(folder)).toEqual([]);
  expect(await read(body)).toBe(text);
  expect(file.used).toBe(0);
});

it('can have all of a response before it is answered', async () => {
  const { file, spool } = spoolOf(100);
  let isMade = false;
  const text = textOf(BLOCK * 3 + 100);
  const body = await spool.whole(
    'ada',
    partsOf(text, 100_000, () => (isMade = true)),
  );
  expect(isMade).toBe(true);
  expect(await read(body)).toBe(text);
  expect(file.used).toBe(0);
  async function* failing(): AsyncGenerator<string> {
    yield* partsOf(text, 100_000);
    throw new Error('in the end');
  }
  await expect(spool.whole('ada', failing())).rejects.toThrow('in the end');
  expect(file.used).toBe(0);
  // With no free block, it is refused in time.
  await expect(spoolOf(4, false).spool.whole('ada', partsOf(text, 100_000))).rejects.toThrow(/Too many long responses/);
});

it('keeps characters of several bytes whole, wherever a block ends', async () => {
  const text = 'aäß€😀'.repeat(100_000);
  expect(await read(await spoolOf(100).spool.send('ada', partsOf(text, 99_999)))).toBe(text);
});

it('does not wait for its client, and takes the blocks of what was read again', async () => {
  const { file, spool } = spoolOf(100);
  let isMade = false;
  const text = textOf(BLOCK * 10);
  const body = await spool.send(
    'ada',
    partsOf(text, 200_000, () => (isMade = true)),
  );
  await until(() => isMade && file.used === 10);
  expect(await read(body)).toBe(text);
  const small = spoolOf(8);
  // Forty blocks pass through the four that a caller may have.
  const long = textOf(BLOCK * 40);
  expect(await read(await small.spool.send('ada', partsOf(long, 200_000)))).toBe(long);
});

it('refuses a response before its first byte where its caller has no room, and serves others', async () => {
  const { file, spool } = spoolOf(4, true, 100);
  const held = (await spool.send('ada', partsOf(textOf(BLOCK * 2), 500_000))) as Readable;
  await until(() => file.used === 2);
  let isEnded = false;
  await expect(
    spool.send(
      'ada',
      partsOf(textOf(BLOCK * 3), 500_000, () => (isEnded = true)),
    ),
  ).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('long responses'),
  });
  expect(isEnded).toBe(true);
  const text = textOf(BLOCK * 2);
  expect(await read(await spool.send('bob', partsOf(text, 500_000)))).toBe(text);
  held.destroy();
  await until(() => file.used === 0);
  expect(await read(await spool.send('ada', partsOf(text, 500_000)))).toBe(text);
});

it.each([true, false])(
  'breaks a response for which there is no room any more, waits for it: %p',
  async (waitsForRoom) => {
    const { file, spool } = spoolOf(4, waitsForRoom, 100);
    let isEnded = false;
    const body = (await spool.send(
      'ada',
      partsOf(textOf(BLOCK * 9), 100_000, () => (isEnded = true)),
    )) as Readable;
    const error = await new Promise((resolve) => body.once('error', resolve));
    expect(error).toMatchObject({ code: 'unavailable' });
    await until(() => file.used === 0 && isEnded);
  },
);

it('ends what makes a response when its client leaves', async () => {
  const { file, spool } = spoolOf(100);
  let isEnded = false;
  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) {
        await new Promise(setImmediate);
        yield textOf(8_000);
      }
    } finally {
      isEnded = true;
    }
  }
  const body = (await spool.send('ada', endless())) as Readable;
  body.destroy();
  expect(await until(() => isEnded && file.used === 0)).toBe(true);
});

it('hands on an error before the first byte, and breaks the response after it', async () => {
  const { file, spool } = spoolOf(100);
  async function* failing(after: number): AsyncGenerator<string> {
    yield textOf(after);
    throw new Error('The database is gone');
  }
  await expect(spool.send('ada', failing(800))).rejects.toThrow('The database is gone');
  const body = (await spool.send('ada', failing(BLOCK * 3))) as Readable;
  await expect(read(body)).rejects.toThrow('The database is gone');
  expect(file.used).toBe(0);
});

it('refuses a long response if the temporary folder cannot be written, and sends short ones', async () => {
  const spool = new Spool(new SpoolFile(100 * BLOCK, join(folder, 'missing')), true);
  await expect(spool.send('ada', partsOf(textOf(BLOCK * 2), 500_000))).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('temporary files'),
  });
  expect(await spool.send('ada', partsOf('short', 5))).toBe('short');
});
