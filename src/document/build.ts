import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { ERRORS } from '../http/errors.js';
import { SVG_TYPE } from '../http/svg.js';
import { descriptionOfBody } from '../openapi/body.js';
import { declarationsOf, type Declarations, type DeclaredOperation } from './declared.js';
import { EXAMPLE_ID, SCHEMA_NAME, type DocumentedParameter, type Model, type SchemaName } from '../openapi/schema.js';
import { packageVersion } from './version.js';

type Json = Record<string, unknown>;

/** The filter that an operator parameter belongs to. Our Swagger UI folds operators by it. */
const OPERATOR_OF = 'x-operator-of';

const DESCRIPTION = `A system of record for an organisation's infrastructure: operations, network and compute, assets and procurement, people.

Log in at \`POST /api/auth/login\`, or in a browser at \`GET /api/auth/oidc/login\` if single sign-on is configured; the session cookie that it sets is the credential of every other operation. Programs send a token as \`Authorization: Bearer …\`, or as the value of that cookie; a session makes tokens at \`POST /api/tokens\`.
Success bodies hold the record, or the page of records, in \`data\`. Every error body is \`{"error": "<sentence>"}\`; a validation error has all its faults in \`details\`.
A body may hold what the response shows of its record and cannot be set, such as \`id\` and \`updatedAt\`: that is ignored, so that what was read can be sent back. Every other unknown property is refused by its name.
Each operation lists the statuses it can answer with. Any request can also be refused before it reaches an operation (405, 408, 414, 431) or fail with 500, with the same error body.
Texts may hold every Unicode character except NUL, and no half of a surrogate pair.`;

const says = (error: string): Json => ({ error });
const names = (field: string, message: string): Json => ({
  error: `${field} ${message}`,
  details: [{ field, message }],
});

/** Response components, one per status: every error has the same shape. */
const ERROR_RESPONSES: Record<number, readonly [name: string, description: string, example: Json]> = {
  400: [
    'BadRequest',
    'The request is malformed, or breaks a rule of the contract',
    names('items[0].quantity', 'must be an integer between 1 and 1000'),
  ],
  401: ['Unauthenticated', 'No session or token, or one that has ended', says(ERRORS.unauthenticated.message)],
  403: [
    'Forbidden',
    'The role or the areas of the caller do not suffice, the token does not allow it, or the write comes from another site',
    says('This needs the role editor or above; yours is viewer'),
  ],
  404: ['NotFound', 'There is no such record', says('Site not found')],
  406: ['NotAcceptable', '`Accept` allows no format of the list', says(ERRORS.notAcceptable.message)],
  409: [
    'Conflict',
    'A unique value is already taken, or a state changed meanwhile',
    names('orderNumber', 'is already taken by another record'),
  ],
  410: [
    'Gone',
    'What was asked for is no longer kept',
    names('asOf', 'must not be before 2026-03-01T08:30:00.000Z: the change log is not kept for longer'),
  ],
  412: ['PreconditionFailed', '`If-Match` does not match', says(ERRORS.preconditionFailed.message)],
  413: [
    'BodyTooLarge',
    'The body is larger than the limit of the operation, which is 1 MiB if none is given',
    says(ERRORS.bodyTooLarge.message),
  ],
  415: ['UnsupportedMediaType', 'The body is not `application/json`', says(ERRORS.unsupportedMediaType.message)],
  422: [
    'IdempotencyKeyReused',
    'The `Idempotency-Key` was used with another body',
    says('This Idempotency-Key was already used with another body'),
  ],
  429: [
    'TooManyRequests',
    'Too many attempts; `Retry-After` says when to try again',
    says('Too many requests. Try again in 12 seconds'),
  ],
  503: [
    'Unavailable',
    'The database, or the provider of single sign-on, is not available; `Retry-After` says when to try again',
    says(ERRORS.unavailable.message),
  ],
};

/** A list as a file. */
const FILE_CONTENT: Json = {
  'text/csv': { schema: { type: 'string', description: 'A header, and a line for each record' } },
  'application/x-ndjson': { schema: { type: 'string', description: 'A line of JSON for each record' } },
};

const DRAWING: Json = { [SVG_TYPE]: { schema: { type: 'string', description: 'An SVG document' } } };

