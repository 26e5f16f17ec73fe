import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { Controller, Get, Module, Post, Query } from '@nestjs/common';
import { ApiExcludeController, ApiProperty } from '@nestjs/swagger';
import { Access, Public } from '../../src/access/access.js';
import { BodyOf } from '../../src/fields/bodies/bodies.js';
import { NO_FIELDS } from '../../src/fields/custom/defined-fields.js';
import { RequestBody } from '../../src/fields/field.js';
import { ObjectsField, LineField } from '../../src/fields/fields.js';
import { TakesQuery } from '../../src/http/route-config.js';
import { fieldParameters } from '../../src/lists/parameters/filters.js';
import { flagOption, readOptions } from '../../src/lists/parameters/query-options.js';
import type { RawQuery } from '../../src/lists/parameters/query-parameters.js';
import { compile } from '../../src/lists/record-sql.js';
import { Site } from '../../src/network/site/site.entity.js';
import { createLogger } from '../../src/http/server/logger.js';
import { buildDocument } from '../../src/openapi/document/build.js';
import { Operation } from '../../src/openapi/operation.js';
import { Tag, TagGroup } from '../../src/openapi/tags.js';
import { pageDeclarations } from '../../src/page/declarations.js';
import { startService, type Answer, type Api, type TestService } from '../support/app.js';
import { samplesOf } from '../support/metrics.js';
import { until } from '../support/until.js';

/** An internal error whose message contains input of a client. */
@ApiExcludeController()
@Controller('api/broken')
class BrokenController {
  @Get()
  @Public()
  read(): never {
    throw new Error('first line\r\nsecond line \u009b31m\u2028third line\u202e');
  }
}

class Leaflet {
  @ApiProperty({ type: 'string' }) name!: string;
}

const GOING = { since: '2026-06-01', sunset: '2027-01-31', instead: 'title' };
const DRAFT = {
  ...flagOption('draft', 'Not printed yet'),
  deprecated: { since: '2026-05-01', instead: '/api/drafts' },
};

class LeafletPage extends RequestBody {
  @LineField('Heading') heading?: string | null;
  @LineField('Its number', { deprecated: { since: '2026-07-01' } }) folio?: string | null;
}

class CreateLeaflet extends RequestBody {
  @LineField('Title', { required: true }) title!: string;
  @LineField('Title of old', { deprecated: GOING }) headline?: string | null;
  @ObjectsField('Its pages', () => LeafletPage) pages?: LeafletPage[];
}

/** Deprecated operations; one of them has a date and a replacement. */
@Tag('Leaflets', 'What this test takes out of use')
@Controller('api/leaflets')
class LeafletsController {
  @Get()
  @Access({ role: 'viewer' })
  @Operation({
    operationId: 'readLeaflet',
    text: { summary: 'Read the leaflet', description: 'What it says.' },
    status: 200,
    response: Leaflet,
    deprecated: { since: '2026-05-01', sunset: '2027-06-30', instead: '/api/runbooks' },
  })
  read(): Leaflet {
    return { name: 'a leaflet' };
  }
  @Get('old')
  @Public()
  @Operation({
    operationId: 'readOldLeaflet',
    text: { summary: 'Read the old leaflet', description: 'What it said.' },
    status: 200,
    response: Leaflet,
    deprecated: { since: '2026-05-01' },
  })
  old(): Leaflet {
    return { name: 'an old leaflet' };
  }
  @Post()
  @Access({ role: 'viewer' })
  @TakesQuery()
  @Operation({
    operationId: 'printLeaflet',
    text: { summary: 'Print a leaflet', description: 'On paper.' },
    status: 200,
    body: CreateLeaflet,
    response: Leaflet,
    query: [DRAFT],
  })
  print(@Query() query: RawQuery, @BodyOf(CreateLeaflet) { title }: CreateLeaflet): Leaflet {
    readOptions({ draft: DRAFT }, query);
    return { name: title };
  }
}
@TagGroup('Service')
@Module({ controllers: [BrokenController, LeafletsController] })
class BrokenModule {}

const METRICS_TOKEN = 'm'.repeat(32);

let service: TestService;
let admin: Api;
const chunks: string[] = [];
beforeAll(async () => {
  const to = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  service = await startService(
    { RATE_LIMIT_PER_MINUTE: '1000', METRICS_TOKEN },
    [BrokenModule],
    createLogger('trace', to),
  );
  admin = await service.as('admin');
});
afterAll(() => service.stop());

