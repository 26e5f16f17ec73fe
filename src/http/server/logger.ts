import type { LoggerService } from '@nestjs/common';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import { pathOf } from '../api-path.js';

// JSON escapes the characters below U+0020, which include line breaks. Terminals and viewers also interpret the controls above it
// (U+009B starts an escape sequence), three further line separators, and the marks of text direction.
// oxlint-disable-next-line no-control-regex -- the very characters that have to be found
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const EACH_UNPRINTABLE = new RegExp(UNPRINTABLE, 'g');

const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

// Nearly all lines are printable already, and a test is faster than a replacement without matches.
const printable = (line: string): string => (UNPRINTABLE.test(line) ? line.replaceAll(EACH_UNPRINTABLE, escape) : line);

/** The log of the service. Each record is one line of printable JSON, whatever a client sends. */
export const createLogger = (level: string, to?: DestinationStream): Logger =>
  pino({ level, hooks: { streamWrite: printable } }, to as DestinationStream);

// `code` and `state` belong to a sign-in.
const SECRET_NAME = /pass|secret|token|key|session|cookie|authori|^(?:code|state)=$/i;

/** Path of a calendar, whose name is a secret, in any spelling of the path before it. */
const CALENDAR = /^\/+calendar\/+./i;

/** A text that may be such a secret anywhere in a URL. */
const SECRET = /[0-9A-Za-z]{43,}/g;

/** A precondition for masking: part of such a name or path, an encoded character, or such a secret. */
const SUSPECT = /pass|secret|token|key|session|cookie|authori|[?&](?:code|state)=|calendar|%|[0-9A-Za-z]{43}/i;

/** The URL of a request as logged. Calendar addresses are secrets. The log must not keep secrets in query strings either. */
export function loggedUrl(url: string): string {
  if (!SUSPECT.test(url)) return url;
  const start = url.indexOf('?') + 1;
  if (start === 0) return loggedPath(url);
  const parameters = url.slice(start).split('&');
  return `${loggedPath(url.slice(0, start - 1))}?${parameters.map(masked).join('&')}`;
}

const loggedPath = (path: string): string =>
  CALENDAR.test(pathOf(path)) ? '/calendar/***' : path.replaceAll(SECRET, '***');

function masked(parameter: string): string {
  const end = parameter.indexOf('=') + 1;
  if (end === 0) return parameter;
  const name = parameter.slice(0, end);
  return SECRET_NAME.test(decoded(name)) ? `${name}***` : parameter;
}

/** A name decoded as the service decodes it; unchanged if it cannot be decoded. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Writes Nest's messages to Fastify's log, so that there is one stream. */
export class PinoLogger implements LoggerService {
  constructor(private readonly logger: FastifyBaseLogger) {}

  // Nest logs every module and route at its start, which helps only when debugging.
  readonly log = this.writing('debug');
  readonly error = this.writing('error');
  readonly warn = this.writing('warn');
  readonly debug = this.writing('debug');
  readonly verbose = this.writing('trace');
  readonly fatal = this.writing('fatal');

  private writing(level: 'trace' | 'debug' | 'warn' | 'error' | 'fatal') {
    return (message: unknown, ...context: unknown[]): void => {
      if (message instanceof Error) this.logger[level]({ err: message, context }, message.message);
      else this.logger[level]({ context }, String(message));
    };
  }
}

/**
 * Logs one line per request, after the response has been sent.
 * @param callerOf the properties of the line that identify the caller
 */
export function logRequests(fastify: FastifyInstance, callerOf: (request: FastifyRequest) => object | undefined): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const { method, url } = request;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    request.log.info({ method, url: loggedUrl(url), status: reply.statusCode, ms, ...callerOf(request) }, 'request');
    done();
  });
}
