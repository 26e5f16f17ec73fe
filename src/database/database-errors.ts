import { types } from 'node:util';
import { Conflict, DanglingReference, DomainError, Fault, Unavailable, ValidationFailed } from '../http/errors.js';
import { constraintFault, DETAIL } from './constraint-faults.js';

interface PostgresError extends Error {
  code?: string;
  severity?: string;
  table?: string;
  constraint?: string;
  column?: string;
  detail?: string;
  hint?: string;
}

// Socket errors may come from another realm, whose `Error` class differs from ours.
const isError = (error: unknown): error is Error => types.isNativeError(error) || error instanceof Error;

const codeOf = (error: unknown): string => (isError(error) ? String((error as PostgresError).code ?? '') : '');

/** Message of an error. A name with several addresses gives an AggregateError without a message, with one error for each address. */
export const messageOf = (error: Error & { errors?: unknown }): string =>
  Array.isArray(error.errors) ? error.errors.map(({ message }: Error) => message).join(', ') : error.message;

/** The database cannot write because its disk is full or faulty. Reading still works. */
const isDiskFault = (error: unknown): boolean => ['53100', '58030', 'ENOSPC'].includes(codeOf(error));

/** For values that may remain unwritten, such as the time of a last use. @throws every other error */
export function ignoreDiskFault(error: unknown): void {
  if (!isDiskFault(error)) throw error;
}

/** A serialization failure or a deadlock: the same transaction may succeed on retry. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error));

/** A value does not have the required type. */
export const isDataException = (error: unknown): boolean => codeOf(error).startsWith('22');

/** A constraint, or a trigger that enforces a rule, refused a value. */
export const isRuleViolation = (error: unknown): boolean => codeOf(error).startsWith('23');

/** A reference leads to a missing record. The database reports only the first one. */
export const isDanglingReference = (error: unknown): boolean => codeOf(error) === '23503';

/** The trigger of the custom fields refused a value. */
export const isCustomFault = (error: unknown): boolean =>
  isError(error) && /^(?:ck|uq)_custom_fields$/.test((error as PostgresError).constraint ?? '');

const UNAVAILABLE_SQLSTATE = /^(?:08(?!P01)|53|57014|57P0[1-3]|55P03|25006|40001|40P01|25P0[34])/;
const UNAVAILABLE_ERRNO = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'];
const UNAVAILABLE_MESSAGE =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|is not queryable|Cannot use a pool after calling end/i;

/** The socket of a local server does not exist. Other missing files have nothing to do with the database. */
const isSocketMissing = (error: unknown): boolean =>
  codeOf(error) === 'ENOENT' && (error as NodeJS.ErrnoException).syscall === 'connect';

/** The server, or a pooler, ends the session with this error. Poolers use the code 08P01 for nearly all errors. */
const isFatal = (error: unknown): boolean => isError(error) && (error as PostgresError).severity === 'FATAL';

/** The connection failed or timed out. The last statement on it may or may not have been executed. */
export const isConnectionLoss = (error: unknown): boolean =>
  /^(?:08(?!P01)|57P0[1-3])/.test(codeOf(error)) ||
  UNAVAILABLE_ERRNO.includes(codeOf(error)) ||
  isSocketMissing(error) ||
  isFatal(error) ||
  (isError(error) && UNAVAILABLE_MESSAGE.test(error.message));

const camelCase = (column: string): string =>
  column.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The field of a key, unique index or column check, derived from its name. */
function fieldOf({ table = '', constraint = '', column }: PostgresError): string {
  if (constraint === `pk_${table}`) return 'id';
  const name = column ?? constraint.replace(/^(?:fk|ix|uq|ck)_/, '').replace(new RegExp(`^${table}_`), '');
  return camelCase(name);
}

/** Messages for a database that responds, but lacks time, a lock or memory for a statement. This is not an outage. */
const TOO_LATE: Readonly<Record<string, string>> = {
  57014: 'The database took too long for this request. Try again shortly, or request less at once',
  '55P03': 'Another change holds a lock that this request needs. Try again shortly',
  53200:
    'The database does not have enough memory for this request at the moment. Try again shortly, or request less at once',
};

const DISK_FAULT = 'The database cannot write, because its disk is full or faulty. Reading still works';

interface KeyViolation {
  table: string;
  /** The unique index, the exclusion constraint, or the rule of a trigger. */
  constraint: string;
  /** The key in PostgreSQL's notation: columns and expressions. For an exclusion constraint, the index has all of them. */
  columns: string;
  /** The values of the existing record, in the same order. */
  values: string;
}