interface RawAnswer {
  status: number;
  headers: Map<string, string>;
  body: string;
}

/** Sends bytes unchanged, as latin1, because HTTP headers have no other encoding. */
function raw(text: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(text, 'latin1')));
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', ...rest] = received.split('\r\n\r\n');
      const [line = '', ...lines] = head.split('\r\n');
      const headers = lines.map(
        (each) => [each.split(':', 1)[0]!.toLowerCase(), each.replace(/^[^:]*: ?/, '')] as const,
      );
      // A repeated header would show header injection.
      expect(new Set(headers.map(([name]) => name)).size).toBe(headers.length);
      resolve({ status: Number(line.split(' ')[1]), headers: new Map(headers), body: rest.join('\r\n\r\n') });
    });
  });
}

const cookie = (): string => `Cookie: session=${admin.cookie}\r\n`;
const get = (target: string, more = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: a.example\r\n${more}Connection: close\r\n\r\n`;
const send = (method: string, target: string, body: string, more = ''): string =>
  `${method} ${target} HTTP/1.1\r\nHost: a.example\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}Connection: close\r\n\r\n${body}`;

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** Every kind of response: the request, the status, and whether it is a response of the API. */
const kinds: [string, () => string, number, boolean][] = [
  ['a list', () => get('/api/sites', cookie()), 200, true],
  ['a list by HEAD', () => get('/api/sites', cookie()).replace('GET', 'HEAD'), 200, true],
  ['a list by an encoded path', () => get('/%61pi/sites', cookie()), 200, true],
  ['a query string with invalid UTF-8, by an encoded path', () => get('/%61pi/sites?search=%ff', cookie()), 400, true],
  ['a list by an absolute URL', () => get('http://a.example/api/sites', cookie()), 200, true],
  ['a new record', () => send('POST', '/api/runbooks', '{"name":"a"}', cookie()), 201, true],
  ['a logout', () => send('POST', '/api/auth/logout', '', `Cookie: session=x\r\n`), 401, true],
  ['a wrong login', () => send('POST', '/api/auth/login', '{"email":"a","password":"b"}'), 401, true],
  ['a malformed body', () => send('POST', '/api/runbooks', '{', cookie()), 400, true],
  ['a malformed login', () => send('POST', '/api/auth/login', '{'), 400, true],
  ['an unknown filter', () => get('/api/sites?x=1', cookie()), 400, true],
  ['no session', () => get('/api/sites'), 401, true],
  ['no session, by an encoded path', () => get('/%61pi/sites'), 401, true],
  ['no session, by an absolute URL', () => get('http://a.example/api/sites'), 401, true],
  ['no session, and an unknown path', () => get('/api/nothing'), 401, true],
  ['no session, and an unknown path, encoded', () => get('/%61%70i/nothing'), 401, true],
  ['no session, and an unknown path, absolute', () => get('http://a.example/api/nothing'), 401, true],
  [
    'a foreign origin',
    () => send('POST', '/api/runbooks', '{}', `${cookie()}Origin: https://b.example\r\n`),
    403,
    true,
  ],
  ['an unknown path', () => get('/api/nothing', cookie()), 404, true],
  ['an unknown record', () => get(`/api/sites/${NOBODY}`, cookie()), 404, true],
  ['an unsupported method of a path', () => send('PUT', '/api/sites', '{}', cookie()), 405, true],
  ['OPTIONS', () => send('OPTIONS', '/api/sites', '', cookie()), 405, true],
  ['OPTIONS without a session', () => send('OPTIONS', '/api/sites', ''), 401, true],
  [
    'a preflight',
    () => send('OPTIONS', '/api/sites', '', 'Origin: https://b.example\r\nAccess-Control-Request-Method: POST\r\n'),
    401,
    true,
  ],
  ['an unknown method', () => send('PROPFIND', '/api/sites', '', cookie()), 405, true],
  ['a stale If-Match', () => send('DELETE', '/api/runbooks/{id}', '', `${cookie()}If-Match: "x"\r\n`), 412, true],
  ['a body that is too large', () => send('POST', '/api/runbooks', `"${'x'.repeat(1_100_000)}"`, cookie()), 413, true],
  [
    'a body of another media type',
    () => send('POST', '/api/runbooks', '{}', cookie()).replace('application/json', 'text/xml'),
    415,
    true,
  ],
  ['a path that cannot be decoded', () => get('/api/%zz', cookie()), 400, true],
  ['a path that cannot be decoded, encoded', () => get('/%61pi/%zz'), 400, true],
  ['a path with a segment that is too long', () => get(`/api/sites/${'x'.repeat(2000)}`), 414, true],
  ['an internal error', () => get('/api/broken'), 500, true],
  ['headers that are too large', () => get('/api/sites', `X-Large: ${'x'.repeat(100_000)}\r\n`), 431, true],
  ['bytes that are not HTTP', () => 'NONSENSE\r\n\r\n', 400, true],
  ['a header with a NUL', () => get('/api/sites', 'X-A: \0\r\n'), 400, true],
  ['two lengths', () => send('POST', '/api/auth/login', '{}', 'Content-Length: 3\r\n'), 400, true],
  [
    'Content-Length together with chunks',
    () => send('POST', '/api/auth/login', '{}', 'Transfer-Encoding: chunked\r\n'),
    400,
    true,
  ],
  ['no Host', () => `GET /api/sites HTTP/1.1\r\n${cookie()}Connection: close\r\n\r\n`, 400, true],
  ['two Hosts', () => get('/api/sites', `${cookie()}Host: b.example\r\n`), 400, true],
  ['an expectation', () => get('/api/sites', `${cookie()}Expect: the-unexpected\r\n`), 200, true],
  ['no Host in HTTP/1.0', () => `GET /api/sites HTTP/1.0\r\n${cookie()}\r\n`, 200, true],
  ['a file next to those of Swagger UI', () => get('/docs/..%2f..%2fpackage.json'), 404, true],
  ['a path that leaves the directory of Swagger UI', () => get('/docs/%2e%2e/%2e%2e/package.json'), 404, true],
  ['health', () => get('/health/live'), 200, true],
  ['the document', () => get('/openapi.json'), 200, false],
  ['Swagger UI', () => get('/docs'), 200, false],
  ['an unknown path outside of the API', () => get('/nothing'), 404, true],
  ['a path outside of the API that starts alike', () => get('/apiary'), 404, true],
];

