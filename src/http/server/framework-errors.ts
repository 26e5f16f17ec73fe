import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ofStatus } from './error.filter.js';
import { DomainError } from '../errors.js';
import { loggedUrl } from './logger.js';
import { JSON_TYPE } from '../replies.js';
import type { ResponseHeaders } from './security-headers.js';

/** Responds to requests that Fastify refuses before any hook runs, for example those with a URL that cannot be decoded. */
export const replyToFrameworkError =
  (headers: ResponseHeaders) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const { body, status } = ofStatus(error) ?? new DomainError('internal');
    void reply.headers(headers).headers({ 'x-request-id': request.id, 'cache-control': 'no-store' });
    request.log.info({ method: request.method, url: loggedUrl(request.url), status }, 'request');
    void reply.status(status).type(JSON_TYPE).send(JSON.stringify(body));
  };
