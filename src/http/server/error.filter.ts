import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { routedPath, sentPath } from '../api-path.js';
import { DomainError, ERRORS, joined, ValidationFailed, type ErrorCode, type Fault } from '../errors.js';
import { NotAnId } from '../path-id.js';
import { errorBody } from '../error-body.js';
import { ACCEPT_PATCH, bodyTooLarge } from '../json-body.js';
import type { RouteTable } from './route-table.js';

/** The functions of database errors that the filter needs. */
interface DatabaseErrors {
  /**
   * The refusal for a database error, or undefined if it is an internal error. `unforeseen` is set if the database caught
   * something that validation should have caught.
   */
  refusalOf(error: unknown): { refusal: DomainError; unforeseen?: boolean } | undefined;
  /** The violations of an error, one for each fault of its refusal. */
  violationsOf(error: unknown): unknown[];
  /** The record that a value of the request conflicts with, in words; undefined if the caller may not know it. */
  otherRecord(violation: unknown, request: FastifyRequest): Promise<string | undefined>;
  /** A fault for each reference in the body to a record that does not exist. */
  danglingReferences(request: FastifyRequest): Promise<readonly Fault[]>;
  /** Whether the database is known to be unavailable. */
  isOut(): boolean;
}

/** Turns every error into the one error body, and logs internal errors. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly routes: RouteTable,
    private readonly database: DatabaseErrors,
  ) {}

  async catch(exception: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (reply.sent) return;
    const refusal = this.refusal(exception, request);
    send(await this.complete(refusal, exception, request), request, reply);
  }

  /** Completes the refusal with data from the database. This is possible now that the transaction of the request has ended. */
  private complete(
    refusal: DomainError,
    exception: unknown,
    request: FastifyRequest,
  ): DomainError | Promise<DomainError> {
    if (refusal.status === ERRORS.conflict.status) return this.named(refusal, exception, request);
    return refusal.code === 'reference_missing' ? this.namingAll(refusal, exception, request) : refusal;
  }

  /** A refusal that names all references to missing records, if the database or a service has reported some. */
  private async namingAll(refusal: DomainError, exception: unknown, request: FastifyRequest): Promise<DomainError> {
    const found = await this.database.danglingReferences(request).catch(() => []);
    if (found.length === 0) return refusal;
    // A service reports places in the request, including ids that the body does not declare as references. The database reports a column.
    const own = exception instanceof DomainError ? refusal.extra.details! : [];
    const places = new Set(found.map(({ field }) => field));
    return new ValidationFailed([...found, ...own.filter(({ field }) => !places.has(field))]);
  }

  /** A conflict that names the conflicting record. */
  private async named(refusal: DomainError, exception: unknown, request: FastifyRequest): Promise<DomainError> {
    const error = exception instanceof DomainError ? exception.cause : exception;
    const faults = refusal.extra.details ?? [];
    const violations = error === undefined ? [] : this.database.violationsOf(error);
    if (faults.length === 0 || violations.length !== faults.length) return refusal;
    const named: Fault[] = [];
    for (const [place, fault] of faults.entries()) {
      const other = await this.database.otherRecord(violations[place], request).catch(() => undefined);
      named.push(other === undefined ? fault : fault.with({ message: `${fault.message}: ${other}` }));
    }
    if (named.every((fault, place) => fault === faults[place])) return refusal;
    return new DomainError(refusal.code, joined(named.map(String)), { ...refusal.extra, details: named });
  }

  private refusal(exception: unknown, request: FastifyRequest): DomainError {
    if (exception instanceof NotAnId && exception.isWord) return this.wordForId(exception, request);
    if (exception instanceof DomainError) return exception;
    // The client has disconnected or has sent invalid HTTP, so nobody receives this response. Without this check the error would
    // look like a lost connection to the database.
    if (request.raw.errored) return new DomainError('validation', 'The connection ended before the whole body arrived');
    const known = this.database.refusalOf(exception);
    if (known) {
      if (known.unforeseen)
        request.log.warn({ error: summary(exception) }, 'The database refused a value that passed validation');
      // An outage is logged once, not once per request.
      if (known.refusal.status === 503)
        request.log[this.database.isOut() ? 'debug' : 'error'](
          { error: summary(exception) },
          'The database is not available',
        );
      return known.refusal;
    }
    if (request.is404 && statusOf(exception) === 404) return this.unknownRoute(request);
    const byStatus = ofStatus(exception);
    if (byStatus?.code === 'body_too_large') return bodyTooLarge(request.routeOptions.bodyLimit);
    if (byStatus) return byStatus;
    request.log.error({ error: summary(exception) }, 'Unexpected error');
    return new DomainError('internal');
  }

  private unknownRoute(request: FastifyRequest): DomainError {
    const path = routedPath(request.url);
    const allowed = this.routes.methodsOf(path);
    if (allowed.length === 0) return new DomainError('not_found', noSuchPath(request));
    const allow = allowed.join(', ');
    const isAsked = request.method === 'OPTIONS' && allowed.includes('PATCH');
    return new DomainError('method_not_allowed', `This path accepts ${allow}, not ${request.method}`, {
      headers: { allow, ...(isAsked && ACCEPT_PATCH) },
    });
  }

  /** The refusal of a path such as `/api/assets/overview`, which the router takes for the path of a record. */
  private wordForId({ parameter, value, extra }: NotAnId, request: FastifyRequest): DomainError {
    const instead = `'${value.slice(0, 64)}' stands where the path has an id: ${parameter} must be a uuid`;
    return new ValidationFailed(extra.details ?? [], joined([noSuchPath(request), instead]));
  }
}

const noSuchPath = ({ url }: FastifyRequest): string => `No such path: ${sentPath(url).slice(0, 200)}`;

/** Sends a refusal in the form that the client asks for. */
function send(refusal: DomainError, request: FastifyRequest, reply: FastifyReply): void {
  const { type, text } = errorBody(refusal, request);
  void reply
    .status(refusal.status)
    .headers(refusal.extra.headers ?? {})
    .headers(refusal.code === 'unsupported_media_type' && request.method === 'PATCH' ? ACCEPT_PATCH : {})
    .type(type)
    .send(text);
}

const statusOf = (exception: unknown): number | undefined =>
  exception instanceof HttpException
    ? exception.getStatus()
    : ((exception as { statusCode?: number } | undefined)?.statusCode ?? undefined);

/** The refusal for an error that the framework raised: a status of the table, with our sentence. */
export function ofStatus(exception: unknown): DomainError | undefined {
  const status = statusOf(exception);
  if (status === undefined || status < 400 || status >= 500) return undefined;
  const code = (Object.keys(ERRORS) as ErrorCode[]).find((candidate) => ERRORS[candidate].status === status);
  const entry = ERRORS[code ?? 'validation'] as { message?: string };
  return new DomainError(code ?? 'validation', entry.message ?? 'The request is malformed');
}

/** The loggable part of an error: not `detail`, `where` or `parameters`, which hold values of the request. */
function summary(exception: unknown): object {
  if (!(exception instanceof Error)) return { type: typeof exception };
  const { name, message, stack, code, constraint, table, column } = exception as Error & Record<string, unknown>;
  return { type: name, message, stack, code, constraint, table, column };
}