/** Visible ASCII with spaces only inside, because spaces around the value of a header are not part of it. */
const VISIBLE = '^[!-~](?:[ -~]*[!-~])?$';

const REHEARSED: Json = { type: 'boolean', description: 'True if the request had `dryRun=true`: nothing was written' };

const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

/** The OpenAPI document of the application. Needs no database. */
export function buildDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Infrastructure Inventory and Operations')
    .setDescription(DESCRIPTION)
    .setVersion(packageVersion())
    .addServer('/', 'This service')
    .addCookieAuth(
      'session',
      {
        type: 'apiKey',
        in: 'cookie',
        name: 'session',
        description: 'Set by `POST /api/auth/login` and by single sign-on; a token is taken as its value too',
      },
      'session',
    )
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'iio_…', description: 'A token, made by `POST /api/tokens`' },
      'bearerAuth',
    )
    .build();
  const document = SwaggerModule.createDocument(app, config);
  return new DocumentWriter(document as unknown as Json, declarationsOf(app)).write() as unknown as OpenAPIObject;
}

/** A query parameter, with the first record whose operation has it, and the places that refer to it. */
interface Meaning {
  parameter: Json;
  record: string;
  of: 'List' | 'Record' | 'Query';
  references: Json[];
}

/** Completes the skeleton that Nest makes from the routes by the declarations of the operations. */
class DocumentWriter {
  private readonly components: Record<string, Json>;
  /** The classes of the bodies. */
  private readonly bodies = new Set<Model>();
  /** Query parameters by name and schema. */
  private readonly parameters = new Map<string, Map<string, Meaning>>();

  constructor(
    private readonly document: Json,
    private readonly declarations: Declarations,
  ) {
    const components = (document.components ??= {}) as Record<string, Json>;
    components.schemas ??= {};
    components.parameters ??= {};
    components.responses ??= {};
    components.headers ??= {};
    this.components = components;
  }

  write(): Json {
    this.shared();
    const routes = this.document.paths as Record<string, Record<string, Json>>;
    const paths: typeof routes = {};
    for (const [route, operations] of Object.entries(routes)) {
      const path = this.distinctNames(route, routes);
      paths[path] = operations;
      for (const [method, operation] of Object.entries(operations)) {
        const declared = this.declarationOf(operation);
        this.fill(method, path, operation, declared);
      }
    }
    this.document.paths = paths;
    this.nameParameters();
    this.nameSchemas(this.components);
    this.tags();
    for (const body of this.bodies) this.closeBody(body);
    return this.document;
  }

  private declarationOf({ operationId }: Json): DeclaredOperation {
    const declared = this.declarations.operations.get(operationId as string);
    if (!declared) throw new Error(`${String(operationId)} is not documented with @Operation`);
    return declared;
  }

  /**
   * The path of a route. In many generated clients the parameters of an operation share one name space, so a path parameter `id`
   * would collide with the filter `id`. Therefore a list below a site has the path parameter `siteId`. A part further down the path
   * has a name of its own too.
   */
  private distinctNames(route: string, routes: Record<string, Record<string, Json>>): string {
    const filters = new Set(
      Object.values(routes[route]!).flatMap((operation) =>
        queryOf(this.declarationOf(operation)).map(({ name }) => name),
      ),
    );
    return route.replaceAll(/\{(\w+)\}/g, (placeholder, name: string, end: number) => {
      const isOwner = route.includes('{', end + 1);
      if (!isOwner && !filters.has(name)) return placeholder;
      const { get: record } = routes[route.slice(0, end + placeholder.length)]!;
      const { name: owner } = this.declarationOf(record!).response!;
      const named = `${owner.charAt(0).toLowerCase()}${owner.slice(1)}Id`;
      // The list of a token's changes has a filter `tokenId`: the token with which a change was made.
      return filters.has(named) ? `{changed${owner}Id}` : `{${named}}`;
    });
  }

  /**
   * Lists the properties that a body may have. Ignored ones are only named. As `readOnly` properties they would make generators
   * create a second type of the body, and Prism would remove them from the schema and then refuse them.
   */
  private closeBody(body: Model): void {
    const { settable, ignored, parts } = descriptionOfBody(body);
    const schema = this.components.schemas![body.name] as Json;
    if (ignored.length === 0) schema.additionalProperties = false;
    else schema.propertyNames = { enum: [...settable, ...ignored] };
    for (const part of parts) this.closeBody(part);
  }

