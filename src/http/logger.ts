import type { LoggerService } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';

/** Nest's messages in Fastify's log, so that there is one stream. */
export class PinoLogger implements LoggerService {
  constructor(private readonly pino: FastifyBaseLogger) {}

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
    if (message instanceof Error) this.pino[level]({ err: message, context }, message.message);
    else this.pino[level]({ context }, String(message));
  }
}
