import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { document as published, type Json } from './document.js';

const METHODS = ['get', 'post', 'patch', 'delete', 'put'];

/** The document, stricter than it is published: a response may not have a property that the document does not know. */
function strictDocument(): Json {
  const document = structuredClone(published);
  for (const schema of Object.values(document.components.schemas) as Json[]) {
    if (schema.properties && schema.additionalProperties === undefined && !schema.propertyNames) {
      schema.additionalProperties = false;
    }
  }
  return document;
}

interface Documented {
  pattern: RegExp;
  template: string;
  operations: Record<string, Json>;
}

let document: Json;
let ajv: Ajv2020;
let paths: Documented[];
const validators = new Map<string, ValidateFunction>();

function load(): void {
  document = strictDocument();
  ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  addFormats(ajv);
  ajv.addFormat('iso-4217', /^[A-Z]{3}$/).addFormat('cidr', /^[\d.]+\/\d+$|^[\da-f:.]+\/\d+$/);
  ajv.addSchema(document, 'openapi.json');
  paths = Object.entries(document.paths as Record<string, Json>).map(([template, operations]) => ({
    template,
    operations,
    pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
  }));
}

const pointer = (...parts: string[]): string =>
  parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');

function validatorOf(at: string): ValidateFunction {
  let validate = validators.get(at);
  if (!validate) validators.set(at, (validate = ajv.compile({ $ref: `openapi.json#/${at}` })));
  return validate;
}

/** What is wrong with a value by a schema of the document, such as `UpdateSite`; an empty list when nothing is. */
export function faultsIn(schema: string, value: unknown): string[] {
  if (!document) load();
  const validate = validatorOf(pointer('components', 'schemas', schema));
  return validate(value) ? [] : validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Statuses with which operations have answered in this process, as `GET /api/sites 200`. */
export const answered = new Set<string>();

/** @throws Error where the document says something else of an answer than it is */
export function assertDocumented(method: string, url: string, status: number, headers: Headers, body: unknown): void {
  if (!document) load();
  const path = url.split('?')[0]!;
  const found = paths.find(({ pattern }) => pattern.test(path));
  const verb = method.toLowerCase();
  if (!found || !found.operations[verb] || !METHODS.includes(verb)) return;
  const name = `${method} ${found.template}`;
  answered.add(`${name} ${status}`);
  const what = `${name} answered ${status}`;
  // Refused before it is known what was asked for; or a fault of ours, which tests provoke. Both say so in the same shape.
  const declared = [408, 414, 431, 500].includes(status)
    ? { $ref: '#/components/responses/BadRequest' }
    : found.operations[verb].responses[status];
  if (!declared) throw new Error(`${what}, which the document does not know`);
  const at = declared.$ref
    ? (declared.$ref as string).slice(2).split('/')
    : ['paths', found.template, verb, 'responses', String(status)];
  const response = at.reduce((value, part) => value[part], document);
  for (const header of Object.keys(response.headers ?? {})) {
    if (!headers.has(header)) throw new Error(`${what} without the header ${header}`);
  }
  const type = response.content && Object.keys(response.content)[0];
  if (!type) {
    if (body !== undefined) throw new Error(`${what} with a body, and the document knows none`);
    return;
  }
  if (!headers.get('content-type')?.startsWith(type)) throw new Error(`${what} as ${headers.get('content-type')}`);
  const validate = validatorOf(`${pointer(...at)}/content/${pointer(type)}/schema`);
  if (!validate(body)) {
    const faults = validate
      .errors!.slice(0, 5)
      .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
    throw new Error(`${what} with a body that the document does not allow: ${faults.join('; ')}`);
  }
}