/** Log records since a given time. */
const logged = (since: number): Record<string, unknown>[] => {
  const lines = chunks.slice(since).join('').split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
};

describe('every response has the security headers and the request id of its log line', () => {
  it.each(kinds)('%s', async (_, text, status, isNeverKept) => {
    const { id } = await admin.make('/api/runbooks', { name: 'a' });
    const since = chunks.length;
    const answer = await raw(text().replace('{id}', id));
    expect([answer.status, answer.body]).toEqual([status, expect.anything()]);
    const header = (name: string): string | undefined => answer.headers.get(name);
    expect(header('x-content-type-options')).toBe('nosniff');
    expect(header('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'/);
    expect(header('x-frame-options')).toBe('SAMEORIGIN');
    expect(header('referrer-policy')).toBe('no-referrer');
    expect(header('cross-origin-resource-policy')).toBe('same-origin');
    expect(header('x-powered-by')).toBeUndefined();
    expect(header('server')).toBeUndefined();
    expect(header('access-control-allow-origin')).toBeUndefined();
    expect(header('cache-control') === 'no-store').toBe(isNeverKept);
    if (status >= 400) {
      expect(header('content-type')).toBe('application/json; charset=utf-8');
      expect(typeof (JSON.parse(answer.body) as { error: unknown }).error).toBe('string');
    }
    const lines = logged(since).filter(({ msg }) => msg === 'request');
    expect(lines).toEqual([expect.objectContaining({ reqId: header('x-request-id'), status })]);
  });
});

describe('a request is one log line of printable text', () => {
  const evil = '\u009b31m\u0085';
  it.each<[string, () => string, number]>([
    ['line breaks in the URL', () => get('/api/a%0d%0a%7B%22level%22%3A30%7D?x=%0a', cookie()), 404],
    ['bytes in the URL', () => get(`/api/${evil}?${evil}`, cookie()), 400],
    ['controls in the User-Agent', () => get('/api/sites', `${cookie()}User-Agent: a\t${evil}\r\n`), 200],
    [
      'an id from the client',
      () => get('/api/sites', `${cookie()}X-Request-Id: mine${evil}\r\nRequest-Id: mine\r\n`),
      200,
    ],
    [
      'controls in the email of a login',
      () => send('POST', '/api/auth/login', String.raw`{"email":"a\r\n\u001b[31m{\"level\":30}\u2028","password":"b"}`),
      401,
    ],
    ['controls in a forwarded address', () => get('/api/sites', `${cookie()}X-Forwarded-For: ${evil}\r\n`), 200],
    [
      'controls in an Idempotency-Key',
      () => send('POST', '/api/runbooks', '{}', `${cookie()}Idempotency-Key: ${evil}\r\n`),
      400,
    ],
    ['controls in an error message', () => get('/api/broken'), 500],
    ['controls below HTTP', () => `GET /\u001b[31m${evil} HTTP/1.1\r\n\r\n`, 400],
  ])('with %s', async (_, text, status) => {
    const since = chunks.length;
    const answer = await raw(text());
    expect(answer.status).toBe(status);
    const written = chunks.slice(since).join('');
    // oxlint-disable-next-line no-control-regex -- the very characters that must not be there
    expect(written).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
    const lines = logged(since).filter(({ msg }) => msg === 'request');
    expect(lines.map(({ reqId }) => reqId)).toEqual([answer.headers.get('x-request-id')]);
    expect(lines[0]!.reqId).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
  });

  it('the original text can be recovered', async () => {
    const since = chunks.length;
    await raw(get('/api/broken'));
    const [fault] = logged(since).filter(({ msg }) => msg === 'Unexpected error') as [{ error: { message: string } }];
    expect(fault.error.message).toBe('first line\r\nsecond line \u009b31m\u2028third line\u202e');
  });
});

it('a client that disconnects during its body is not logged as an error', async () => {
  const since = chunks.length;
  const { hostname, port } = new URL(service.url);
  const head = send('POST', '/api/runbooks', 'x'.repeat(1000), cookie()).slice(0, -500);
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(head, () => setTimeout(() => socket.destroy(), 100)),
    );
    socket.on('close', () => resolve());
  });
  await raw(
    send('POST', '/api/runbooks', 'zz\r\n', cookie()).replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked'),
  );
  const requests = (): Record<string, unknown>[] => logged(since).filter(({ msg }) => msg === 'request');
  // One client disconnects; the other sends invalid HTTP.
  await until(() => requests().length >= 2);
  expect(new Set(requests().map(({ status }) => status))).toEqual(new Set([400]));
  expect(logged(since).filter(({ level }) => (level as number) > 30)).toEqual([]);
});

