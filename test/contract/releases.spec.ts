import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { breaksOf } from '../../src/openapi/release/breaks.js';
import { changedIn, freeze, lastRelease, releasesIn, undeclared } from '../../src/openapi/release/releases.js';
import { packageVersion } from '../../src/openapi/document/version.js';
import type { Json } from '../support/document.js';

/* The document of today against that of the last release, and what tells a break from a change that nobody notices. */

const today = (): Json => JSON.parse(readFileSync('openapi.json', 'utf8'));

describe('the document of today', () => {
  it('breaks nothing that the last release promised', () => {
    const last = lastRelease('openapi');
    const breaks = last ? breaksOf(last.document, today()) : [];
    const changelog = readFileSync('CHANGELOG.md', 'utf8');
    expect(undeclared(breaks, last?.version ?? '0.0.0', packageVersion(), changelog)).toEqual([]);
  });

  it('is as it was in each release', () => expect(changedIn('openapi')).toEqual([]));

  it('breaks nothing of itself', () => expect(breaksOf(today(), today())).toEqual([]));
});

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const content = (schema: Json): Json => ({ content: { 'application/json': { schema } } });

/** A small document with each thing that can break. */
const document = (): Json => ({
  security: [{ bearerAuth: [] }, { session: [] }],
  paths: {
    '/api/sites': {
      get: {
        security: [],
        parameters: [
          { name: 'pageSize', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 } },
          { name: 'status', in: 'query', schema: { type: 'array', items: ref('Status'), maxItems: 9 } },
        ],
        responses: {
          200: { headers: { ETag: { schema: { type: 'string' } } }, ...content({ type: 'array', items: ref('Site') }) },
          400: content(ref('Error')),
        },
      },
      post: { requestBody: content(ref('CreateSite')), responses: { 201: content(ref('Site')) } },
    },
    '/api/sites/{id}': {
      get: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
        responses: { 200: content(ref('Site')) },
      },
    },
  },
  webhooks: { change: { post: { requestBody: content(ref('Event')) } } },
  components: {
    schemas: {
      Status: { type: 'string', enum: ['active', 'planned'] },
      Site: {
        type: 'object',
        required: ['id', 'name', 'status', 'parent', 'size'],
        properties: {
          id: { type: 'string', format: 'uuid' },
          name: { type: ['string', 'null'], maxLength: 255 },
          status: ref('Status'),
          note: { type: 'string' },
          size: { type: 'integer', minimum: 0 },
          parent: { anyOf: [ref('Site'), { type: 'null' }] },
        },
      },
      CreateSite: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', maxLength: 255, minLength: 1 },
          status: { allOf: [ref('Status')], default: 'active' },
          code: { type: 'string', pattern: '^a' },
          size: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        },
        propertyNames: { enum: ['name', 'status', 'code', 'size', 'id'] },
      },
      Event: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      Error: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } },
    },
  },
});

const list = (made: Json): Json => made.paths['/api/sites'].get;
const post = (made: Json): Json => made.paths['/api/sites'].post;
const schema = (made: Json, name: string): Json => made.components.schemas[name];
const property = (made: Json, name: string, of: string): Json => schema(made, name).properties[of];

it.each<[string, (made: Json) => void, string[]]>([
  ['a path', (made) => delete made.paths['/api/sites/{id}'], ['GET /api/sites/{id}: is removed']],
  ['an operation', (made) => delete made.paths['/api/sites'].post, ['POST /api/sites: is removed']],
  ['a parameter', (made) => list(made).parameters.pop(), ['GET /api/sites: the parameter status is removed']],
  [
    'a parameter, newly required',
    (made) => list(made).parameters.push({ name: 'at', in: 'query', required: true, schema: {} }),
    ['GET /api/sites: the parameter at is newly required'],
  ],
  [
    'a bound of a parameter',
    (made) => (list(made).parameters[0].schema.maximum = 100),
    ['GET /api/sites, parameter pageSize: `maximum` is another'],
  ],
  [
    'a default',
    (made) => (list(made).parameters[0].schema.default = 20),
    ['GET /api/sites, parameter pageSize: the default is another'],
  ],
  ['a credential', (made) => delete list(made).security, ['GET /api/sites: newly needs a credential']],
  [
    'a kind of credential',
    (made) => (post(made).security = [{ session: [] }]),
    ['POST /api/sites: no longer takes bearerAuth'],
  ],
  [
    'a status',
    (made) => (post(made).responses = { 202: post(made).responses[201] }),
    ['POST /api/sites: the status 201 is removed', 'POST /api/sites: the status 202 is new'],
  ],
  [
    'a header',
    (made) => delete list(made).responses[200].headers,
    ['GET /api/sites: the header ETag of 200 is removed'],
  ],
  [
    'a media type',
    (made) => (list(made).responses[200].content = {}),
    ['GET /api/sites, 200: application/json is removed'],
  ],
  ['a body', (made) => delete post(made).requestBody, ['POST /api/sites: the body is removed']],
  [
    'a body, newly required',
    (made) => (post(made).requestBody.required = true),
    ['POST /api/sites: the body is newly required'],
  ],
  ['a property of an answer', (made) => delete schema(made, 'Site').properties.note, ['Site: note is removed']],
  ['a promise of a property', (made) => schema(made, 'Site').required.shift(), ['Site: id may be missing now']],
  [
    'a wider type of an answer',
    (made) => (property(made, 'Site', 'size').type = 'number'),
    ['Site.size: the type was integer and is number'],
  ],
  [
    'null in an answer',
    (made) => (property(made, 'Site', 'note').type = ['string', 'null']),
    ['Site.note: may now be null'],
  ],
  [
    'a wider bound of an answer',
    (made) => delete property(made, 'Site', 'size').minimum,
    ['Site.size: `minimum` is another'],
  ],
  ['another format', (made) => delete property(made, 'Site', 'id').format, ['Site.id: `format` is another']],
  [
    'a new word in an answer',
    (made) => schema(made, 'Status').enum.push('closed'),
    ['Status: the word "closed" is new'],
  ],
  ['a removed word', (made) => schema(made, 'Status').enum.pop(), ['Status: the word "planned" is removed']],
  [
    'a property of a body',
    (made) => {
      delete schema(made, 'CreateSite').properties.code;
      schema(made, 'CreateSite').propertyNames.enum.splice(2, 1);
    },
    ['CreateSite: code is removed'],
  ],
  [
    'a name that a body ignored',
    (made) => schema(made, 'CreateSite').propertyNames.enum.pop(),
    ['CreateSite: id is removed'],
  ],
  [
    'a property, newly required',
    (made) => schema(made, 'CreateSite').required.push('code'),
    ['CreateSite: code is newly required'],
  ],
  [
    'a narrower type of a body',
    (made) => (property(made, 'CreateSite', 'name').type = 'integer'),
    ['CreateSite.name: the type was string and is integer'],
  ],
  [
    'a narrower bound of a body',
    (made) => (property(made, 'CreateSite', 'name').maxLength = 100),
    ['CreateSite.name: `maxLength` is another'],
  ],
  [
    'another pattern',
    (made) => (property(made, 'CreateSite', 'code').pattern = '^b'),
    ['CreateSite.code: `pattern` is another'],
  ],
  [
    'null in a body',
    (made) => property(made, 'CreateSite', 'size').anyOf.pop(),
    ['CreateSite.size: no longer takes null'],
  ],
  [
    'a list of words that was open',
    (made) => (property(made, 'CreateSite', 'code').enum = ['a']),
    ['CreateSite.code: takes only some words now'],
  ],
  ['a webhook', (made) => (made.webhooks = {}), ['webhook change: is removed']],
  ['a property of a webhook', (made) => (schema(made, 'Event').properties = {}), ['Event: id is removed']],
])('a break: %s', (...[, change, expected]) => {
  const changed = document();
  change(changed);
  const found = breaksOf(document(), changed).map(({ place, what }) => `${place}: ${what}`);
  expect(found.toSorted()).toEqual(expected.toSorted());
});

