import { PROBLEM_TYPE } from '../../http/accept.js';
import { CHANGE_MESSAGE } from '../../http/change-message.js';
import { ERRORS_PAGE } from '../../http/error-body.js';
import { type ErrorCode, ERRORS, FAULT_CODES, type FaultCode } from '../../http/errors.js';
import { type Components, type Json, ref } from './json.js';
import { KEY_REUSED } from '../operation.js';

const says = (code: ErrorCode, error: string): Json => ({ error, code });
const names = (code: ErrorCode, field: string, message: string, fault: FaultCode = 'invalid'): Json => ({
  error: `${field} ${message}`,
  code,
  details: [{ field, message, code: fault }],
});

/** Response components, one per status: every error has the same shape. */
export const ERROR_RESPONSES: Record<number, readonly [name: string, description: string, example: Json]> = {
  400: [
    'BadRequest',
    'The request is malformed, or breaks a rule of the contract',
    names('validation', 'items[0].quantity', 'must be an integer between 1 and 1000'),
  ],
  401: [
    'Unauthenticated',
    'No session or token, or one that has ended',
    says('unauthenticated', ERRORS.unauthenticated.message),
  ],
  403: [
    'Forbidden',
    'The role or the areas of the caller do not suffice, the token does not allow it, or the write comes from another site',
    says('forbidden', 'This needs the role editor or above; yours is viewer'),
  ],
  404: ['NotFound', 'There is no such record', says('not_found', 'Site not found')],
  406: [
    'NotAcceptable',
    '`Accept` allows no format of the list',
    says('not_acceptable', ERRORS.not_acceptable.message),
  ],
  409: [
    'Conflict',
    'A unique value is already taken, or a state changed meanwhile',
    names('conflict_unique', 'orderNumber', 'is already taken by another record', 'conflict_unique'),
  ],
  410: [
    'Gone',
    'The requested data is no longer kept',
    names(
      'gone',
      'asOf',
      'must be 2026-03-01T08:30:00.000Z or later: the change log has no entries from before that time',
    ),
  ],
  412: [
    'PreconditionFailed',
    '`If-Match` does not match',
    says('precondition_failed', ERRORS.precondition_failed.message),
  ],
  413: [
    'BodyTooLarge',
    'The body is larger than the limit of the operation, which is 1 MiB if none is given',
    says('body_too_large', ERRORS.body_too_large.message),
  ],
  415: [
    'UnsupportedMediaType',
    'The body is not `application/json`',
    says('unsupported_media_type', ERRORS.unsupported_media_type.message),
  ],
  422: [
    'IdempotencyKeyReused',
    'The `Idempotency-Key` was used with another body or other query parameters',
    says('idempotency_key_reused', KEY_REUSED),
  ],
  429: [
    'TooManyRequests',
    'Too many attempts; `Retry-After` says when to try again',
    says('too_many_requests', 'The limit of 6000 requests per minute is exceeded. Try again in 12 s'),
  ],
  503: [
    'Unavailable',
    'The database, or the provider of single sign-on, is not available; `Retry-After` says when to try again',
    says('unavailable', ERRORS.unavailable.message),
  ],
};

const ACCEPTED: Json = {
  'Accept-Patch': {
    description: 'Media types of the body of a PATCH, in its refusal',
    required: false,
    schema: { type: 'string' },
  },
};

/** Problem details. They have the contents of the error body under the names of RFC 9457. */
const problemSchema = ({ properties }: Json): Json => {
  const { code, count, records } = properties as Json;
  return {
    type: 'object',
    description: 'Why a request was refused, as RFC 9457 has it. For requests that name this media type in `Accept`',
    required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
    properties: {
      type: {
        type: 'string',
        format: 'uri-reference',
        description: 'Where the code is described',
        examples: [`${ERRORS_PAGE}#validation`],
      },
      title: { type: 'string', description: 'The kind of the refusal in words', examples: [ERRORS.validation.title] },
      status: { type: 'integer', description: 'The status of the response', examples: [400] },
      detail: { type: 'string', description: 'A sentence that names the field and what was expected. It may change' },
      instance: { type: 'string', format: 'uri', description: 'The id of the request, as in the log of the service' },
      code,
      errors: { type: 'array', description: 'All faults of the request', items: ref('schemas', 'ProblemFault') },
      count,
      records,
    },
  };
};

const problemFaultSchema = ({ properties }: Json): Json => {
  const { code, row, line } = properties as Json;
  return {
    type: 'object',
    description: 'One thing wrong with a request, in problem details',
    required: ['pointer', 'detail', 'code'],
    properties: {
      pointer: {
        type: 'string',
        description: 'Where, as a JSON Pointer in a fragment. A parameter of the query is named in the same way',
        examples: ['#/items/0/quantity'],
      },
      detail: {
        type: 'string',
        description: 'What was expected',
        examples: ['must be an integer between 1 and 1000'],
      },
      code,
      row,
      line,
    },
  };
};

/** Visible ASCII with spaces only inside, because surrounding spaces are not part of a header value. */
const VISIBLE = '^[!-~](?:[ -~]*[!-~])?$';

