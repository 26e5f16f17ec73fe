import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { DomainError } from '../errors.js';
import { JSON_TYPE } from '../replies.js';
import { hasBegun } from './requests-ahead.js';
import type { ResponseHeaders } from './security-headers.js';

/** The refusals of faults that Node's parser names. */
const REFUSALS: Readonly<Record<string, DomainError>> = {
  HPE_HEADER_OVERFLOW: new DomainError('headers_too_large'),
  ERR_HTTP_REQUEST_TIMEOUT: new DomainError('request_timeout'),
};

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
    const refusal = REFUSALS[error.code ?? ''] ?? new DomainError('validation', 'The request is not valid HTTP');
    const { status } = refusal;
    const reqId = randomUUID();
    log.info({ reqId, status, code: error.code }, 'request');
    const body = JSON.stringify(refusal.body);
    const lines = Object.entries({
      ...headers,
      'cache-control': 'no-store',
      'x-request-id': reqId,
      'content-type': JSON_TYPE,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  };
}
