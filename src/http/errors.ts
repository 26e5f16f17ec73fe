/**
 * The refusals of the service by code. Clients may rely on the codes. Each has a status, a title for problem details, and a sentence if
 * the sentence is fixed. The first code of a status is the general one.
 */
export const ERRORS = {
  validation: { status: 400, title: 'The request is not valid' },
  reference_missing: { status: 400, title: 'A reference leads to no record' },
  unauthenticated: {
    status: 401,
    title: 'Not authenticated',
    message: 'Not authenticated. Log in at POST /api/auth/login',
  },
  forbidden: { status: 403, title: 'Not allowed' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The path does not support the method' },
  not_acceptable: {
    status: 406,
    title: 'No acceptable format',
    message:
      'A list is available as application/json, text/csv and application/x-ndjson, and one with a picture as image/svg+xml too. Accept must allow one of them',
  },
  request_timeout: {
    status: 408,
    title: 'The request arrived too slowly',
    message: 'The request did not arrive in time',
  },
  conflict: { status: 409, title: 'The state of a record does not allow it' },
  conflict_unique: { status: 409, title: 'A unique value is taken' },
  definitions_changed: {
    status: 409,
    title: 'The definitions of custom fields have changed',
    message:
      'The definitions of custom fields have changed while the request was running. Nothing was written: repeat it',
  },
  transition: { status: 409, title: 'The move of a status is not admitted' },
  approvals_missing: { status: 409, title: 'The move of a status lacks approvals' },
  gone: { status: 410, title: 'No longer kept' },
  precondition_failed: {
    status: 412,
    title: 'The record was changed meanwhile',
    message: 'If-Match does not match: the record was changed meanwhile. Read it again and repeat the request',
  },
  body_too_large: { status: 413, title: 'The body is too large', message: 'The body is larger than 1 MiB' },
  uri_too_long: { status: 414, title: 'The URL is too long', message: 'The URL is too long' },
  unsupported_media_type: {
    status: 415,
    title: 'The media type is not accepted',
    message: 'The body must be sent as application/json',
  },
  idempotency_key_reused: { status: 422, title: 'The Idempotency-Key was used before' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The headers are too large', message: 'The request headers are too large' },
  internal: { status: 500, title: 'Internal server error', message: 'Internal server error' },
  unavailable: {
    status: 503,
    title: 'Not available at the moment',
    message: 'The database is not available at the moment. Try again shortly',
  },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** Codes of faults, for programs. */
export const FAULT_CODES = [
  'invalid',
  'required',
  'unknown',
  'too_long',
  'out_of_range',
  'reference_missing',
  'conflict',
  'conflict_unique',
  'transition',
  'approvals_missing',
] as const;

export type FaultCode = (typeof FAULT_CODES)[number];

/** One fault of a request: the field, and the end of a sentence that starts with the field's name. */
export class Fault {
  constructor(
    readonly field: string,
    readonly message: string,
    readonly code: FaultCode = 'invalid',
  ) {}

  /** The same fault with other values. */
  with({ field = this.field, message = this.message, code = this.code }: Partial<Fault>): Fault {
    return new Fault(field, message, code);
  }

  toString(): string {
    return `${this.field} ${this.message}`;
  }
}

export class RowFault extends Fault {
  /**
   * @param row number of the data row, from 1
   * @param line line of the file on which the row starts
   */
  constructor(
    field: string,
    message: string,
    code: FaultCode,
    readonly row: number,
    readonly line: number,
  ) {
    super(field, message, code);
  }

  override with({ field = this.field, message = this.message, code = this.code }: Partial<Fault>): RowFault {
    return new RowFault(field, message, code, this.row, this.line);
  }
}

/** A record that conflicts with a request. */
export interface ConflictingRecord {
  resource: string;
  id: string;
  name: string | null;
}

/** Maximum characters of all messages in one response. Further messages are cut to `FEW` each. */
const MOST_CHARACTERS = 100_000;
const FEW = 80;

/** The faults with their messages cut to the total limit. Messages may repeat parts of a request or of a definition. */
export function boundedTogether<F extends Fault>(faults: readonly F[]): readonly F[] {
  let left = MOST_CHARACTERS;
  for (const { message } of faults) left -= message.length;
  if (left >= 0) return faults;
  left = MOST_CHARACTERS;
  return faults.map((fault) => {
    left -= fault.message.length;
    if (left >= 0 || fault.message.length <= FEW) return fault;
    return fault.with({ message: `${fault.message.slice(0, FEW)}…` }) as F;
  });
}

/** A refusal. Its message is the sentence of the response. */
export class DomainError extends Error {
  constructor(
    readonly code: ErrorCode,
    message?: string,
    readonly extra: {
      details?: readonly Fault[];
      /** The faulty field, if the refusal is about a row of a file. */
      fault?: Fault;
      headers?: Record<string, string>;
      /** Records that conflict with the request: their number, and the first ones that the caller may read. */
      against?: { count: number; records: readonly ConflictingRecord[] };
    } = {},
  ) {
    super(message ?? (ERRORS[code] as { message?: string }).message);
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  /** `{"error": …, "code": …}`, with `details` if individual fields are at fault. */
  get body(): { error: string; code: ErrorCode; details?: readonly Fault[]; count?: number; records?: object } {
    const { code, message: error } = this;
    const { details, against } = this.extra;
    return { error, code, ...(details && { details: boundedTogether(details) }), ...against };
  }
}

const areAll = (faults: readonly Fault[], code: FaultCode): boolean =>
  faults.length > 0 && faults.every((fault) => fault.code === code);

// More faults would make the sentence unreadable. `details` lists all of them.
const FAULTS_IN_SENTENCE = 10;

/** A reference in a request to a record that does not exist. */
export class DanglingReference extends Fault {
  constructor(field: string) {
    super(field, 'does not refer to an existing record', 'reference_missing');
  }
}

export class ValidationFailed extends DomainError {
  constructor(faults: readonly Fault[], sentence?: string) {
    const code = areAll(faults, 'reference_missing') ? 'reference_missing' : 'validation';
    super(code, sentence ?? sentenceOf(faults), { details: faults });
  }
}

function sentenceOf(faults: readonly Fault[]): string {
  const sentences = faults.slice(0, FAULTS_IN_SENTENCE).map(String);
  if (faults.length > FAULTS_IN_SENTENCE) sentences.push(`and ${faults.length - FAULTS_IN_SENTENCE} more`);
  return joined(sentences);
}

/** Joins faults to one text. A fault that ends with a punctuation mark gets no semicolon. */
export const joined = (sentences: readonly string[]): string => sentences.join('; ').replaceAll(/([.?]); /g, '$1 ');

export class NotFound extends DomainError {
  /** @param what the kind of thing, for example `Runbook` */
  constructor(what: string, why = 'not found') {
    super('not_found', `${what} ${why}`);
  }
}

/** Something is unavailable: the database, time, or memory. */
export class Unavailable extends DomainError {
  /** @param retryAfter seconds after which the client may try again */
  constructor(message?: string, retryAfter = 2) {
    super('unavailable', message, { headers: { 'retry-after': String(retryAfter) } });
  }
}

/** Fault codes that become the code of the refusal if all of its faults have it. */
const OWN_CODES = ['conflict_unique', 'transition', 'approvals_missing'] as const;

export class Conflict extends DomainError {
  constructor(...faults: readonly Fault[]) {
    const details = faults.map((fault) => (fault.code === 'invalid' ? fault.with({ code: 'conflict' }) : fault));
    const special = OWN_CODES.find((code) => areAll(details, code));
    super(special ?? 'conflict', sentenceOf(details), { details });
  }
}

/** The resource existed, but is no longer available. */
export class Gone extends DomainError {
  constructor(fault: Fault) {
    super('gone', fault.toString(), { details: [fault] });
  }
}

export const invalid = (field: string, message: string): ValidationFailed =>
  new ValidationFailed([new Fault(field, message)]);
