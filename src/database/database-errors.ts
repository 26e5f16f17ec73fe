import { types } from 'node:util';
import { Conflict, DomainError, Fault, ValidationFailed } from '../http/errors.js';
import { constraintFault } from './constraint-faults.js';

interface PostgresError extends Error {
  code?: string;
  table?: string;
  constraint?: string;
  column?: string;
}

// Errors of sockets may come from another realm, whose class `Error` is not ours.
const isError = (error: unknown): error is Error => types.isNativeError(error) || error instanceof Error;

const codeOf = (error: unknown): string => (isError(error) ? String((error as PostgresError).code ?? '') : '');

/** A serialization failure or a deadlock: the same transaction may succeed when it is tried again. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error));

const UNAVAILABLE_SQLSTATE = /^(?:08(?!P01)|53|57014|57P0[1-3]|55P03|25006|40001|40P01|25P0[34])/;
const UNAVAILABLE_ERRNO = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'];
const UNAVAILABLE_MESSAGE =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|is not queryable|Cannot use a pool after calling end/i;

/** The socket of a server on this machine is gone; a file that is missing is no matter of the database. */
const isSocketMissing = (error: unknown): boolean =>
  codeOf(error) === 'ENOENT' && (error as NodeJS.ErrnoException).syscall === 'connect';

/** The connection itself failed, or went silent: whatever was sent on it last may or may not have happened. */
export const isConnectionLoss = (error: unknown): boolean =>
  /^(?:08(?!P01)|57P0[1-3])/.test(codeOf(error)) ||
  UNAVAILABLE_ERRNO.includes(codeOf(error)) ||
  isSocketMissing(error) ||
  (isError(error) && UNAVAILABLE_MESSAGE.test(error.message));

const camelCase = (column: string): string =>
  column.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Field of a foreign key, unique index or column check that is named after its table and column. */
function fieldOf({ table = '', constraint = '', column }: PostgresError): string {
  const name = column ?? constraint.replace(/^(?:fk|ix|uq|ck)_/, '').replace(new RegExp(`^${table}_`), '');
  return camelCase(name);
}

const unavailable = (): DomainError => new DomainError('unavailable', undefined, { headers: { 'retry-after': '2' } });

/**
 * The refusal that an error of the database means, or undefined where it is a fault of ours. `unforeseen` is set where
 * the database caught what validation should have.
 */
export function toDomainError(error: unknown): { refusal: DomainError; unforeseen?: boolean } | undefined {
  if (!isError(error)) return undefined;
  const failure = error as PostgresError;
  const code = codeOf(error);
  const rule = failure.constraint === undefined ? undefined : constraintFault(failure.constraint);
  if (code === '23505') {
    return { refusal: new Conflict(rule ?? new Fault(fieldOf(failure), 'is already taken by another record')) };
  }
  if (code === '23503') {
    return { refusal: new ValidationFailed([new Fault(fieldOf(failure), 'does not refer to an existing record')]) };
  }
  if (code === '23514' && rule) return { refusal: new ValidationFailed([rule]) };
  if (code === '23502' || code === '23514') {
    const message = code === '23502' ? 'must not be null' : 'has a value that it cannot have';
    return { refusal: new ValidationFailed([new Fault(fieldOf(failure), message)]), unforeseen: true };
  }
  if (code.startsWith('22') || code === '54000') {
    return {
      refusal: new DomainError('validation', 'A value of the request cannot be stored or compared'),
      unforeseen: true,
    };
  }
  if (UNAVAILABLE_SQLSTATE.test(code) || isConnectionLoss(error)) {
    return { refusal: unavailable() };
  }
  return undefined;
}
