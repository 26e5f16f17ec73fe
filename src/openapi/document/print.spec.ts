import { printed } from './print.js';

it('gives each operation and each component a line, and loses nothing', () => {
  const document = {
    openapi: '3.1.0',
    left: undefined,
    paths: { '/api/sites': { get: { operationId: 'listSites', tags: ['Sites'] }, post: { responses: {} } } },
    components: { headers: {}, schemas: { Site: { type: ['object', 'null'], description: 'A "site"' } } },
    tags: [{ name: 'Sites' }],
    security: [],
  };
  const text = printed(document);
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(document)));
  expect(text.split('\n').filter((line) => /"(?:get|post|schemas|headers|security)"/.test(line))).toEqual([
    '      "get": {"operationId":"listSites","tags":["Sites"]},',
    '      "post": {"responses":{}}',
    '    "headers": {},',
    '    "schemas": {',
    '  "security": []',
  ]);
});
