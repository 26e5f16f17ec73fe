import { preferredType } from '../../http/accept.js';
import { DomainError, invalid } from '../../http/errors.js';
import type { PageRequest } from './paging.js';

/** Formats of a list that is exported as a file. */
export const FILE_FORMATS = ['csv', 'ndjson'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** Media types of a list by format, in the order in which the service prefers them. */
export const MEDIA_TYPES = {
  json: 'application/json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
} as const;

type Format = keyof typeof MEDIA_TYPES;

const FORMATS = new Map(Object.entries(MEDIA_TYPES).map(([format, type]) => [type, format as Format]));

/** What most programs send. */
const PLAIN = new Set(['', '*/*', MEDIA_TYPES.json]);

/** The format that an `Accept` header prefers; undefined if it allows none. */
function acceptedFormat(accept: string): Format | undefined {
  if (PLAIN.has(accept)) return 'json';
  const type = preferredType(accept, [...FORMATS.keys()]);
  return type && FORMATS.get(type);
}

type Requested = Pick<PageRequest, 'format' | 'given'>;

/**
 * The format of the requested file; undefined for a page in the envelope.
 * @throws DomainError not_acceptable, ValidationFailed for a page without its size
 */
export function fileFormatOf({ format, given }: Requested, accept = ''): FileFormat | undefined {
  const chosen = format ?? acceptedFormat(accept);
  if (chosen === undefined) throw new DomainError('not_acceptable');
  if (chosen === 'json') return undefined;
  if (given.has('page') && !given.has('pageSize')) {
    throw invalid('page', 'needs pageSize: without it an export is the whole list');
  }
  return chosen;
}
