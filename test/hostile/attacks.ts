import { crc32 } from 'node:zlib';
import type { Random } from './random.js';

/** A body that does not match its media type, or an unsupported media type. */
interface BodyAttack {
  name: string;
  body: Buffer;
  contentType?: string;
  headers?: Record<string, string>;
  statuses: readonly number[];
}

/**
 * @param json a body that the document allows
 * @param limit largest body that the operation takes, in MiB
 * @param isOptional whether the operation may be sent without a body
 * @param isPatch whether it takes a merge patch as it takes JSON
 */
export function bodyAttack(
  random: Random,
  json: string,
  limit: number,
  isOptional: boolean,
  isPatch: boolean,
): BodyAttack {
  const most = limit * 2 ** 20;
  const text = (name: string, body: string, statuses: readonly number[] = [400]): BodyAttack => ({
    name,
    body: Buffer.from(body),
    contentType: 'application/json',
    statuses,
  });
  const bytes = (name: string, ...body: Buffer[]): BodyAttack => ({
    name,
    body: Buffer.concat(body),
    contentType: 'application/json',
    statuses: [400],
  });
  const inText = (...codes: number[]): Buffer[] => [Buffer.from('{"name":"a'), Buffer.from(codes), Buffer.from('b"}')];
  const typed = (contentType: string | undefined, statuses: readonly number[] = [415]): BodyAttack => ({
    name: `the media type ${contentType ?? 'missing'}`,
    body: Buffer.from(json),
    contentType,
    statuses,
  });
  // A well-formed body is checked by its content, and may be accepted.
  const wellFormed = [200, 201, 204, 400, 401, 404, 409, 412, 422, 429];
  const name = JSON.stringify(Object.keys(JSON.parse(json) as object)[0] ?? 'name');
  return random.one<() => BodyAttack>([
    () => text('JSON that is cut off', json.slice(0, 1 + random.int(json.length - 1))),
    () => text('JSON with more behind it', `${json}${random.one(['}', ',', 'x', json, '\0'])}`),
    () => text('JSON with a trailing comma', json.replace(/\}$/, ',}')),
    () => text('JSON with a comment', `/* */${json}`),
    () => text('JSON with single quotes', "{'name':'x'}"),
    () => text('JSON with NaN', '{"name":"x","units":NaN}'),
    () => text('JSON with a raw line feed', '{"name":"a\nb"}'),
    () => text('an invalid escape', String.raw`{"name":"\x41\u12"}`),
    () => text('lone surrogates', `{${name}:"a${random.one([String.raw`\ud800`, String.raw`\udc00\ud800`])}b"}`),
    () => text('NUL', String.raw`{${name}:"a\u0000b"}`),
    () => text('a value other than an object', random.one(['null', '[]', '1', 'true', '"x"', '[{}]', '  '])),
    () => text('no body', '', isOptional ? wellFormed : [400]),
    () => text('a byte order mark', `\ufeff${json}`, wellFormed),
    () => text('a property twice', json.replace('{', `{${name}:"first",`)),
    () => text('a prototype', json.replace('{', '{"__proto__":{"isAdmin":true},')),
    () => text('arrays 200,000 deep', '['.repeat(200_000) + ']'.repeat(200_000)),
    () => text('arrays 200,000 deep without end', '['.repeat(200_000)),
    () => text('objects 150,000 deep', `{"name":${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}}`),
    () => text('too many spaces', `${json}${' '.repeat(most)}`, [413]),
    () => text('too long a text', `{"name":"${'x'.repeat(most)}"}`, [413]),
    () => text('just the limit', json.padEnd(most - Buffer.byteLength(json) + json.length), wellFormed),
    () => text('100,000 properties', `{${Array.from({ length: 50_000 }, (_, i) => `"p${i}":0`).join(',')}}`),
    () => bytes('an invalid UTF-8 byte', ...inText(0xff)),
    () => bytes('UTF-8 in more bytes than it takes', ...inText(0xc0, 0x80)),
    () => bytes('a surrogate in UTF-8', ...inText(0xed, 0xa0, 0x80)),
    () => bytes('a character beyond Unicode', ...inText(0xf4, 0x90, 0x80, 0x80)),
    () => bytes('a character that is cut off', ...inText(0xe2, 0x82)),
    () => bytes('UTF-16', Buffer.from([0xff, 0xfe]), Buffer.from(json, 'utf16le')),
    () => bytes('random bytes', Buffer.from(random.some(1 + random.int(300), () => 128 + random.int(128)))),
    () => typed(undefined),
    () => typed('text/plain'),
    () => typed('application/x-www-form-urlencoded'),
    () => typed('multipart/form-data; boundary=x'),
    () => typed('application/xml'),
    () => typed('application/merge-patch+json', isPatch ? wellFormed : [415]),
    () => typed('application/jsonx'),
    () => typed('nonsense'),
    () => typed('application/json; charset=utf-8', wellFormed),
    () => typed('APPLICATION/JSON', wellFormed),
    () => ({ ...typed('application/json', [...wellFormed, 415]), headers: { 'content-encoding': 'gzip' } }),
  ])();
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Adds the right checksum to the text of a token. The service then looks the token up. */
function checked(body: string): string {
  let rest = crc32(body);
  let sum = '';
  for (let digit = 0; digit < 6; digit++, rest = Math.floor(rest / 62)) sum = BASE62[rest % 62]! + sum;
  return body + sum;
}