it('does not send a second response within the first', async () => {
  // Large enough that the response is still being sent when the invalid request arrives.
  const content = 'x'.repeat(60_000);
  for (let i = 0; i < 100; i++) await admin.make('/api/runbooks', { name: `long ${i}`, content });
  const request = `GET /api/runbooks HTTP/1.1\r\nHost: a\r\n${cookie()}\r\n`;
  const { hostname, port } = new URL(service.url);
  const received = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(request));
    let text = '';
    socket.once('data', () => {
      socket.pause();
      // Reads on after the service has seen the invalid request.
      service.app.getHttpServer().once('clientError', () => socket.resume());
      socket.write('NONSENSE\r\n\r\n');
    });
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
  expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(received).not.toContain('The request is not valid HTTP');
});

describe('a deprecated operation', () => {
  const announced = ({ headers }: RawAnswer): (string | undefined)[] =>
    ['deprecation', 'sunset', 'link'].map((name) => headers.get(name));
  const ALL = ['@1777593600', 'Wed, 30 Jun 2027 00:00:00 GMT', '</api/runbooks>; rel="successor-version"'];

  it.each([
    ['a response', () => get('/api/leaflets', cookie()), 200],
    ['a response by HEAD', () => get('/api/leaflets', cookie()).replace('GET', 'HEAD'), 200],
    ['a refusal', () => get('/api/leaflets'), 401],
    ['an unknown parameter', () => get('/api/leaflets?x=1', cookie()), 400],
  ])('says so in %s', async (_, request, status) => {
    const answer = await raw(request());
    expect([answer.status, ...announced(answer)]).toEqual([status, ...ALL]);
  });

  it('says no more than is declared, and other operations say nothing', async () => {
    expect(announced(await raw(get('/api/leaflets/old')))).toEqual(['@1777593600', undefined, undefined]);
    expect(announced(await raw(get('/api/sites', cookie())))).toEqual([undefined, undefined, undefined]);
  });

  it('is deprecated in the document', () => {
    const { paths } = buildDocument(service.app, NO_FIELDS);
    expect(paths['/api/leaflets']!.get).toMatchObject({
      deprecated: true,
      description:
        'Deprecated since 2026-05-01, and may be gone from 2027-06-30. Use `/api/runbooks` instead.\n\nWhat it says.',
    });
    expect(paths['/api/leaflets/old']!.get!.description).toMatch(/^Deprecated since 2026-05-01\.\n\nWhat it said\./);
    expect(paths['/api/sites']!.get).not.toHaveProperty('deprecated');
  });

  it('counts who still uses it, by the names of tokens', async () => {
    const { token } = (await admin.post('/api/tokens', { name: 'nightly "sync"' })).body.data;
    const bearer = (text: string): string => `Authorization: Bearer ${text}\r\n`;
    const counts = async (): Promise<number[]> => {
      const samples = samplesOf((await raw(get('/metrics', bearer(METRICS_TOKEN)))).body);
      return ['nightly \\"sync\\"', ''].map(
        (name) =>
          samples.get(
            `inventory_deprecated_requests_total{method="GET",route="/api/leaflets",part="",token="${name}"}`,
          ) ?? 0,
      );
    };
    const [, before] = await counts();
    for (const credential of [bearer(token), bearer(token), cookie()])
      expect((await raw(get('/api/leaflets', credential))).status).toBe(200);
    // The counter increases after the response is sent.
    const [byToken, bySession] = await until(counts, ([tokens, sessions]) => tokens! >= 2 && sessions! > before!);
    expect([byToken, bySession]).toEqual([2, before! + 1]);
  });
});

