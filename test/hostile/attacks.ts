import type { Random } from './random.js';

/** A body that is not what its media type says, or a media type that is not taken. */
export interface BodyAttack {
  name: string;
  body: Buffer;
  contentType?: string;
  headers?: Record<string, string>;
  statuses: readonly number[];
}

/** @param json a body as the document allows it */
export function bodyAttack(random: Random, json: string): BodyAttack {
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
  // What is well-formed is judged by its content, which may be accepted.
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
    () => text('an escape that is none', String.raw`{"name":"\x41\u12"}`),
    () => text('lone surrogates', `{${name}:"a${random.one([String.raw`\ud800`, String.raw`\udc00\ud800`])}b"}`),
    () => text('NUL', String.raw`{${name}:"a\u0000b"}`),
    () => text('a value that is no object', random.one(['null', '[]', '1', 'true', '"x"', '[{}]', '  '])),
    () => text('no body', ''),
    () => text('a byte order mark', `\ufeff${json}`, wellFormed),
    () => text('a property twice', json.replace('{', `{${name}:"first",`)),
    () => text('a prototype', json.replace('{', '{"__proto__":{"isAdmin":true},')),
    () => text('arrays 200,000 deep', '['.repeat(200_000) + ']'.repeat(200_000)),
    () => text('arrays 200,000 deep without end', '['.repeat(200_000)),
    () => text('objects 150,000 deep', `{"name":${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}}`),
    () => text('more than 1 MiB of spaces', `${json}${' '.repeat(2 ** 20)}`, [413]),
    () => text('more than 1 MiB of text', `{"name":"${'x'.repeat(2 ** 20)}"}`, [413]),
    () => text('just 1 MiB', json.padEnd(2 ** 20 - Buffer.byteLength(json) + json.length), wellFormed),
    () => text('100,000 properties', `{${Array.from({ length: 50_000 }, (_, i) => `"p${i}":0`).join(',')}}`),
    () => bytes('a byte that is no UTF-8', ...inText(0xff)),
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
    () => typed('application/merge-patch+json'),
    () => typed('application/jsonx'),
    () => typed('nonsense'),
    () => typed('application/json; charset=utf-8', wellFormed),
    () => typed('APPLICATION/JSON', wellFormed),
    () => ({ ...typed('application/json', [...wellFormed, 415]), headers: { 'content-encoding': 'gzip' } }),
  ])();
}

/** Headers that a client should not send, and the statuses that they may lead to besides those of the request. */
export function headerAttack(random: Random, cookie: string): { headers: Record<string, string>; statuses?: number[] } {
  return random.one<{ headers: Record<string, string>; statuses?: number[] }>([
    { headers: { cookie: '' }, statuses: [401] },
    // Of its form, so it is looked up; as a hundred of them are in a minute.
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