interface HeaderAttack {
  headers: Record<string, string | string[]>;
  statuses?: number[];
}

/** Invalid tokens, in the header or the cookie. @param tokens two valid ones */
function tokenAttack(random: Random, cookie: string, [one, two]: readonly [string, string]): HeaderAttack {
  const digits = (count: number): string => random.some(count, () => random.one([...BASE62])).join('');
  const bearer = (token: string): HeaderAttack => ({ headers: { authorization: `Bearer ${token}` }, statuses: [401] });
  const inCookie = (token: string): HeaderAttack => ({ headers: { cookie: `session=${token}` }, statuses: [401] });
  const at = random.int(one.length);
  const wrongDigit = `${one.slice(0, at)}${one[at] === 'x' ? 'y' : 'x'}${one.slice(at + 1)}`;
  const send = random.one([bearer, inCookie]);
  // The service looks up a hundred of these in a minute.
  const lookedUp = (token: string): HeaderAttack => ({ ...send(token), statuses: [401, 429] });
  return random.one<() => HeaderAttack>([
    () => send(wrongDigit),
    () => send(one.slice(0, -1 - random.int(one.length - 5))),
    () => send(one + digits(1 + random.int(50))),
    () => send(`iio_${digits(12)}_${digits(49)}`),
    () => send(`iio_${'x'.repeat(3000 + random.int(3000))}`),
    () => bearer(''),
    () => bearer(`${one} ${two}`),
    () => bearer(cookie),
    () => ({ headers: { authorization: one }, statuses: [401] }),
    () => ({ headers: { authorization: `Basic ${one}` }, statuses: [401] }),
    () => ({ headers: { authorization: [`Bearer ${one}`, `Bearer ${two}`] }, statuses: [401] }),
    () => ({ headers: { authorization: `Bearer ${wrongDigit}`, cookie: `session=${cookie}` }, statuses: [401] }),
    () => ({ headers: { authorization: '', cookie: `session=${one}` }, statuses: [401] }),
    () => lookedUp(checked(`iio_${digits(12)}_${digits(43)}`)),
    // The secret of another token.
    () => lookedUp(checked(`${one.slice(0, 17)}${two.slice(17, 60)}`)),
  ])();
}

/**
 * Headers that a client should not send, and the additional statuses that they may cause.
 * @param cookie value of a session cookie
 * @param tokens two valid ones
 */
export function headerAttack(random: Random, cookie: string, tokens: readonly [string, string]): HeaderAttack {
  if (random.chance(0.5)) return tokenAttack(random, cookie, tokens);
  return random.one<HeaderAttack>([
    { headers: { cookie: '' }, statuses: [401] },
    // The token is well-formed, so the service looks it up, for the first hundred in a minute.
    { headers: { cookie: `session=${'x'.repeat(43)}` }, statuses: [401, 429] },
    { headers: { cookie: `session=${cookie.slice(0, -1)}` }, statuses: [401] },
    { headers: { cookie: "session=' OR '1'='1" }, statuses: [401] },
    { headers: { cookie: `session=%E0%A4%A; x=${'y'.repeat(4000)}` }, statuses: [401] },
    { headers: { cookie: 'session=__proto__; __proto__=session' }, statuses: [401] },
    { headers: { cookie: `${'a=b;'.repeat(500)}session=%00` }, statuses: [401] },
    { headers: { authorization: 'Bearer x', cookie: 'SESSION=x' }, statuses: [401] },
    { headers: { 'x-forwarded-for': "'; --, unknown, [::1]:80, 999.999.999.999" } },
    { headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'javascript' } },
    { headers: { 'x-http-method-override': 'DELETE', 'x-request-id': 'a\tb' } },
    { headers: { accept: 'application/xml;q=nonsense', 'accept-language': '*'.repeat(1000) } },
    { headers: { range: 'bytes=0-0,-1', 'if-modified-since': 'never' } },
    { headers: { 'content-encoding': 'nonsense', te: 'trailers' } },
    { headers: { 'user-agent': '\u00ff'.repeat(3000) } },
  ]);
}