// The words between depend on `lc_messages`, which only a superuser may set. An exclusion error has the new key first.
const BETWEEN = ')=(';
const KEY_IN_DETAIL: Readonly<Record<string, (detail: string) => number>> = {
  23505: (detail) => detail.indexOf(BETWEEN),
  '23P01': (detail) => detail.lastIndexOf(BETWEEN),
};

/**
 * The violations of an error, each as a separate error. If a trigger finds a second violation of the same kind, the hint has the name
 * of its rule and its detail.
 */
export function violationsOf(error: unknown): unknown[] {
  const { code, table, hint } = isError(error) ? (error as PostgresError) : {};
  const [constraint, ...detail] = code === '23505' && hint !== undefined ? hint.split(': ') : [];
  if (constraint === undefined || !constraintFault(constraint)) return [error];
  return [error, Object.assign(new Error(constraint), { code, table, constraint, detail: detail.join(': ') })];
}

/** The other record of a violated unique index or exclusion constraint; undefined for other errors. */
export function keyViolation(error: unknown): KeyViolation | undefined {
  const { table, constraint, detail = '' } = isError(error) ? (error as PostgresError) : {};
  const code = codeOf(error);
  const end = KEY_IN_DETAIL[code]?.(detail) ?? -1;
  if (!table || !constraint || end < 0) return undefined;
  const start = code === '23505' ? detail.indexOf('(') : detail.lastIndexOf('(', end);
  const columns = detail.slice(start + 1, end);
  const values = detail.slice(end + BETWEEN.length, detail.lastIndexOf(')'));
  return columns && values ? { table, constraint, columns, values } : undefined;
}

/**
 * The fault of a rule. The detail of the trigger's error replaces the placeholder in the message. A trigger for several fields names the field.
 */
function ruleOf({ constraint, column, detail = '' }: PostgresError): Fault | undefined {
  const rule = constraint === undefined ? undefined : constraintFault(constraint);
  const message = rule?.message.replace(DETAIL, () => detail);
  return rule?.with({ message, field: column, code: message === 'is required' ? 'required' : undefined });
}

/**
 * The refusal for a database error, or undefined if it is an internal error. `unforeseen` is set if the database caught something
 * that validation should have caught.
 */
export function toDomainError(error: unknown): { refusal: DomainError; unforeseen?: boolean } | undefined {
  if (!isError(error)) return undefined;
  const failure = error as PostgresError;
  const code = codeOf(error);
  const rule = ruleOf(failure);
  // 23000 is the code of triggers whose rules cause a conflict.
  if ((code === '23P01' || code === '23000') && rule) return { refusal: new Conflict(rule) };
  if (code === '23505') {
    const taken = violationsOf(error).map(
      (violation) =>
        ruleOf(violation as PostgresError) ?? new Fault(fieldOf(failure), 'is already taken by another record'),
    );
    // A trigger also uses this error to name another record. Its rule then has its own code.
    const faults = taken.map((fault) => (fault.code === 'invalid' ? fault.with({ code: 'conflict_unique' }) : fault));
    return { refusal: new Conflict(...faults) };
  }
  if (code === '23503') {
    const dangling = rule ?? new DanglingReference(fieldOf(failure));
    return { refusal: new ValidationFailed([dangling.with({ code: 'reference_missing' })]) };
  }
  if (code === '23514' && rule) return { refusal: new ValidationFailed([rule]) };
  if (code === '23502' || code === '23514') {
    const message = code === '23502' ? 'must not be null' : 'has a value that is not allowed';
    return { refusal: new ValidationFailed([new Fault(fieldOf(failure), message)]), unforeseen: true };
  }
  if (code.startsWith('22') || code === '54000') {
    return {
      refusal: new DomainError('validation', 'A value of the request cannot be stored or compared'),
      unforeseen: true,
    };
  }
  if (isDiskFault(error)) return { refusal: new Unavailable(DISK_FAULT, 30) };
  if (UNAVAILABLE_SQLSTATE.test(code) || isConnectionLoss(error)) {
    return { refusal: new Unavailable(TOO_LATE[code]) };
  }
  return undefined;
}

/** The refusal of a request for an error; undefined for outages, conflicts to retry, and internal errors. */
export function refusalOf(error: unknown): DomainError | undefined {
  const refusal = error instanceof DomainError ? error : toDomainError(error)?.refusal;
  return refusal?.code === 'unavailable' ? undefined : refusal;
}