  /** Redoc and our Swagger UI group the tags by `x-tagGroups`. */
  private tags(): void {
    const groups = [...this.declarations.tagGroups];
    this.document.tags = groups.flatMap(([, tags]) => [...tags].map(([name, description]) => ({ name, description })));
    this.document['x-tagGroups'] = groups.map(([name, tags]) => ({ name, tags: [...tags.keys()] }));
  }

  private shared(): void {
    this.components.schemas!.Error = {
      type: 'object',
      description: 'Why a request was refused',
      required: ['error'],
      properties: {
        error: { type: 'string', description: 'A sentence that names the field and what was expected' },
        details: {
          type: 'array',
          description: 'All faults of a validation error',
          items: ref('schemas', 'Fault'),
        },
      },
    };
    this.components.schemas!.Fault = {
      type: 'object',
      description: 'One thing wrong with a request',
      required: ['field', 'message'],
      properties: {
        field: { type: 'string', description: 'Where', examples: ['items[0].quantity'] },
        message: {
          type: 'string',
          description: 'What was expected',
          examples: ['must be an integer between 1 and 1000'],
        },
        row: { type: 'integer', description: 'Number of the row of an imported file, from 1' },
        line: { type: 'integer', description: 'Line of the file on which the row starts' },
      },
    };
    for (const [status, [name, description, example]] of Object.entries(ERROR_RESPONSES)) {
      this.components.responses![name] = {
        description,
        ...(['429', '503'].includes(status) && { headers: { 'Retry-After': ref('headers', 'Retry-After') } }),
        content: { 'application/json': { schema: ref('schemas', 'Error'), example } },
      };
    }
    this.components.headers!['Retry-After'] = { description: 'Seconds to wait', schema: { type: 'integer' } };
    this.components.headers!.ETag = {
      description: 'Entity tag of the record as the caller sees it',
      schema: { type: 'string' },
    };
    this.components.headers!.Location = { description: 'Path of the new record', schema: { type: 'string' } };
    this.components.parameters!['If-Match'] = {
      name: 'If-Match',
      in: 'header',
      description: 'Entity tag that the record must still have; otherwise the request is refused with 412',
      schema: { type: 'string' },
    };
    this.components.parameters!['If-None-Match'] = {
      name: 'If-None-Match',
      in: 'header',
      description: 'Entity tag that the client already has; answered with 304 while it is current',
      schema: { type: 'string' },
    };
    this.components.parameters!['Idempotency-Key'] = {
      name: 'Idempotency-Key',
      in: 'header',
      description: 'Makes the request safe to repeat for 24 hours: the same key and body give the first answer again',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: VISIBLE },
    };
  }

  private fill(method: string, path: string, operation: Json, declared: DeclaredOperation): void {
    const { access, body, bodyOptional, upload, status, record, conditional, idempotent, text } = declared;
    operation.tags = [declared.tag];
    operation.description = [text.description, accessSentence(declared)].filter(Boolean).join('\n\n') || undefined;
    if (!operation.description) delete operation.description;
    operation.security = access.public
      ? []
      : access.session
        ? [{ session: [] }]
        : [{ bearerAuth: [] }, { session: [] }];
    const cacheable = (record === true || declared.document !== undefined) && method === 'get';
    operation.parameters = [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => this.pathParameter(name!, declared.place?.[name!])),
      ...queryOf(declared).map((parameter) => this.queryParameter(declared, parameter)),
      ...(conditional ? [ref('parameters', 'If-Match')] : []),
      ...(cacheable ? [ref('parameters', 'If-None-Match')] : []),
      ...(idempotent ? [ref('parameters', 'Idempotency-Key')] : []),
    ];
    // Nest derives these from the signature of the handler. The declaration is complete.
    delete operation.requestBody;
    if (body) {
      this.bodies.add(body);
      const described = descriptionOfBody(body);
      operation.requestBody = {
        required: !bodyOptional,
        content: {
          'application/json': {
            schema: ref('schemas', body.name),
            example: declared.partial ? described.updateExample() : described.createExample(),
          },
        },
      };
    }
    if (upload) {
      const content = Object.entries(upload).map(([type, example]) => [type, { schema: { type: 'string' }, example }]);
      operation.requestBody = { required: true, content: Object.fromEntries(content) as Json };
    }
    const responses: Json = { [status]: this.success(declared) };
    if (cacheable) responses[304] = { description: `The ${record ? 'record' : 'document'} has not changed` };
    const errors = new Set<number>(declared.errors);
    const takesInput = (operation.parameters as Json[]).length > 0 || body || upload;
    if (takesInput) errors.add(400);
    // Every operation refuses a token that is used outside of its networks.
    if (!access.public) errors.add(401).add(403).add(429).add(503);
    if (body || upload) errors.add(403);
    if (path.includes('{')) errors.add(404);
    if (declared.list) errors.add(406);
    if (conditional) errors.add(412);
    if (body || upload) errors.add(413).add(415);
    if (idempotent) errors.add(409).add(422);
    for (const error of [...errors].toSorted((a, b) => a - b))
      responses[error] = ref('responses', ERROR_RESPONSES[error]![0]);
    operation.responses = responses;
  }

  /** @param described schema and example; those of an id by default */
  private pathParameter(
    name: string,
    described: object = { schema: { type: 'string', format: 'uuid' }, example: EXAMPLE_ID },
  ): Json {
    return { name, in: 'path', required: true, ...described };
  }

  /** A reference to the parameter. Its name is set when all parameters are known. */
  private queryParameter(operation: DeclaredOperation, declared: DocumentedParameter): Json {
    const { name, description, many, enumName, operatorOf, separated, required } = declared;
    const schema = enumName ? this.named({ name: enumName }, declared.schema) : declared.schema;
    const parameter: Json = {
      name,
      in: 'query',
      ...(required && { required }),
      description,
      schema: many ? { type: 'array', items: schema } : schema,
      ...(separated && { style: 'form', explode: false }),
      ...(operatorOf !== undefined && { [OPERATOR_OF]: operatorOf }),
    };
    const meanings = this.parameters.get(name) ?? new Map<string, Meaning>();
    this.parameters.set(name, meanings);
    const key = JSON.stringify(parameter);
    const meaning = meanings.get(key) ?? {
      parameter,
      record: operation.response?.name ?? '',
      of: operation.list ? 'List' : operation.response ? 'Record' : 'Query',
      references: [],
    };
    meanings.set(key, meaning);
    const reference: Json = {};
    meaning.references.push(reference);
    return reference;
  }

  /**
   * A parameter that is the same in most lists is named after lists (or records) in general, another one after its own list:
   * `List.sort`, `DeviceList.sort`. Generators make `ListSort` and `DeviceListSort` of them, which no other schema is named.
   */
  private nameParameters(): void {
    for (const [name, meanings] of this.parameters) {
      const [most] = [...meanings.values()].toSorted((a, b) => b.references.length - a.references.length);
      for (const meaning of meanings.values()) {
        const shared = meanings.size === 1 || (meaning === most && meaning.references.length > 1);
        const key = `${shared ? '' : meaning.record}${meaning.of}.${name}`;
        this.components.parameters![key] = meaning.parameter;
        for (const reference of meaning.references) Object.assign(reference, ref('parameters', key));
      }
    }
  }

  /** Replaces schemas that have a name by references: closed sets of values, and dates. */
  private nameSchemas(at: Json): void {
    for (const [key, value] of Object.entries(at)) {
      if (typeof value !== 'object' || value === null) continue;
      const { [SCHEMA_NAME]: name, ...schema } = value as Json;
      if (name !== undefined) at[key] = this.named(name as SchemaName, schema);
      else this.nameSchemas(value as Json);
    }
  }

  /** A reference to a named schema, with the description of this use. */
  private named({ name, whole, ...said }: SchemaName, schema: Json): Json {
    const reference = ref('schemas', name);
    const { description, example, default: fallback, readOnly, type, ...shape } = schema;
    if (whole) {
      this.components.schemas![name] ??= { type, description, examples: [example], readOnly, ...shape };
      return reference;
    }
    const types = [type].flat();
    this.components.schemas![name] ??= {
      type: types.find((one) => one !== 'null'),
      ...shape,
      ...said,
    };
    const use = Object.fromEntries(
      Object.entries({ description, example, default: fallback, readOnly }).filter(([, value]) => value !== undefined),
    );
    if (types.includes('null')) return { ...use, anyOf: [reference, { type: 'null' }] };
    return Object.keys(use).length > 0 ? { allOf: [reference], ...use } : reference;
  }

  private dataSchema({ response, data, alternative, several }: DeclaredOperation): object {
    if (data) return data.schema;
    const schema = ref('schemas', response!.name);
    if (several) return { type: 'array', items: schema };
    if (!alternative) return schema;
    // Under a name of its own: generators of the 3.0 document make no type for a choice without one.
    const name = `${alternative.name}Result`;
    this.components.schemas![name] = {
      description: 'Depends on the media type of the request',
      anyOf: [schema, ref('schemas', alternative.response.name)],
    };
    return ref('schemas', name);
  }

  private success(operation: DeclaredOperation): Json {
    const { status, response, data, alternative, drawn, list, several, record, rehearsed } = operation;
    if (status === 204) return { description: 'Done; the response has no body' };
    if (status === 302) {
      return {
        description: 'Redirects the browser and sets a cookie; the response has no body',
        headers: { Location: { description: 'Where the browser goes', schema: { type: 'string' } } },
      };
    }
    if (operation.document) {
      const { type, description } = operation.document;
      const content = { [type]: { schema: { type: 'string', description } } };
      return { description: 'The document', headers: { ETag: ref('headers', 'ETag') }, content };
    }
    if (drawn && !response && !data) return { description: 'The drawing', content: DRAWING };
    const { name } = (alternative ?? response ?? data)!;
    const schemas = this.components.schemas!;
    const envelope = list ? `${name}List` : several ? `${name}Array` : `${name}Response`;
    schemas[envelope] = list
      ? {
          type: 'object',
          description: 'A page of records',
          required: ['data', 'total', 'page', 'pageSize', 'hasMore'],
          properties: {
            data: { type: 'array', items: ref('schemas', name) },
            total: { type: 'integer', description: 'Records that match, on all pages' },
            page: { type: 'integer', description: 'Number of this page, from 1' },
            pageSize: { type: 'integer', description: 'Rows per page' },
            hasMore: { type: 'boolean', description: 'Whether a page follows' },
          },
        }
      : {
          type: 'object',
          required: ['data'],
          properties: { data: this.dataSchema(operation), ...(rehearsed && { dryRun: REHEARSED }) },
        };
    const noun = several ? 'records' : 'record';
    const headers = {
      ...(record && { ETag: ref('headers', 'ETag') }),
      ...(status === 201 && record && { Location: ref('headers', 'Location') }),
    };
    return {
      description: list ? 'The page' : `The ${status === 201 ? 'new ' : ''}${noun}`,
      ...(Object.keys(headers).length > 0 && { headers }),
      content: {
        'application/json': { schema: ref('schemas', envelope) },
        ...(list && FILE_CONTENT),
        ...(drawn && DRAWING),
      },
    };
  }
}

/**
 * The query parameters of an operation that are worth documenting. `__empty` of a field that is never null and filters by a
 * field whose value the path fixes are accepted too, but narrow nothing.
 */
function queryOf({ list, query = [], fixed = [] }: DeclaredOperation): readonly DocumentedParameter[] {
  return [...(list?.parameters ?? []), ...(typeof query === 'function' ? query() : query)].filter(
    ({ name, documented = true, operatorOf = name }) => documented && !fixed.includes(operatorOf),
  );
}

function accessSentence({ access }: DeclaredOperation): string {
  if (access.public) return 'Needs no credential.';
  const sentences = access.session ? ['Needs a session: tokens are refused.'] : [];
  const role = access.role && access.role !== 'viewer' ? `the role \`${access.role}\`` : undefined;
  const area = access.area ? `the area \`${access.area}\`` : undefined;
  const needs = [role, area].filter(Boolean).join(' and ');
  if (needs) sentences.push(`Needs ${needs}.`);
  return sentences.join(' ');
}
