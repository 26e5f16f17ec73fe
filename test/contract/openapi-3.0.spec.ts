import { readFileSync } from 'node:fs';
import { toOpenApi30 } from '../../src/openapi/to-3.0.js';

interface Parameter {
  name: string;
  in: string;
  schema: { items?: { format?: string } };
}

// oxlint-disable-next-line typescript/no-explicit-any -- an OpenAPI document is JSON of many shapes
const document: any = toOpenApi30(JSON.parse(readFileSync('openapi.json', 'utf8')));

const operations = Object.entries<
  Record<string, { operationId: string; parameters: (Parameter | { $ref: string })[] }>
>(document.paths).flatMap(([path, item]) =>
  Object.values(item).map(({ operationId, parameters }) => ({
    path,
    operationId,
    parameters: parameters.map((entry): Parameter =>
      '$ref' in entry ? document.components.parameters[entry.$ref.split('/').at(-1)!] : entry,
    ),
  })),
);

it('has no two parameters of one name in an operation, wherever they are', () => {
  for (const { operationId, parameters } of operations) {
    const names = parameters.map(({ name }) => name);
    expect([operationId, names.filter((name, index) => names.indexOf(name) !== index)]).toEqual([operationId, []]);
  }
});

it('names in each path the parameters that its operations have there', () => {
  for (const { path, operationId, parameters } of operations) {
    const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    expect([operationId, [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)]).toEqual([operationId, inPath]);
  }
});

it('takes lists of times as plain strings, which clients do not write in their own way', () => {
  const formats = operations.flatMap(({ parameters }) => parameters.map(({ schema }) => schema.items?.format));
  expect(formats).not.toContain('date-time');
});

it('leaves the values of a free object open by saying nothing of them', () => {
  expect(JSON.stringify(document)).not.toContain('"additionalProperties":true');
  expect(document.components.schemas.ChangeLogEntry.properties.before).toMatchObject({
    type: 'object',
    nullable: true,
  });
});
