import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { ENUM_NAME } from '../kernel/field-types.js';
import { EXAMPLE_ID } from '../kernel/fields.js';
import type { DocumentedParameter } from '../kernel/list-query.js';
import { createExample, updateExample } from './body-example.js';
import { OPERATION, operationDocument, type OperationDocument } from './document.js';

type Json = Record<string, unknown>;

/** Of a query parameter that is an operator, the filter that it belongs to; our own Swagger UI folds them by it. */
const OPERATOR_OF = 'x-operator-of';

/** Families and their tags, in the order in which they are shown. */
const FAMILIES: Record<string, Record<string, string>> = {
  Access: {
    Authentication: 'Logging in and out, and the own password',
    Profiles: 'Login profiles and their sessions; for administrators',
  },
  Operations: {
    'On-call schedules': 'Who answers, and when',
    Runbooks: 'Procedures to follow, and who keeps them',
    'Known issues': 'Faults that are known, and their workarounds',
    'Maintenance windows': 'Planned work and its disruption',
    'Change requests': 'Changes from draft to completion',
    Incidents: 'What broke, how badly, and who works on it',
  },
  'Network and compute': {
    Sites: 'Places where equipment stands',
    Locations: 'Parts of a site, in a tree',
    Racks: 'Cabinets of a site, and how many units they have',
    'Device types': 'Models and the modules that fit them',
    'Device roles': 'What devices are for, such as access switches',
    Platforms: 'Operating systems that devices and virtual machines run',
    Devices: 'Switches, servers and other hardware, with its ports and addresses',
    VRFs: 'Routing tables that keep address spaces apart',
    'IP addresses': 'Addresses with their prefix length',
    'Cluster types': 'Technologies that clusters are built with',
    Clusters: 'Hosts that run virtual machines together',
    'Virtual machines': 'Guests of a cluster, with their processors, memory and disk',
  },
  Procurement: {
    Assets: 'What the organisation owns, and who holds it',
    'Asset categories': 'Kinds that assets are sorted into, such as laptops',
    Manufacturers: 'Who makes devices and assets, and where they give support',
    Vendors: 'Who sells or looks after what the organisation buys',
    'Purchase orders': 'Orders and receiving them',
    Contracts: 'Agreements with vendors, their terms and cost',
    SLAs: 'Service levels agreed with vendors',
    'Software licences': 'Seats, keys and expiry of what was bought',
    Renewals: 'What has to be renewed, and when',
  },
  'People and tenancy': {
    People: 'Staff and contacts, and the assets that they hold',
    'Tenant groups': 'Customers or departments that devices belong to',
  },
  Service: {
    'Change log': 'Who changed what, when, from what to what',
    Health: 'Whether the service runs, and its database too',
  },
};

const DESCRIPTION = `A system of record for an organisation's infrastructure: operations, network and compute, assets and procurement, people.

Log in at \`POST /api/auth/login\`; the session cookie that it sets is the credential of every other operation.
Success bodies hold the record, or the page of records, in \`data\`. Every error body is \`{"error": "<sentence>"}\`; a validation error has all its faults in \`details\`.
Texts may hold every Unicode character except NUL, and no half of a surrogate pair.`;

/** Response components, one per status: every error has the same shape. */
const ERROR_RESPONSES: Record<number, readonly [name: string, description: string]> = {
  400: ['BadRequest', 'The request is malformed, or breaks a rule of the contract'],
  401: ['Unauthenticated', 'No session, or one that has ended'],
  403: ['Forbidden', 'The role or the areas of the caller do not suffice, or the write comes from another site'],
  404: ['NotFound', 'There is no such record'],
  409: ['Conflict', 'A unique value is already taken, or a state changed meanwhile'],
  412: ['PreconditionFailed', '`If-Match` does not match'],
  413: ['BodyTooLarge', 'The body is larger than 1 MiB'],
  415: ['UnsupportedMediaType', 'The body is not `application/json`'],
  422: ['IdempotencyKeyReused', 'The `Idempotency-Key` was used with another body'],
  429: ['TooManyRequests', 'Too many attempts; `Retry-After` says when to try again'],
  503: ['Unavailable', 'The database is not available; `Retry-After` says when to try again'],
};

const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