describe('a deprecated parameter or property', () => {
  const print = (query: string, body: object): Promise<Answer> => admin.post(`/api/leaflets${query}`, body);
  const LINK = '</api/drafts>; rel="successor-version"';
  const JUNE = '@1780272000';
  const SUNSET = 'Sun, 31 Jan 2027 00:00:00 GMT';

  it.each<[string, string, object, (string | null)[]]>([
    ['that is not used', '', { title: 'a' }, [null, null, null]],
    ['of the query', '?draft=true', { title: 'a' }, ['@1777593600', null, LINK]],
    ['of the body', '', { title: 'a', headline: 'b' }, [JUNE, SUNSET, null]],
    ['of a part', '', { title: 'a', pages: [{ heading: 'b' }, { folio: '7' }] }, ['@1782864000', null, null]],
    ['of both', '?draft=true', { title: 'a', headline: 'b' }, ['@1777593600', SUNSET, LINK]],
    ['of a refused request', '', { headline: 'b' }, [JUNE, SUNSET, null]],
  ])('%s', async (_, query, body, expected) => {
    const { headers } = await print(query, body);
    expect(['deprecation', 'sunset', 'link'].map((name) => headers.get(name))).toEqual(expected);
  });

  it('is deprecated in the document, and absent from the page', () => {
    const document = buildDocument(service.app, NO_FIELDS);
    const { properties } = document.components!.schemas!.CreateLeaflet as { properties: Record<string, object> };
    expect(properties.headline).toMatchObject({
      deprecated: true,
      description: 'Deprecated since 2026-06-01, and may be gone from 2027-01-31. Use `title` instead. Title of old',
    });
    expect(Object.values(document.components!.parameters!)).toContainEqual(
      expect.objectContaining({
        name: 'draft',
        deprecated: true,
        description: 'Deprecated since 2026-05-01. Use `/api/drafts` instead. Not printed yet',
      }),
    );
    const { collections, types } = pageDeclarations(service.app, document);
    const operations = collections.flatMap((one) => one.operations.map(({ id }) => id));
    expect(JSON.stringify([types, operations])).not.toMatch(/headline|folio|readLeaflet/);
  });

  it('of a record deprecates the filters by it', () => {
    const field = { ...compile(Site, NO_FIELDS.of(Site)).field('facility'), deprecated: GOING };
    const parameters = fieldParameters(field);
    expect(parameters.length).toBeGreaterThan(2);
    expect(parameters.map(({ deprecated }) => deprecated)).toEqual(parameters.map(() => GOING));
  });

  it('is counted by its name', async () => {
    await print('?draft=false', { title: 'a', headline: 'b' });
    const bearer = `Authorization: Bearer ${METRICS_TOKEN}\r\n`;
    const counted = async (): Promise<(number | undefined)[]> => {
      const samples = samplesOf((await raw(get('/metrics', bearer))).body);
      return ['draft', 'headline'].map((part) =>
        samples.get(`inventory_deprecated_requests_total{method="POST",route="/api/leaflets",part="${part}",token=""}`),
      );
    };
    expect(await until(counted, (counts) => counts.every((count) => count! > 0))).toHaveLength(2);
  });
});
