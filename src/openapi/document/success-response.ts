import { SVG_TYPE } from '../../http/svg.js';
import type { Planned } from '../operation.js';
import type { DeclaredOperation } from './declared.js';
import { ref, type Json } from './json.js';

/** A list as a file. */
const FILE_CONTENT: Json = {
  'text/csv': { schema: { type: 'string', description: 'A header, and a line for each record' } },
  'application/x-ndjson': { schema: { type: 'string', description: 'A line of JSON for each record' } },
};

const PICTURE: Json = { [SVG_TYPE]: { schema: { type: 'string', description: 'An SVG document' } } };

const REHEARSED: Json = { type: 'boolean', description: 'True if the request had `dryRun=true`: nothing was written' };

function dataSchema({ response, data, alternative, several }: DeclaredOperation, schemas: Json): object {
  if (data) return data.schema;
  const schema = ref('schemas', response!.name);
  if (several) return { type: 'array', items: schema };
  if (!alternative) return schema;
  // A separate component, because generators of the 3.0 document create no type for a choice without a name.
  const name = `${alternative.name}Result`;
  schemas[name] = {
    description: 'Depends on the media type of the request',
    anyOf: [schema, ref('schemas', alternative.response.name)],
  };
  return ref('schemas', name);
}

const pageSchema = (name: string, beside: DeclaredOperation['beside'] = {}): Json => ({
  type: 'object',
  description: 'A page of records',
  required: ['data', 'page', 'pageSize', 'hasMore', ...Object.keys(beside)],
  properties: {
    data: { type: 'array', items: ref('schemas', name) },
    total: ref('schemas', 'PageTotal'),
    page: ref('schemas', 'PageNumber'),
    pageSize: ref('schemas', 'PageSize'),
    hasMore: ref('schemas', 'PageHasMore'),
    ...beside,
  },
});

function documentContent({ document, response }: DeclaredOperation, schemas: Json): Json {
  const { text, json } = document!;
  const content: Json = {};
  if (text) {
    const { type, description, example } = text;
    content[type] = { schema: { type: 'string', description }, ...(example !== undefined && { example }) };
  }
  if (json) {
    // A copy, because names within it become references.
    schemas[json.name] = structuredClone(json.schema);
    let schema = ref('schemas', json.name);
    if (response) {
      schemas[`${response.name}List`] = pageSchema(response.name);
      // A separate component, because generators of the 3.0 document create no type for a choice without a name.
      const name = `${json.name}Or${response.name}s`;
      schemas[name] = {
        description: 'Depends on the parameters of the request',
        anyOf: [schema, ref('schemas', `${response.name}List`)],
      };
      schema = ref('schemas', name);
    }
    content['application/json'] = { schema };
  }
  return content;
}

const feedOf = (name: string): Json => ({
  type: 'object',
  description: 'Entries after a cursor',
  required: ['data', 'cursor', 'hasMore'],
  properties: {
    data: { type: 'array', items: ref('schemas', name) },
    cursor: { type: 'string', description: '`since` of the next request' },
    hasMore: { type: 'boolean', description: 'Whether the next request should be sent at once' },
  },
});

/** The response of an operation that succeeds. Its schemas are added to the components. */
export function successResponse(operation: DeclaredOperation, schemas: Json): Json {
  const { status, response, data, alternative, picture, list, several, record, rehearsed } = operation;
  if (status === 204) return { description: 'Done; the response has no body' };
  if (status === 302) {
    return {
      description: 'Redirects the browser and sets a cookie; the response has no body',
      headers: { Location: { description: 'Where the browser goes', schema: { type: 'string' } } },
    };
  }
  if (operation.document) {
    const content = documentContent(operation, schemas);
    if (operation.document.files) return { description: 'The document', content: { ...content, ...FILE_CONTENT } };
    return { description: 'The document', headers: { ETag: ref('headers', 'ETag') }, content };
  }
  if (operation.stream) {
    const { type, description } = operation.stream;
    return { description: 'The stream', content: { [type]: { schema: { type: 'string', description } } } };
  }
  if (picture && !response && !data) return { description: 'The picture', content: PICTURE };
  const { name } = (alternative ?? response ?? data)!;
  if (operation.feed) {
    schemas[`${name}Feed`] = feedOf(name);
    return {
      description: 'The entries',
      content: { 'application/json': { schema: ref('schemas', `${name}Feed`) } },
    };
  }
  const envelope = list
    ? `${name}List`
    : several
      ? `${name}Array`
      : `${name}${operation.beside ? 'Restored' : 'Response'}`;
  schemas[envelope] = list
    ? pageSchema(name, operation.beside)
    : {
        type: 'object',
        required: ['data', ...Object.keys(operation.besideData ?? {})],
        properties: {
          data: dataSchema(operation, schemas),
          ...(rehearsed && { dryRun: REHEARSED }),
          ...operation.beside,
          ...operation.besideData,
        },
      };
  const noun = several ? 'records' : 'record';
  const headers = {
    ...(record && { ETag: ref('headers', 'ETag') }),
    ...(status === 201 && record && { Location: ref('headers', 'Location') }),
    ...operation.headers,
  };
  return {
    description: list ? 'The page' : `The ${status === 201 ? 'new ' : ''}${noun}`,
    ...(Object.keys(headers).length > 0 && { headers }),
    content: {
      'application/json': { schema: ref('schemas', envelope) },
      ...(list && FILE_CONTENT),
      ...(picture && PICTURE),
    },
  };
}

/** The parameter that selects this response. Parts of the document leave out both. */
export const ASKED_BY = 'x-asked-by';

/** The response to a request that is recorded in a change set. Its schema is added to the components. */
export function acceptedResponse({ response: { name }, parameter }: Planned, schemas: Json): Json {
  schemas[`${name}Response`] = {
    type: 'object',
    required: ['data'],
    properties: { data: ref('schemas', name) },
  };
  return {
    description: 'The request is written down in the change set, and not carried out',
    [ASKED_BY]: parameter.name,
    content: { 'application/json': { schema: ref('schemas', `${name}Response`) } },
  };
}
