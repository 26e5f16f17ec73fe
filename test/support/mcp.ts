import type { Api } from './app.js';

export const TOOLS = [
  'answer',
  'describe_resource',
  'find_anything',
  'find_operations',
  'history',
  'list_records',
  'propose',
  'read_record',
];

/** The answer of a tool. */
export interface ToolAnswer {
  isError: boolean;
  /** The data of the response to its request. */
  text: string;
  /** The tool's description of the request; undefined if there was none. */
  about?: {
    request: string;
    status: number;
    total?: number;
    returned?: number;
    next?: string;
    characters?: number;
    nextOffset?: number;
  };
}

interface Message {
  jsonrpc: '2.0';
  id: number;
  result?: { content: { text: string }[]; isError?: boolean };
  error?: { code: number; message: string };
}

/** Sends a message in the form of the revisions before 2026, without a session. */
export async function sendMessage(api: Api, message: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(`${api.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(api.cookie !== undefined && { cookie: `session=${api.cookie}` }),
      ...(api.token !== undefined && { authorization: `Bearer ${api.token}` }),
    },
    body: JSON.stringify(message),
  });
  return { status: response.status, text: await response.text() };
}

/** The message of a response, which may be a stream with one event. */
export function messageOf(text: string): Message {
  const data = text.split('\n').find((line) => line.startsWith('data: '));
  return JSON.parse(data === undefined ? text : data.slice('data: '.length)) as Message;
}

/** Calls a tool. */
export async function callTool(api: Api, name: string, args: object = {}): Promise<ToolAnswer> {
  const { text } = await sendMessage(api, {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  const { result, error } = messageOf(text);
  if (!result) return { isError: true, text: error!.message };
  const [data, about] = result.content;
  return {
    isError: result.isError === true,
    text: data!.text,
    ...(about && { about: JSON.parse(about.text) as ToolAnswer['about'] }),
  };
}

/** The response to the request of an answer. */
export async function standsFor(api: Api, { about }: ToolAnswer): Promise<{ status: number; text: string }> {
  const [method, path] = about!.request.split(' ') as [string, string];
  const { status, text } = await api.request(method, path);
  return { status, text };
}
