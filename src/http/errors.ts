/** Everything that the service refuses, in one table: what it is, its status, and the sentence where it is always the same. */
export const ERRORS = {
  validation: { status: 400 },
  unauthenticated: { status: 401, message: 'Not authenticated. Log in at POST /api/auth/login' },
  forbidden: { status: 403 },
  notFound: { status: 404 },
  methodNotAllowed: { status: 405 },
  requestTimeout: { status: 408, message: 'The request did not arrive in time' },
  conflict: { status: 409 },
  gone: { status: 410 },
  preconditionFailed: {
    status: 412,
    message: 'If-Match does not match: the record was changed meanwhile. Read it again and repeat the request',
  },
  bodyTooLarge: { status: 413, message: 'The body is larger than 1 MiB' },
  uriTooLong: { status: 414, message: 'The URL is too long' },
  unsupportedMediaType: { status: 415, message: 'The body must be sent as application/json' },
  unprocessable: { status: 422 },
  tooManyRequests: { status: 429 },
  headersTooLarge: { status: 431, message: 'The request headers are too large' },
  internal: { status: 500, message: 'Internal server error' },
  unavailable: { status: 503, message: 'The database is not available at the moment. Try again shortly' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** One thing wrong with a request: where, and the end of a sentence that starts with the field's name. */
export class Fault {
  constructor(
    readonly field: string,
    readonly message: string,
  ) {}

  toString(): string {
    return `${this.field} ${this.message}`;
  }
}

/** A refusal. Its message is the sentence of the response. */
export class DomainError extends Error {
  constructor(
    readonly code: ErrorCode,
    message?: string,
    readonly extra: { details?: readonly Fault[]; headers?: Record<string, string> } = {},
  ) {
    super(message ?? (ERRORS[code] as { message?: string }).message);
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  /** `{"error": …}`, with `details` where single fields are at fault. */
  get body(): { error: string; details?: readonly Fault[] } {
    const { details } = this.extra;
    return details ? { error: this.message, details } : { error: this.message };
  }
}

// So many faults make no better sentence; `details` has them all.
const FAULTS_IN_SENTENCE = 10;

export class ValidationFailed extends DomainError {
  constructor(faults: readonly Fault[], sentence?: string) {
    const sentences = faults.slice(0, FAULTS_IN_SENTENCE).map(String);
    if (faults.length > FAULTS_IN_SENTENCE) sentences.push(`and ${faults.length - FAULTS_IN_SENTENCE} more`);
    super('validation', sentence ?? joined(sentences), { details: faults });
  }
}

/** Faults as one sentence, in which a question ends with its mark alone. */
export const joined = (sentences: readonly string[]): string => sentences.join('; ').replaceAll('?; ', '? ');

export class NotFound extends DomainError {
  /** @param what the thing in words, such as `Runbook` */
  constructor(what: string, why = 'not found') {
    super('notFound', `${what} ${why}`);
  }
}

export class Conflict extends DomainError {
  constructor(fault: Fault) {
    super('conflict', fault.toString(), { details: [fault] });
  }
}

/** What was asked for is known no more. */
export class Gone extends DomainError {
  constructor(fault: Fault) {
    super('gone', fault.toString(), { details: [fault] });
  }
}

/** A fault of one field, as the whole refusal. */
export const invalid = (field: string, message: string): ValidationFailed =>
  new ValidationFailed([new Fault(field, message)]);
