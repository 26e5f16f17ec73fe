import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { text, type Json } from './document.js';

const METHODS = ['get', 'post', 'patch', 'delete', 'put'];

/** The document, stricter than published: a response may not have undocumented properties. */
function strictDocument(): Json {
  // A schema that is validated by itself refers to the document by its name.
  const strict = JSON.parse(text.replaceAll('"$ref":"#/', '"$ref":"openapi.json#/')) as Json;
  for (const schema of Object.values(strict.components.schemas) as Json[]) {
    if (schema.properties && schema.additionalProperties === undefined && !schema.propertyNames) {
      schema.additionalProperties = false;
      // The properties that `expand` and `groupBy` add for custom fields.
      schema.patternProperties = { '^customFields\\.[a-z][A-Za-z0-9]*(?::(?:day|month|year))?$': {} };
    }
  }
  return strict;
}

interface Documented {
  pattern: RegExp;
  template: string;
  operations: Record<string, Json>;
}

let document: Json;
let ajv: Ajv2020;
/** By their number of segments. */
let paths: Map<number, Documented[]>;
const validators = new Map<string, ValidateFunction>();

const segmentsOf = (path: string): number => path.replace(/\/$/, '').split('/').length;

function load(): void {
  document = strictDocument();
  // Most validators are used once or twice, so creating them costs more than using them.
  ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateFormats: true,
    validateSchema: false,
    code: { optimize: false },
  });
  addFormats(ajv);
  const network = /^[\d.]+\/\d+$|^[\da-f:.]+\/\d+$/;
  ajv
    .addFormat('iso-4217', /^[A-Z]{3}$/)
    .addFormat('inet', network)
    .addFormat('cidr', network);
  // The paths are most of the document, and nothing refers to them.
  ajv.addSchema({ components: document.components }, 'openapi.json');
  const all = Object.entries(document.paths as Record<string, Json>)
    .map(([template, operations]) => ({
      template,
      operations,
      pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
    }))
    // `/api/software-licences/position` is not the path of a licence: the path with fewer placeholders counts.
    .toSorted((a, b) => a.template.split('{').length - b.template.split('{').length);
  paths = new Map();
  for (const path of all) paths.set(segmentsOf(path.template), [...(paths.get(segmentsOf(path.template)) ?? []), path]);
}

/** @param name key of the cached validator */
function validatorOf(name: string, schema: Json): ValidateFunction {
  let validate = validators.get(name);
  if (!validate) validators.set(name, (validate = ajv.compile(schema)));
  return validate;
}

/** The faults of a value by a schema of the document, for example `UpdateSite`; an empty list if there are none. */
export function faultsIn(schema: string, value: unknown): string[] {
  if (!document) load();
  const validate = validatorOf(schema, { $ref: `openapi.json#/components/schemas/${schema}` });
  return validate(value) ? [] : validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Statuses that operations have returned in this process, for example `GET /api/sites 200`. */
export const answered = new Set<string>();

/** @throws Error if a response differs from the document */
export function assertDocumented(method: string, url: string, status: number, headers: Headers, body: unknown): void {
  if (!document) load();
  const path = url.split('?')[0]!;
  const verb = method.toLowerCase();
  // `/api/sites/{id}` matches the path of `/api/sites/bulk` too, which has other methods.
  const found = paths.get(segmentsOf(path))?.find(({ pattern, operations }) => pattern.test(path) && operations[verb]);
  if (!found || !METHODS.includes(verb)) return;
  const name = `${method} ${found.template}`;
  answered.add(`${name} ${status}`);
  const what = `${name} answered ${status}`;
  // Requests that were refused before the operation was known, and internal errors, which tests provoke. Both have the usual
  // error body.
  const declared = [408, 414, 431, 500].includes(status)
    ? { $ref: 'openapi.json#/components/responses/BadRequest' }
    : found.operations[verb]!.responses[status];
  if (!declared) throw new Error(`${what}, which is not documented`);
  const at = declared.$ref
    ? (declared.$ref as string).slice('openapi.json#/'.length).split('/')
    : ['paths', found.template, verb, 'responses', String(status)];
  const response = at.reduce((value, part) => value[part], document);
  // A record that was shown without being written has no entity tag.
  const rehearsed = (body as { dryRun?: boolean } | undefined)?.dryRun === true;
  const always = Object.entries<{ required?: boolean }>(response.headers ?? {}).filter(
    ([, { required = true }]) => required,
  );
  for (const [header] of always) {
    if (!rehearsed && !headers.has(header)) throw new Error(`${what} without the header ${header}`);
  }
  const types = Object.keys(response.content ?? {});
  const type = types.find((one) => headers.get('content-type')?.startsWith(one)) ?? types[0];
  if (!type) {
    if (body !== undefined) throw new Error(`${what} with a body, but none is documented`);
    return;
  }
  if (!headers.get('content-type')?.startsWith(type)) throw new Error(`${what} as ${headers.get('content-type')}`);
  // A file is text, whatever the format of its lines.
  if (!type.endsWith('/json')) return;
  const validate = validatorOf([...at, type].join(' '), response.content[type].schema);
  if (!validate(body)) {
    const faults = validate
      .errors!.slice(0, 5)
      .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
    throw new Error(`${what} with a body that violates the document: ${faults.join('; ')}`);
  }
}