/** The OpenAPI document of the application. Needs no database. */
export function buildDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Infrastructure Inventory and Operations')
    .setDescription(DESCRIPTION)
    .setVersion('1.0.0')
    .addServer('/', 'This service')
    .addCookieAuth(
      'session',
      { type: 'apiKey', in: 'cookie', name: 'session', description: 'Set by `POST /api/auth/login`' },
      'session',
    )
    .build();
  const document = SwaggerModule.createDocument(app, config);
  return new DocumentWriter(document as unknown as Json).write() as unknown as OpenAPIObject;
}

/** A query parameter, with the first record whose list has it, and the places that refer to it. */
interface Meaning {
  parameter: Json;
  record: string;
  references: Json[];
}

/** Fills the skeleton that Nest makes of the routes with what each operation declares. */
class DocumentWriter {
  private readonly components: Record<string, Json>;
  /** Query parameters by name, and by what they take. */
  private readonly parameters = new Map<string, Map<string, Meaning>>();

  constructor(private readonly document: Json) {
    const components = (document.components ??= {}) as Record<string, Json>;
    components.schemas ??= {};
    components.parameters ??= {};
    components.responses ??= {};
    components.headers ??= {};
    this.components = components;
  }

  write(): Json {
    this.shared();
    const used = new Set<string>();
    for (const [path, operations] of Object.entries(this.document.paths as Record<string, Record<string, Json>>)) {
      for (const operation of Object.values(operations)) {
        const index = operation[OPERATION] as number | undefined;
        if (index === undefined) throw new Error(`${String(operation.operationId)} is not documented with @Operation`);
        const declared = operationDocument(index);
        delete operation[OPERATION];
        this.fill(path, operation, declared);
        used.add(declared.tag);
      }
    }
    this.nameParameters();
    this.nameEnumerations(this.components);
    this.tags(used);
    for (const [name, schema] of Object.entries(this.components.schemas!)) {
      // A property that a body may not have is refused, and the document says so.
      if (/^(?:Create|Update)|Dto$/.test(name)) (schema as Json).additionalProperties = false;
    }
    return this.document;
  }