/** The response of a refusal. @param more further content, by media type */
export function errorResponse(status: number, more: Json = {}): Json {
  const [, description, example] = ERROR_RESPONSES[status]!;
  return {
    description,
    ...([429, 503].includes(status) && { headers: { 'Retry-After': ref('headers', 'Retry-After') } }),
    ...(status === 415 && { headers: ACCEPTED }),
    content: {
      'application/json': { schema: ref('schemas', 'Error'), example },
      [PROBLEM_TYPE]: { schema: ref('schemas', 'Problem') },
      ...more,
    },
  };
}

/** Adds the components that many operations refer to: parts of lists, errors, headers and parameters. */
export function addSharedComponents(components: Components): void {
  Object.assign(components.schemas!, {
    PageTotal: {
      type: 'integer',
      description: 'Records that match, on all pages. With `after` it is left out, unless `total=true`',
      examples: [1],
    },
    PageNumber: {
      type: 'integer',
      description: 'Number of this page, from 1. With `after`, pages are counted from the cursor',
      examples: [1],
    },
    PageSize: { type: 'integer', description: 'Rows per page', examples: [50] },
    PageHasMore: { type: 'boolean', description: 'Whether a page follows', examples: [false] },
  });
  components.schemas!.Error = {
    type: 'object',
    description: 'Why a request was refused',
    required: ['error', 'code'],
    properties: {
      error: { type: 'string', description: 'A sentence that names the field and what was expected. It may change' },
      code: ref('schemas', 'ErrorCode'),
      details: {
        type: 'array',
        description: 'All faults of a validation error',
        items: ref('schemas', 'Fault'),
      },
      count: {
        type: 'integer',
        minimum: 1,
        description: 'Number of records that contradict a change of a custom field',
      },
      conflicts: {
        type: 'array',
        items: { type: 'object', additionalProperties: true },
        description: 'All that stands in the way of a merge or an undo',
      },
      records: {
        type: 'array',
        maxItems: 10,
        description: 'The first of these records that the caller may read',
        items: ref('schemas', 'ConflictingRecord'),
      },
    },
  };
  components.schemas!.Problem = problemSchema(components.schemas!.Error as Json);
  components.schemas!.ConflictingRecord = {
    type: 'object',
    description: 'A record that contradicts a change',
    required: ['resource', 'id', 'name'],
    properties: {
      resource: { type: 'string', description: 'Its resource', examples: ['devices'] },
      id: { type: 'string', format: 'uuid', description: 'Its identifier' },
      name: { type: ['string', 'null'], description: 'Its name; null if it has none' },
    },
  };
  components.schemas!.Fault = {
    type: 'object',
    description: 'One thing wrong with a request',
    required: ['field', 'message', 'code'],
    properties: {
      field: { type: 'string', description: 'Where', examples: ['items[0].quantity'] },
      message: {
        type: 'string',
        description: 'What was expected',
        examples: ['must be an integer between 1 and 1000'],
      },
      code: ref('schemas', 'FaultCode'),
      row: { type: 'integer', description: 'Number of the row of an imported file, from 1' },
      line: { type: 'integer', description: 'Line of the file on which the row starts' },
    },
  };
  components.schemas!.ProblemFault = problemFaultSchema(components.schemas!.Fault as Json);
  components.schemas!.ErrorCode = {
    type: 'string',
    enum: Object.keys(ERRORS),
    description: 'The kind of a refusal, for programs. Sentences may change, codes do not',
  };
  components.schemas!.FaultCode = {
    type: 'string',
    enum: [...FAULT_CODES],
    description: 'The kind of a fault, for programs',
  };
  for (const [status, [name]] of Object.entries(ERROR_RESPONSES))
    components.responses![name] = errorResponse(Number(status));
  components.headers!['Retry-After'] = { description: 'Seconds to wait', schema: { type: 'integer' } };
  components.headers!.ETag = {
    description:
      'Entity tag of the record as the caller sees it. It changes with anything that the response shows, also with the names of other records',
    schema: { type: 'string' },
  };
  components.headers!.Location = { description: 'Path of the new record', schema: { type: 'string' } };
  components.parameters!['If-Match'] = {
    name: 'If-Match',
    in: 'header',
    description:
      'Entity tag of the record, or several. The request is refused with 412 if the record was written since. A name that the record only shows, such as that of its site, may have changed',
    schema: { type: 'string' },
  };
  components.parameters!['If-None-Match'] = {
    name: 'If-None-Match',
    in: 'header',
    description: 'Entity tag that the client already has; the response is 304 while it is current',
    schema: { type: 'string' },
  };
  components.parameters![CHANGE_MESSAGE] = {
    name: CHANGE_MESSAGE,
    in: 'header',
    description:
      'Why the change is made: up to 1,000 characters of UTF-8, percent-encoded. The change log shows it with each change of the request',
    schema: { type: 'string' },
  };
  components.parameters!['Idempotency-Key'] = {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Makes the request safe to retry for 24 hours: the same key and body give the first response again',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: VISIBLE },
  };
}
