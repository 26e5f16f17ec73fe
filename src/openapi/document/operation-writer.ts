import { deprecationSentence } from '../../http/deprecation.js';
import { CHANGE_MESSAGE } from '../../http/change-message.js';
import { descriptionOfBody, furtherPropertiesOf, partsOf, type Installation } from '../body.js';
import type { Model } from '../schema.js';
import type { DeclaredOperation } from './declared.js';
import { ref, type Json } from './json.js';
import { queryOf, type Parameters } from './parameters.js';
import { ERROR_RESPONSES, errorResponse } from './shared-components.js';
import { acceptedResponse, successResponse } from './success-response.js';

/** Completes the operations from Nest with the declarations of their handlers. */
export class OperationWriter {
  private readonly bodies = new Set<Model>();
  private readonly responses = new Set<Model>();

  constructor(
    private readonly schemas: Json,
    private readonly parameters: Parameters,
    private readonly installation: Installation,
  ) {}

  write(method: string, path: string, operation: Json, declared: DeclaredOperation): void {
    const { access, body, bodyOptional, upload, status, record, conditional, idempotent, text, deprecated } = declared;
    operation.tags = [declared.tag];
    const going = deprecated && deprecationSentence(deprecated);
    operation.description =
      [going, text.description, accessSentence(declared)].filter(Boolean).join('\n\n') || undefined;
    if (deprecated) operation.deprecated = true;
    if (!operation.description) delete operation.description;
    // Most operations accept every credential. The document states this once for all operations.
    if (access.public || access.session) operation.security = access.public ? [] : [{ session: [] }];
    const { document } = declared;
    const cacheable = (record === true || (document !== undefined && !document.files)) && method === 'get';
    operation.parameters = [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => this.parameters.addInPath(name!, declared.place?.[name!])),
      ...queryOf(declared).map((parameter) => this.parameters.addInQuery(declared, parameter)),
      ...(conditional ? [ref('parameters', 'If-Match')] : []),
      ...(cacheable ? [ref('parameters', 'If-None-Match')] : []),
      ...(idempotent ? [ref('parameters', 'Idempotency-Key')] : []),
      ...(method !== 'get' && !access.public ? [ref('parameters', CHANGE_MESSAGE)] : []),
    ];
    // Nest derives these from the signature of the handler. The declaration is complete.
    delete operation.requestBody;
    if (declared.response) this.responses.add(declared.response);
    if (body) {
      this.bodies.add(body);
      const described = descriptionOfBody(body, this.installation);
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
    const responses: Json = { [status]: successResponse(declared, this.schemas) };
    if (declared.planned) responses[202] = acceptedResponse(declared.planned, this.schemas);
    if (cacheable) responses[304] = { description: `The ${record ? 'record' : 'document'} has not changed` };
    const errors = new Set<number>(declared.errors);
    const takesInput = (operation.parameters as Json[]).length > 0 || body || upload;
    if (takesInput) errors.add(400);
    // Every operation refuses a token that is used from outside its networks.
    if (!access.public) errors.add(401).add(403).add(429).add(503);
    if (body || upload) errors.add(403);
    if (path.includes('{')) errors.add(404);
    if (declared.list || document?.files) errors.add(406);
    if (conditional) errors.add(412);
    if (body || upload) errors.add(413).add(415);
    if (idempotent) errors.add(409).add(422);
    for (const error of [...errors].toSorted((a, b) => a - b))
      responses[error] = declared.explained
        ? (errorResponse(error, EXPLANATION) as Json)
        : ref('responses', ERROR_RESPONSES[error]![0]);
    operation.responses = responses;
  }

  /** Adds the further properties of classes. */
  addFurther(): void {
    for (const response of this.responses) for (const one of [response, ...partsOf(response)]) this.extend(one);
    for (const body of this.bodies) this.extendBody(body);
  }

  private extendBody(body: Model): void {
    this.extend(body);
    for (const part of descriptionOfBody(body, this.installation).parts) this.extendBody(part);
  }

  private extend(model: Model): void {
    for (const [property, { schema, required = false }] of Object.entries(
      furtherPropertiesOf(model, this.installation),
    )) {
      const extended = this.schemas[model.name] as { properties?: Json; required?: string[] };
      extended.properties = { ...extended.properties, [property]: schema as Json };
      const others = extended.required?.filter((name) => name !== property) ?? [];
      if (required) extended.required = [...others, property];
    }
  }

  /** Lists the properties that each body may have. */
  closeBodies(): void {
    for (const body of this.bodies) this.closeBody(body);
  }

  /**
   * Ignored properties are only named. As `readOnly` properties they would make generators create a second type of the body. Prism
   * would remove them from the schema and then refuse them.
   */
  private closeBody(body: Model): void {
    const { settable, ignored, parts } = descriptionOfBody(body, this.installation);
    const schema = this.schemas[body.name] as Json;
    if (ignored.length === 0) schema.additionalProperties = false;
    else schema.propertyNames = { enum: [...settable, ...ignored] };
    for (const part of parts) this.closeBody(part);
  }
}

/** The page that a browser gets instead of the body of a refusal. */
const EXPLANATION: Json = { 'text/html': { schema: { type: 'string', description: 'A page for people' } } };

function accessSentence({ access }: DeclaredOperation): string {
  if (access.public) return 'Needs no credential.';
  const sentences = access.session ? ['Needs a session: tokens are refused.'] : [];
  const role = access.role && access.role !== 'viewer' ? `the role \`${access.role}\`` : undefined;
  const area = access.area ? `the area \`${access.area}\`` : undefined;
  const needs = [role, area].filter(Boolean).join(' and ');
  if (needs) sentences.push(`Needs ${needs}.`);
  return sentences.join(' ');
}
