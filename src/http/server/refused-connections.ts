import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { ERRORS } from '../errors.js';
import { JSON_TYPE } from '../replies.js';
import { hasBegun } from './requests-ahead.js';
import type { ResponseHeaders } from './security-headers.js';

const STATUS_TEXT = { 400: 'Bad Request', 408: 'Request Timeout', 431: 'Request Header Fields Too Large' } as const;

/**
 * Responds to connections with invalid HTTP, or with headers that are too large or too slow. Fastify sees no request for these.
 */
export function refuseConnection(headers: ResponseHeaders, log: FastifyBaseLogger) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    // A response that has begun cannot be followed by another one.
    if (error.code === 'ECONNRESET' || !socket.writable || hasBegun(socket)) {
      socket.destroy();
      return;
    }
    const [status, message] =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? ([ERRORS.headersTooLarge.status, ERRORS.headersTooLarge.message] as const)
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? ([ERRORS.requestTimeout.status, ERRORS.requestTimeout.message] as const)
          : ([400, 'The request is not valid HTTP'] as const);
    const reqId = randomUUID();
    log.info({ reqId, status, code: error.code }, 'request');
    const body = JSON.stringify({ error: message });
    const lines = Object.entries({
      ...headers,
      'cache-control': 'no-store',
      'x-request-id': reqId,
      'content-type': JSON_TYPE,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_TEXT[status]}\r\n${lines.join('')}\r\n${body}`);
  };
}
