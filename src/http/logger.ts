import type { LoggerService } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { pino, type DestinationStream, type Logger } from 'pino';

// JSON escapes what is below U+0020, and so the ends of lines. Terminals and viewers also obey the controls above it (U+009B
// begins an escape sequence), break lines at three more characters, and turn text around at the marks of direction.
// oxlint-disable-next-line no-control-regex -- the very characters that have to be found
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The log of the service: whatever a client says, a record is one line of printable JSON. */
export const createLogger = (level: string, to?: DestinationStream): Logger =>
  pino({ level, hooks: { streamWrite: (line) => line.replaceAll(UNPRINTABLE, escape) } }, to as DestinationStream);

const SECRET_NAME = /pass|secret|token|key|session|cookie|authori/i;

/**
 * The URL of a request as it is logged. The service takes no secret in a query and refuses whoever sends one, but the log
 * should not keep it either.
 */
export function loggedUrl(url: string): string {
  const start = url.indexOf('?') + 1;
  if (start === 0) return url;
  const parameters = url.slice(start).split('&');
  return url.slice(0, start) + parameters.map(masked).join('&');
}

function masked(parameter: string): string {
  const end = parameter.indexOf('=') + 1;
  if (end === 0) return parameter;
  const name = parameter.slice(0, end);
  return SECRET_NAME.test(decoded(name)) ? `${name}***` : parameter;
}

/** A name as the service reads it; as it is where it is no name. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Nest's messages in Fastify's log, so that there is one stream. */
export class PinoLogger implements LoggerService {
  constructor(private readonly logger: FastifyBaseLogger) {}

  // Nest tells every module and route as it starts: of use when looking for a fault, not otherwise.
  log(message: unknown, ...context: unknown[]): void {
    this.write('debug', message, context);
  }
  error(message: unknown, ...context: unknown[]): void {
    this.write('error', message, context);
  }
  warn(message: unknown, ...context: unknown[]): void {
    this.write('warn', message, context);
  }
  debug(message: unknown, ...context: unknown[]): void {
    this.write('debug', message, context);
  }
  verbose(message: unknown, ...context: unknown[]): void {
    this.write('trace', message, context);
  }
  fatal(message: unknown, ...context: unknown[]): void {
    this.write('fatal', message, context);
  }

  private write(level: 'trace' | 'debug' | 'warn' | 'error' | 'fatal', message: unknown, context: unknown[]): void {
    if (message instanceof Error) this.logger[level]({ err: message, context }, message.message);
    else this.logger[level]({ context }, String(message));
  }
}