it.each<[string, (made: Json) => void]>([
  ['a path', (made) => (made.paths['/api/new'] = {})],
  [
    'the name of a parameter of a path',
    (made) => {
      made.paths['/api/sites/{siteId}'] = made.paths['/api/sites/{id}'];
      delete made.paths['/api/sites/{id}'];
      made.paths['/api/sites/{siteId}'].get.parameters[0].name = 'siteId';
    },
  ],
  ['a parameter', (made) => list(made).parameters.push({ name: 'at', in: 'query', schema: { type: 'string' } })],
  ['a status of a refusal', (made) => (list(made).responses[409] = content(ref('Error')))],
  ['a property of an answer', (made) => (schema(made, 'Site').properties.region = { type: 'string' })],
  ['a promise', (made) => schema(made, 'Site').required.push('note')],
  [
    'an optional property of a body',
    (made) => {
      schema(made, 'CreateSite').properties.at = {};
      schema(made, 'CreateSite').propertyNames.enum.push('at');
    },
  ],
  ['a wider bound of a body', (made) => (property(made, 'CreateSite', 'name').maxLength = 1000)],
  ['a narrower bound of an answer', (made) => (property(made, 'Site', 'name').maxLength = 100)],
  ['a value that is never null any more', (made) => (property(made, 'Site', 'name').type = 'string')],
  ['a wider type of a body', (made) => (property(made, 'CreateSite', 'size').anyOf[0].type = 'number')],
  ['texts', (made) => (property(made, 'Site', 'note').description = 'A note')],
])('no break: %s', (...[, change]) => {
  const changed = document();
  change(changed);
  expect(breaksOf(document(), changed)).toEqual([]);
});

it.each([
  ['0.9.0', '0.9.1', '`Site`', 'Site: id is removed. That breaks 0.9.0 and needs a new major version'],
  ['0.9.0', '0.10.0', '`Rack`', 'Site: id is removed. CHANGELOG.md has no entry that names `Site`'],
  ['0.9.0', '0.10.0', '`Site`', undefined],
  ['1.2.0', '1.3.0', '`Site`', 'Site: id is removed. That breaks 1.2.0 and needs a new major version'],
  ['1.2.0', '2.0.0', '`Site`', undefined],
])('a break of %s in %s whose changelog has %s', (released, version, entry, fault) => {
  const changelog = `# Changelog\n\n## [${version}]\n\n${entry}\n\n## [${released}]\n\n\`Site\`\n`;
  const breaks = [{ place: 'Site', what: 'id is removed' }];
  expect(undeclared(breaks, released, version, changelog)).toEqual(fault === undefined ? [] : [fault]);
});

it('a release is kept once, and never changes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'releases-'));
  try {
    expect(lastRelease(folder)).toBeUndefined();
    const files = [freeze(folder, '0.9.0', '{"a":1}'), freeze(folder, '0.10.0', '{}')];
    expect(freeze(folder, '0.9.0', '{"a":1}')).toBe(files[0]);
    expect(() => freeze(folder, '0.9.0', '{"a":2}')).toThrow('0.9.0 is released with');
    expect(releasesIn(folder).map(({ file }) => file)).toEqual(files);
    expect(lastRelease(folder)).toEqual({ version: '0.10.0', document: {} });
    expect(readdirSync(folder)).toHaveLength(2);
    writeFileSync(join(folder, files[0]!), '{}');
    expect(changedIn(folder)).toEqual([files[0]]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