  /** Describes the tags that are used; `x-tagGroups` is what Redoc and our own Swagger UI group them by. */
  private tags(used: ReadonlySet<string>): void {
    const described = Object.values(FAMILIES).flatMap((tags) => Object.entries(tags));
    for (const tag of used) {
      if (!described.some(([name]) => name === tag)) throw new Error(`Tag '${tag}' has no description`);
    }
    this.document.tags = described.map(([name, description]) => ({ name, description }));
    this.document['x-tagGroups'] = Object.entries(FAMILIES).map(([name, tags]) => ({ name, tags: Object.keys(tags) }));
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
      },
    };
    for (const [status, [name, description]] of Object.entries(ERROR_RESPONSES)) {
      this.components.responses![name] = {
        description,
        ...(['429', '503'].includes(status) && { headers: { 'Retry-After': ref('headers', 'Retry-After') } }),
        content: { 'application/json': { schema: ref('schemas', 'Error') } },
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
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    };
  }

  private fill(path: string, operation: Json, declared: OperationDocument): void {
    const { access, body, list, status, record, conditional, idempotent, text } = declared;
    operation.tags = [declared.tag];
    operation.description = [text.description, accessSentence(declared)].filter(Boolean).join('\n\n') || undefined;
    if (!operation.description) delete operation.description;
    operation.security = access.public ? [] : [{ session: [] }];
    const method = record && status === 200 && !conditional && !body;
    operation.parameters = [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => this.pathParameter(name!)),
      ...[...(list?.().parameters ?? []), ...(declared.query ?? [])].map((parameter) =>
        this.queryParameter(declared, parameter),
      ),
      ...(conditional ? [ref('parameters', 'If-Match')] : []),
      ...(method ? [ref('parameters', 'If-None-Match')] : []),
      ...(idempotent ? [ref('parameters', 'Idempotency-Key')] : []),
    ];
    if (body) {
      operation.requestBody = {
        required: true,
        content: {
          'application/json': {
            schema: ref('schemas', body.name),
            example: declared.partial ? updateExample(body) : createExample(body),
          },
        },
      };
    } else {
      delete operation.requestBody;
    }
    const responses: Json = { [status]: this.success(declared) };
    if (method) responses[304] = { description: 'The record has not changed' };
    const errors = new Set<number>(declared.errors);
    const takesInput = (operation.parameters as Json[]).length > 0 || body;
    if (takesInput) errors.add(400);
    if (!access.public) errors.add(401).add(429).add(503);
    if (access.area || (access.role && access.role !== 'viewer') || status === 201 || status === 204 || body)
      errors.add(403);
    if (path.includes('{')) errors.add(404);
    if (conditional) errors.add(412);
    if (body) errors.add(413).add(415);
    if (idempotent) errors.add(409).add(422);
    for (const error of [...errors].toSorted((a, b) => a - b))
      responses[error] = ref('responses', ERROR_RESPONSES[error]![0]);
    operation.responses = responses;
  }

  private pathParameter(name: string): Json {
    return { name, in: 'path', required: true, schema: { type: 'string', format: 'uuid' }, example: EXAMPLE_ID };
  }

  /** A reference to the parameter, which gets its name when all are known. */
  private queryParameter(operation: OperationDocument, declared: DocumentedParameter): Json {
    const { name, description, many, enumName, operatorOf } = declared;
    const schema = enumName ? this.enumeration(enumName, declared.schema) : declared.schema;
    const parameter: Json = {
      name,
      in: 'query',
      description,
      schema: many ? { type: 'array', items: schema } : schema,
      ...(operatorOf !== undefined && { [OPERATOR_OF]: operatorOf }),
    };
    const meanings = this.parameters.get(name) ?? new Map<string, Meaning>();
    this.parameters.set(name, meanings);
    const key = JSON.stringify(parameter);
    const meaning = meanings.get(key) ?? { parameter, record: operation.response!.name, references: [] };
    meanings.set(key, meaning);
    const reference: Json = {};
    meaning.references.push(reference);
    return reference;
  }

  /** A parameter that means the same in most lists is called by its name, another by its list's too: `Device.sort`. */
  private nameParameters(): void {
    for (const [name, meanings] of this.parameters) {
      const [most] = [...meanings.values()].toSorted((a, b) => b.references.length - a.references.length);
      for (const meaning of meanings.values()) {
        const shared = meanings.size === 1 || (meaning === most && meaning.references.length > 1);
        const key = shared ? name : `${meaning.record}.${name}`;
        this.components.parameters![key] = meaning.parameter;
        for (const reference of meaning.references) Object.assign(reference, ref('parameters', key));
      }
    }
  }

  /** Puts closed sets of values that have a name in the place of that name. */
  private nameEnumerations(at: Json): void {
    for (const [key, value] of Object.entries(at)) {
      if (typeof value !== 'object' || value === null) continue;
      const { [ENUM_NAME]: name, ...schema } = value as Json;
      if (typeof name === 'string') at[key] = this.enumeration(name, schema);
      else this.nameEnumerations(value as Json);
    }
  }

  /** A reference to a named closed set of values, with what is said of this use of it. */
  private enumeration(name: string, { enum: values, type, format, ...rest }: Json): Json {
    this.components.schemas![name] ??= { type, ...(format !== undefined && { format }), enum: values };
    return Object.keys(rest).length > 0 ? { allOf: [ref('schemas', name)], ...rest } : ref('schemas', name);
  }

  private success({ status, response, list, record }: OperationDocument): Json {
    if (status === 204) return { description: 'Done; the response has no body' };
    const name = response!.name;
    const schemas = this.components.schemas!;
    const envelope = list ? `${name}List` : `${name}Response`;
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
      : { type: 'object', required: ['data'], properties: { data: ref('schemas', name) } };
    const headers = {
      ...(record && { ETag: ref('headers', 'ETag') }),
      ...(status === 201 && { Location: ref('headers', 'Location') }),
    };
    return {
      description: list ? 'The page' : status === 201 ? 'The new record' : 'The record',
      ...(Object.keys(headers).length > 0 && { headers }),
      content: { 'application/json': { schema: ref('schemas', envelope) } },
    };
  }
}

function accessSentence({ access }: OperationDocument): string {
  if (access.public) return 'Needs no session.';
  const role = access.role && access.role !== 'viewer' ? `the role \`${access.role}\`` : undefined;
  const area = access.area ? `the area \`${access.area}\`` : undefined;
  const needs = [role, area].filter(Boolean).join(' and ');
  return needs ? `Needs ${needs}.` : '';
}

export type { OperationDocument };
