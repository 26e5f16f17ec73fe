import Ajv from 'ajv';
import { toOpenApi30 } from '../../src/openapi/to-3.0.js';
import { document as published, resolveSchema, type Json } from '../support/document.js';

interface Parameter {
  name: string;
  in: string;
  schema: { items?: { format?: string } };
}

const document = toOpenApi30(published) as Json;

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

it('admits null wherever the newer document does', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'document');
  const admitsNull = (at: string): boolean => ajv.validate({ $ref: `document#/components/schemas/${at}` }, null);
  let count = 0;
  for (const [name, { properties = {} }] of Object.entries<Json>(published.components.schemas)) {
    for (const [property, given] of Object.entries<Json>(properties)) {
      const schema = resolveSchema(given);
      const nullable = schema.anyOf?.some(({ type }: Json) => type === 'null') ?? [schema.type].flat().includes('null');
      expect([name, property, admitsNull(`${name}/properties/${property}`)]).toEqual([name, property, nullable]);
      if (nullable && schema.anyOf) count++;
    }
  }
  // References, beside which `nullable` alone would say nothing.
  expect(count).toBeGreaterThan(30);
});

it('refers to nothing that it does not hold, and holds nothing that is not referred to', () => {
  const text = JSON.stringify(document);
  const used = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]*)"/g)].map(([, name]) => name));
  expect(Object.keys(document.components.schemas).toSorted()).toEqual([...used].toSorted());
});

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

it('takes times as plain strings, which clients do not write in their own way', () => {
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
