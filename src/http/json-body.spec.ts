import fastify, { type FastifyRequest } from 'fastify';
import { BodySpace } from './body-space.js';
import { DomainError } from './errors.js';
import { acceptJson, MIB, parseJson } from './json-body.js';
import { JsonScanner, MAX_NAME, MAX_NESTING, MAX_VALUES } from './json-scanner.js';

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');

function refusal(body: Buffer): DomainError {
  try {
    parseJson(body);
  } catch (error) {
    expect(error).toBeInstanceOf(DomainError);
    return error as DomainError;
  }
  throw new Error('was accepted');
}

describe('parseJson', () => {
  it.each([
    ['{"a":[1,"x",null,true]}', { a: [1, 'x', null, true] }],
    ['"é"', 'é'],
    ['"😀"', '😀'],
    ['[]', []],
    ['null', null],
  ])('reads %s', (text, value) => expect(parseJson(bytes(text))).toEqual(value));

  it('returns undefined for an empty body', () => expect(parseJson(Buffer.alloc(0))).toBeUndefined());

  it.each([
    ['a lone continuation byte', Buffer.from([0x22, 0x80, 0x22])],
    ['Latin-1', Buffer.from('"caf\xe9"', 'latin1')],
    ['an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['a surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['a truncated sequence', Buffer.from([0x22, 0xe2, 0x82])],
    ['UTF-16', Buffer.from('﻿{}', 'utf16le')],
  ])('refuses %s as invalid UTF-8', (_, body) => {
    expect(refusal(body)).toMatchObject({ status: 400, message: 'The body is not valid UTF-8' });
  });

  it.each(['{', '{"a":1,}', "{'a':1}", '{"a":NaN}', '{} {}', ' ', 'undefined', '{"a":"\n"}', '[1,]', '01'])(
    'refuses %p as invalid JSON',
    (text) => {
      const { status, message } = refusal(bytes(text));
      expect(status).toBe(400);
      expect(message).toMatch(/^The body is not valid JSON/);
    },
  );

  it.each([
    ['{"a":1,"a":1}', 'a'],
    [String.raw`{"a":1,"\u0061":2}`, 'a'],
    ['{"x":[{"b":1},{"b":1,"c":{"b":1},"b":2}]}', 'b'],
    ['{"":1,"":2}', ''],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    [String.raw`{"a\"":1,"a\"" : 2}`, 'a"'],
  ])('refuses %s, because one of the two values would be lost', (text, field) =>
    expect(refusal(bytes(text))).toMatchObject({
      status: 400,
      extra: { details: [{ field, message: 'is given twice' }] },
    }),
  );

  it.each([
    '{"a":{"a":1},"b":[{"a":1},{"a":1}]}',
    String.raw`{"a":"{\"a\":1,","b":"\"a\":","c":"}"}`,
    String.raw`["a","a",{"\\":1,"\\\\":2}]`,
    JSON.stringify({ a: '\n"'.repeat(300_000) }),
    JSON.stringify({ a: '\\'.repeat(7_000_000), b: { a: 1 } }),
    '{"a"  \n\t\r:1,"b":["a" ,"b"]}',
  ])('accepts names that only look alike: %#', (text) => expect(parseJson(bytes(text))).toEqual(JSON.parse(text)));

  it('quotes nothing of a body that it could not parse', () => {
    for (const text of ['{"password":"hunter2"', '{"password":hunter2}', '{"password":"hunter2",}', 'hunter2']) {
      expect(refusal(bytes(text)).message).not.toMatch(/hunter2/);
    }
  });

  it('accepts the maximum number of levels and not one more', () => {
    const nested = (levels: number): Buffer => bytes('['.repeat(levels) + ']'.repeat(levels));
    expect(() => parseJson(nested(MAX_NESTING))).not.toThrow();
    expect(refusal(nested(MAX_NESTING + 1))).toMatchObject({ status: 400 });
    expect(refusal(nested(500_000))).toMatchObject({ status: 400 });
    const objects = (levels: number): Buffer => bytes('{"a":'.repeat(levels) + '1' + '}'.repeat(levels));
    expect(() => parseJson(objects(MAX_NESTING))).not.toThrow();
    expect(refusal(objects(MAX_NESTING + 1))).toMatchObject({ status: 400 });
  });

  it('accepts the maximum number of values and not one more', () => {
    const list = (length: number): Buffer => bytes(JSON.stringify(Array(length).fill(0)));
    expect(parseJson(list(MAX_VALUES))).toHaveLength(MAX_VALUES);
    expect(refusal(list(MAX_VALUES + 1)).message).toBe('The body has more than 100,000 values');
    expect(refusal(bytes(`[${'{},'.repeat(MAX_VALUES)}0]`)).message).toMatch(/values$/);
    expect(() => parseJson(bytes(JSON.stringify(',[{}]'.repeat(MAX_VALUES))))).not.toThrow();
  });

  it('counts alike, however a body is cut into chunks', () => {
    const text = String.raw`{"a\":"[[{"\\",","b":[["x]",{"c":"}"}]]}`;
    const counts = (size: number): [number, number] => {
      const outcomes = [MAX_NESTING, 0].map((levels) => {
        const scanner = new JsonScanner(1000);
        const whole = bytes('['.repeat(levels) + text);
        try {
          for (let at = 0; at < whole.length; at += size) scanner.scan(whole.subarray(at, at + size));
          return 0;
        } catch {
          return 1;
        }
      });
      return outcomes as [number, number];
    };
    for (let size = 1; size <= text.length; size++) expect([size, ...counts(size)]).toEqual([size, 1, 0]);
  });

  it('finds a name that stands twice, however a body is cut into chunks', () => {
    const text = String.raw`{"x":[{"é\"\u00e9":1},{"é\"é":1,"c":{"b":"\"é"},"\u00e9\"é":2}]}`;
    const whole = bytes(text);
    for (let size = 1; size <= whole.length; size++) {
      const scanner = new JsonScanner();
      const scan = (): void => {
        for (let at = 0; at < whole.length; at += size) scanner.scan(whole.subarray(at, at + size));
      };
      expect(scan).toThrow('é"é is given twice');
    }
  });

  it('accepts names of the greatest length and not one byte more', () => {
    const named = (length: number): Buffer => bytes(`{"a":{"${'x'.repeat(length)}":"${'x'.repeat(2 * MAX_NAME)}"}}`);
    expect(() => parseJson(named(MAX_NAME))).not.toThrow();
    expect(refusal(named(MAX_NAME + 1)).message).toBe('The body has a name of a property with more than 1,024 bytes');
    const scanner = new JsonScanner();
    scanner.scan(bytes('{"'));
    expect(() => {
      for (let n = 0; n <= MAX_NAME; n++) scanner.scan(bytes('x'));
    }).toThrow(/1,024 bytes$/);
  });

  it('does not change a prototype', () => {
    parseJson(bytes('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

it('large bodies of a caller do not delay that of another one', async () => {
  const service = fastify();
  const callerOf = ({ headers: { authorization = '' } }: FastifyRequest): string => authorization;
  acceptJson(service, new BodySpace(100 * MIB), callerOf);
  const answered: string[] = [];
  service.post('/', { bodyLimit: 2 * MIB, config: { bodyLimit: 2 * MIB } }, () => null);
  const send = async (caller: string): Promise<void> => {
    const payload = JSON.stringify([caller, 'x'.repeat(MIB)]);
    await service.inject({
      method: 'POST',
      url: '/',
      headers: { authorization: caller, 'content-type': 'application/json' },
      payload,
    });
    answered.push(caller);
  };
  await Promise.all(['ada', 'ada', 'ada', 'ada', 'bob'].map(send));
  await service.close();
  expect(answered.slice(-2)).toEqual(['ada', 'ada']);
});
