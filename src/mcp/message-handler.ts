import { createMcpHandler } from '@modelcontextprotocol/server';
import type { CallerRequests } from './caller-requests.js';
import { toolServer } from './tools.js';

/** Answers a message of the protocol with the results of requests on behalf of its caller. */
export function messageHandler(
  onerror: (error: Error) => void,
): (asked: Request, body: unknown, requests: CallerRequests) => Promise<Response> {
  const { fetch } = createMcpHandler(({ authInfo }) => toolServer(authInfo!.extra!.requests as CallerRequests), {
    // The tools never change, so there is nothing to subscribe to.
    maxSubscriptions: 0,
    onerror,
  });
  // The guard has checked the credential, and the requests are made with it.
  const authInfo = { token: '', clientId: '', scopes: [] };
  return (asked, parsedBody, requests) => fetch(asked, { parsedBody, authInfo: { ...authInfo, extra: { requests } } });
}
