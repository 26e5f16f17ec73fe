import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS, FAULT_CODES } from '../../src/http/errors.js';
import { startService, type Api, type TestService } from '../support/app.js';

const page = readFileSync(join(__dirname, '../../docs/errors.md'), 'utf8');

it('docs/errors.md has each code with its status', () => {
  const codes = Object.fromEntries(
    [...page.matchAll(/^\| `([a-z_]+)` \| (\d{3}) \|/gm)].map(([, code, status]) => [code, { status: Number(status) }]),
  );
  const table = Object.fromEntries(Object.entries(ERRORS).map(([code, { status }]) => [code, { status }]));
  expect(codes).toEqual(table);
});

it('docs/errors.md has each code of a fault', () => {
  const [, faults = ''] = page.split('The codes in `details`:');
  expect([...faults.matchAll(/^\| `([a-z_]+)` \| [A-Z]/gm)].map(([, code]) => code)).toEqual([...FAULT_CODES]);
});

describe('a refusal has the code', () => {
  let service: TestService;
  let admin: Api;
  beforeAll(async () => {
    service = await startService();
    admin = await service.as('admin');
    await admin.make('/api/people', { fullName: 'Ada', email: 'ada@example.com' });
  });
  afterAll(() => service.stop());

  const UNKNOWN = randomUUID();

  it.each<[string, string, string, unknown, number, string, [string, string][] | undefined]>([
    ['required', 'POST', '/api/sites', {}, 400, 'validation', [['name', 'required']]],
    ['required, for null', 'POST', '/api/sites', { name: null }, 400, 'validation', [['name', 'required']]],
    ['invalid', 'POST', '/api/sites', { name: 5 }, 400, 'validation', [['name', 'invalid']]],
    ['too_long', 'POST', '/api/sites', { name: 'a'.repeat(256) }, 400, 'validation', [['name', 'too_long']]],
    ['out_of_range', 'POST', '/api/racks', { name: 'a', units: -1 }, 400, 'validation', [['units', 'out_of_range']]],
    ['unknown, of a property', 'POST', '/api/sites', { name: 'a', nam: 1 }, 400, 'validation', [['nam', 'unknown']]],
    ['unknown, of a parameter', 'GET', '/api/sites?nam=a', undefined, 400, 'validation', [['nam', 'unknown']]],
    [
      'unknown, of a parameter of a path without any',
      'DELETE',
      '/api/sites/00000000-0000-4000-8000-000000000000?nam=a',
      undefined,
      400,
      'validation',
      [['nam', 'unknown']],
    ],
    [
      'reference_missing',
      'POST',
      '/api/racks',
      { name: 'a', siteId: UNKNOWN, locationId: UNKNOWN },
      400,
      'reference_missing',
      [
        ['locationId', 'reference_missing'],
        ['siteId', 'reference_missing'],
      ],
    ],
    [
      'validation, where only some are references',
      'POST',
      '/api/racks/bulk',
      {
        operations: [
          { op: 'create', data: { name: '' } },
          { op: 'create', data: { name: 'a', siteId: UNKNOWN } },
        ],
      },
      400,
      'validation',
      undefined,
    ],
    [
      'conflict_unique',
      'POST',
      '/api/people',
      { fullName: 'Eva', email: 'ADA@example.com' },
      409,
      'conflict_unique',
      [['email', 'conflict_unique']],
    ],
    ['not_found', 'GET', `/api/sites/${UNKNOWN}`, undefined, 404, 'not_found', undefined],
    ['not_found, of a path', 'GET', '/api/nothing', undefined, 404, 'not_found', undefined],
    ['method_not_allowed', 'PUT', '/api/sites', {}, 405, 'method_not_allowed', undefined],
    ['validation, of malformed JSON', 'POST', '/api/sites', '{', 400, 'validation', undefined],
  ])('%s', async (_, method, path, body, status, code, faults) => {
    const answer = await admin.request(method, path, body);
    expect([answer.status, answer.code]).toEqual([status, code]);
    if (!faults) return;
    const details = answer.body.details as { field: string }[];
    expect(details.map(({ field }, index) => [field, answer.faultCodes![index]]).toSorted()).toEqual(faults);
  });

  it('of the faults of an imported file too', async () => {
    const answer = await admin.request('POST', '/api/racks/import', `name,siteId\n,${UNKNOWN}\n`, {
      'content-type': 'text/csv',
    });
    expect([answer.status, answer.code, answer.faultCodes![0]]).toEqual([400, 'validation', 'required']);
    expect(answer.body.details[0]).toMatchObject({ field: 'rows[1].name', row: 1, line: 2 });
  });

  it.each([
    ['siteId', UNKNOWN],
    ['site.name', 'nowhere'],
  ])('of references by %s, if a file has no other faults', async (column, value) => {
    const answer = await admin.request('POST', '/api/racks/import', `name,${column}\na,${value}\n`, {
      'content-type': 'text/csv',
    });
    expect([answer.status, answer.code, answer.faultCodes]).toEqual([400, 'reference_missing', ['reference_missing']]);
    expect(answer.body.details[0]).toMatchObject({ field: `rows[1].${column}`, row: 1, line: 2 });
  });

  it('of unknown columns of a file', async () => {
    const header = await admin.request('POST', '/api/racks/import', 'name,nam\na,b\n', { 'content-type': 'text/csv' });
    expect([header.status, header.faultCodes]).toEqual([400, ['unknown']]);
    const line = await admin.request('POST', '/api/racks/import', '{"name":"a","nam":"b"}\n', {
      'content-type': 'application/x-ndjson',
    });
    expect([line.status, line.faultCodes]).toEqual([400, ['unknown']]);
  });

  it('conflict, in each fault of a state that does not allow it', async () => {
    const vrf = await admin.make('/api/vrfs', { name: 'twice' });
    for (const address of ['10.0.0.1/24', '10.0.0.1/32']) {
      await admin.make('/api/ip-addresses', { address, vrfId: vrf.id });
    }
    const answer = await admin.patch(`/api/vrfs/${vrf.id}`, { enforceUnique: true });
    expect([answer.status, answer.code, answer.faultCodes]).toEqual([409, 'conflict', ['conflict']]);
  });

  it('without a session', async () => {
    expect((await service.anonymous.get('/api/sites')).code).toBe('unauthenticated');
  });

  it('in the body', async () => {
    const { text } = await admin.get('/api/sites?page=0');
    expect(JSON.parse(text)).toEqual({
      error: 'page must be an integer between 1 and 2147483647',
      code: 'validation',
      details: [{ field: 'page', message: 'must be an integer between 1 and 2147483647', code: 'out_of_range' }],
    });
  });
});
