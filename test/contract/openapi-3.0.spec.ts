import Ajv from 'ajv';
import { toOpenApi30 } from '../../src/openapi/document/to-3.0.js';
import { itInFull } from '../support/size.js';
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

itInFull('allows null wherever the 3.1 document does', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false, allErrors: true });
  const text = JSON.stringify(document.components.schemas).replaceAll('"$ref":"#/', '"$ref":"document#/');
  const schemas = JSON.parse(text) as Record<string, Json>;
  ajv.addSchema({ components: { schemas } }, 'document');
  // All properties of an object at once, because to compile a schema takes most of the time.
  const refusingNull = (properties: object): Set<string> => {
    const validate = ajv.compile({ properties });
    validate(Object.fromEntries(Object.keys(properties).map((property) => [property, null])));
    return new Set(validate.errors?.map(({ instancePath }) => instancePath.split('/')[1]!));
  };
  let count = 0;
  for (const [name, { properties = {} }] of Object.entries<Json>(published.components.schemas)) {
    // It has become a part of another schema.
    if (!(name in document.components.schemas)) continue;
    const refusing = refusingNull(schemas[name]!.properties ?? {});
    for (const [property, given] of Object.entries<Json>(properties)) {
      const schema = resolveSchema(given);
      const nullable = schema.anyOf?.some(({ type }: Json) => type === 'null') ?? [schema.type].flat().includes('null');
      expect([name, property, !refusing.has(property)]).toEqual([name, property, nullable]);
      if (nullable && schema.anyOf) count++;
    }
  }
  // References, next to which `nullable` alone would have no effect.
  expect(count).toBeGreaterThan(30);
});

it('has one object with the properties of all where the 3.1 document has a choice of objects', () => {
  const chosen = Object.entries<Json>(published.components.schemas).filter(
    ([, { anyOf = [] }]) =>
      anyOf.length > 0 && anyOf.every(({ $ref }: Json) => $ref && resolveSchema({ $ref }).type === 'object'),
  );
  expect(chosen.length).toBeGreaterThan(0);
  for (const [name, { anyOf }] of chosen) {
    const choices: Json[] = anyOf.map((choice: Json) => resolveSchema(choice));
    const { type, properties, required = [] } = document.components.schemas[name];
    expect([name, type]).toEqual([name, 'object']);
    expect(Object.keys(properties).toSorted()).toEqual(
      [...new Set(choices.flatMap((choice) => Object.keys(choice.properties)))].toSorted(),
    );
    const common = Object.keys(properties).filter((key) => choices.every((choice) => choice.required.includes(key)));
    expect(required.toSorted()).toEqual(common.toSorted());
  }
});

it('has no dangling references and no unused components', () => {
  const text = JSON.stringify(document);
  const used = new Set([...text.matchAll(/"#\/components\/schemas\/([^"]*)"/g)].map(([, name]) => name));
  expect(Object.keys(document.components.schemas).toSorted()).toEqual([...used].toSorted());
});

it('has no two parameters of the same name in an operation, in any location', () => {
  for (const { operationId, parameters } of operations) {
    const names = parameters.map(({ name }) => name);
    expect([operationId, names.filter((name, index) => names.indexOf(name) !== index)]).toEqual([operationId, []]);
  }
});

it('names the same parameters in each path as its operations', () => {
  for (const { path, operationId, parameters } of operations) {
    const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    expect([operationId, [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)]).toEqual([operationId, inPath]);
  }
});

it('declares times as plain strings, which clients do not reformat', () => {
  const formats = operations.flatMap(({ parameters }) => parameters.map(({ schema }) => schema.items?.format));
  expect(formats).not.toContain('date-time');
});

it('declares nothing about the values of a free-form object', () => {
  expect(JSON.stringify(document)).not.toContain('"additionalProperties":true');
  expect(document.components.schemas.ChangeLogEntry.properties.before).toMatchObject({
    type: 'object',
    nullable: true,
  });
});
