import { choice, flag, integer, type Parameter, type RawQuery, readQuery, single } from './query-parameters.js';
import { boolean } from '../../fields/types/boolean.js';
import { preferredType } from '../../http/accept.js';
import { DomainError, invalid } from '../../http/errors.js';
import { type Cursor, NO_CURSOR, parseCursor } from '../order.js';

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

/** The default of most programs. */
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

export const MAX_PAGE_SIZE = 10_000;
export const INT4_MAX = 2_147_483_647;

/** The request for a page or a file, common to all lists. */
export interface PageRequest {
  page: number;
  pageSize: number;
  /** The list begins after this cursor, and its pages are counted from there. */
  after?: Cursor;
  /** Whether all records are counted. This is the default, except after a cursor. */
  total?: boolean;
  /** Names of the parameters that were given. */
  given: ReadonlySet<string>;
  /** Format that the query string asks for. */
  format?: Format;
  /** Whether text of a CSV that looks like a formula is left as it is. */
  raw: boolean;
}

/** The request of a query string, before its parameters are applied. */
export const firstPage = (query: object): PageRequest => ({
  page: 1,
  pageSize: MAX_PAGE_SIZE,
  given: new Set(Object.keys(query)),
  raw: false,
});

/** The page of a list. */
export const PAGE: readonly Parameter<PageRequest>[] = [
  integer('page', 'Page number, from 1', { min: 1, max: INT4_MAX, default: 1, example: 1 }, (request, value) => {
    request.page = value;
  }),
  integer(
    'pageSize',
    'Rows per page. Without it the whole table is returned, up to 10000 rows',
    { min: 1, max: MAX_PAGE_SIZE, default: MAX_PAGE_SIZE, example: 50 },
    (request, value) => (request.pageSize = value),
  ),
];

/** Where a list begins, and whether it is counted. */
export const CURSOR: readonly Parameter<PageRequest>[] = [
  single(
    {
      name: 'after',
      description:
        'The list from the row after the last one of another page, also if rows were written since. Each page that is not the last has the address of the next one in its header `Link`, as `</api/sites?after=…>; rel="next"`, with the cursor. `sort` and `order` are those of that page. `page` is counted from the cursor. A page whose last row is sorted by more than about 1,500 characters has no such header',
      schema: { type: 'string' },
    },
    parseCursor,
    NO_CURSOR.replace(/^must be /, ''),
    (request, value) => (request.after = value),
  ),
  single(
    {
      name: 'total',
      description: 'Whether the page has `total`. By default it does, but not with `after`',
      schema: { type: 'boolean' },
    },
    boolean.parse,
    boolean.expects,
    (request, value) => (request.total = value),
  ),
];

/** Whether the number of all rows is asked for. */
export const isCounted = ({ total, after }: Pick<PageRequest, 'total' | 'after'>): boolean =>
  total ?? after === undefined;

/** Names of the parameters of pages. */
export const PAGING: readonly string[] = [...PAGE, ...CURSOR].map(({ name }) => name);

const FORMAT = choice<PageRequest, FileFormat>(
  'format',
  'FileFormat',
  'The list as a file: CSV, or JSON lines. It has precedence over `Accept`. Without `pageSize` the file has the whole list, however long it is; `page` needs `pageSize`',
  FILE_FORMATS,
  (request, value) => (request.format = value),
);

/**
 * The parameter `format` of a list whose records also have a field of this name. Formats of lists are formats, and all other values filter.
 * @param list name of the record, for the name of the schema
 */
function formatBeside<R extends PageRequest>(list: string, filter: Parameter<R>): Parameter<R> {
  const formats = Object.keys(MEDIA_TYPES) as Format[];
  const isFormat = (value: string): value is Format => (formats as string[]).includes(value);
  const others = (filter.schema.enum as string[]).filter((value) => !isFormat(value));
  return {
    ...filter,
    description: `${formats.join(', ')}: ${FORMAT.description}. ${others.join(', ')}: ${filter.description}`,
    schema: { type: 'string', enum: [...formats, ...others] },
    enumName: `${list}FormatChoice`,
    apply(request, raw) {
      const [format, ...more] = raw.filter(isFormat);
      if (more.length > 0) return `must be one of ${formats.join(', ')} once`;
      if (format !== undefined) request.format = format;
      const values = raw.filter((value) => !isFormat(value));
      return values.length === 0 ? undefined : filter.apply(request, values);
    },
  };
}

export const RAW = flag<PageRequest>(
  'raw',
  '`true`: text in a CSV is left unchanged. Otherwise text that a spreadsheet could interpret as a formula, and text that begins with an apostrophe, gets a leading apostrophe. Other formats are not affected',
  (request, value) => (request.raw = value),
);

/** The parameters of a computed list that come after those of the page. */
export const FILE: readonly Parameter<PageRequest>[] = [FORMAT, RAW, ...CURSOR];

/** The format of a list that can be a picture too. */
export const FILE_OR_PICTURE = choice<PageRequest & { asPicture: boolean }, FileFormat | 'svg'>(
  'format',
  'ListOrPictureFormat',
  `${FORMAT.description.replace('The list as a file: CSV, or JSON lines.', 'The list as a file: CSV, or JSON lines; or as a picture.')}. A picture has no pages`,
  [...FILE_FORMATS, 'svg'],
  (request, value) => {
    if (value === 'svg') request.asPicture = true;
    else request.format = value;
  },
);

/** The parameters of a file of a list. @param filters of its fields, of which one may have the name of the format */
export function fileParameters<R extends PageRequest>(
  list: string,
  filters: readonly Parameter<R>[],
): readonly Parameter<R>[] {
  const beside = filters.find(({ name }) => name === FORMAT.name);
  return [beside ? formatBeside(list, beside) : FORMAT, RAW];
}

const PARAMETERS = [...PAGE, ...FILE];

/** The request of a list that takes no other parameters. @throws ValidationFailed */
export const parsePage = (query: RawQuery): PageRequest => readPage(query, PARAMETERS, {});

/**
 * The request of a list with further parameters.
 * @param parameters all that it has
 * @param defaults the request without any of the further ones
 * @throws ValidationFailed with a fault for each parameter that is unknown, missing or has an invalid value
 */
export const readPage = <R extends PageRequest>(
  query: RawQuery,
  parameters: readonly Parameter<R>[],
  defaults: Omit<R, keyof PageRequest>,
): R => readQuery(query, parameters, { ...firstPage(query), ...defaults } as R);
