import type { Sent } from '../sent-requests.js';
import { ref, type Json } from './json.js';

const header = (name: string, description: string, example: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', example },
});

const HEADERS = [
  header('webhook-id', 'Identifier of the event. Retries have the same one', 'evt_018f3c1e5d4a4f6b9a7c1e2d3c4b5a69'),
  header('webhook-timestamp', 'Time of this attempt, in seconds since 1970', '1772353800'),
  header(
    'webhook-signature',
    'Signatures with each secret that is valid, separated by spaces',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

const RESPONSES = {
  '2XX': { description: 'The event has arrived' },
  '410': { description: 'Deactivates the webhook' },
  default: { description: 'The event is retried later. Redirects are not followed' },
};

/** The schema of a record without `readOnly`. */
function writable({ properties, ...schema }: Json): Json {
  const plain = Object.entries(properties as Record<string, Json>).map(([name, property]) => {
    const { readOnly: _, ...rest } = property;
    return [name, rest];
  });
  return { ...schema, properties: Object.fromEntries(plain) };
}

/** The section `webhooks`: requests that the service sends. Adds the schemas of their bodies to the others. */
export function webhooksOf(sent: ReadonlyMap<string, Sent>, schemas: Json): Json {
  const webhooks: Json = {};
  for (const [tag, { requests, schemas: own, records }] of sent) {
    Object.assign(schemas, own);
    for (const [name, of] of Object.entries(records)) schemas[name] = writable(schemas[of] as Json);
    for (const [name, { schema, example, ...texts }] of Object.entries(requests)) {
      const body = { schema: ref('schemas', schema), example };
      const requestBody = { required: true, content: { 'application/json': body } };
      webhooks[name] = {
        post: { ...texts, tags: [tag], security: [], parameters: HEADERS, requestBody, responses: RESPONSES },
      };
    }
  }
  return webhooks;
}
