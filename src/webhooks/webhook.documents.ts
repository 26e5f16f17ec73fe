import type { Sent } from '../openapi/sent-requests.js';

const EVENT_TYPE = 'incidents.create';
const TIME = '2026-03-01T08:30:00.000Z';

const ENTRY = {
  id: '018f3c1e-5d4a-7f6b-9a7c-1e2d3c4b5a69',
  createdAt: TIME,
  updatedAt: TIME,
  action: 'create',
  resource: 'incidents',
  area: 'operations',
  recordId: '8d0e4b2a-7c35-4f19-9b6e-2a1c3d5e7f90',
  recordName: 'core-1 is silent',
  actorId: '3f2b8c1e-5d4a-4f6b-9a7c-1e2d3c4b5a69',
  actor: 'ada@example.com',
  tokenId: null,
  tokenName: null,
  message: 'Nobody answers the pager',
  requestId: 'b7e0c1d2-5d4a-4f6b-9a7c-1e2d3c4b5a69',
  before: null,
  after: { name: 'core-1 is silent', severity: 'sev2', status: 'open' },
};

const eventSchema = (type: object, data: object): Record<string, unknown> => ({
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: { type: 'string', description: 'Type of the event', ...type },
    timestamp: { type: 'string', format: 'date-time', description: 'When it happened' },
    data,
  },
});

/** The bodies of what webhooks are sent, by their names. */
const SCHEMAS: Sent['schemas'] = {
  WebhookEvent: eventSchema(
    { example: EVENT_TYPE, pattern: '^[a-z-]+\\.(create|update|delete)$' },
    { $ref: '#/components/schemas/WebhookEntry' },
  ),
  WebhookMessage: {
    type: 'object',
    required: ['text'],
    properties: { text: { type: 'string', maxLength: 300, description: 'The sentence' } },
  },
  WebhookTest: eventSchema(
    { const: 'webhooks.test', example: 'webhooks.test' },
    { $ref: '#/components/schemas/WebhookTestData' },
  ),
  WebhookTestData: {
    type: 'object',
    required: ['webhookId'],
    properties: {
      webhookId: { type: 'string', format: 'uuid', description: 'The webhook', example: ENTRY.recordId },
    },
  },
};

/** What webhooks are sent. */
const REQUESTS: Sent['requests'] = {
  change: {
    operationId: 'webhookChange',
    summary: 'A record was created, changed or deleted (format `standard`)',
    description:
      'Signed as in Standard Webhooks 1.0. `type` is `<resource>.<action>`, and `data` the entry of the change log. It is retried until the response has a status from 200 to 299 within 15 seconds. So it is delivered at least once, and the changes of a record arrive in their order.',
    schema: 'WebhookEvent',
    example: { type: EVENT_TYPE, timestamp: TIME, data: ENTRY },
  },
  changeAsText: {
    operationId: 'webhookChangeAsText',
    summary: 'The same as a sentence (format `text`)',
    description: 'For chat programs: one sentence of at most 300 characters, without markup and mentions.',
    schema: 'WebhookMessage',
    example: { text: 'ada@example.com created incident core-1 is silent: severity sev2, status open.' },
  },
  test: {
    operationId: 'webhookTest',
    summary: 'A test, sent by `POST /api/webhooks/{id}/test`',
    description: 'It is sent once. A webhook with the format `text` gets a sentence instead.',
    schema: 'WebhookTest',
    example: { type: 'webhooks.test', timestamp: TIME, data: { webhookId: ENTRY.recordId } },
  },
};

export const SENT: Sent = { requests: REQUESTS, schemas: SCHEMAS, records: { WebhookEntry: 'ChangeLogEntry' } };
