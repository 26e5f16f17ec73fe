import { FILE_FORMATS, type FileFormat } from './list-format.js';
import { applyQuery, byName, choice, flag, integer, type Parameter, type RawQuery } from './query-parameters.js';

export const MAX_PAGE_SIZE = 10_000;
const INT4_MAX = 2_147_483_647;

/** The request for a page or a file, common to all lists. */
export interface PageRequest {
  page: number;
  pageSize: number;
  /** Names of the parameters that were given. */
  given: ReadonlySet<string>;
  /** Format of a file that the query string asks for. */
  format?: FileFormat;
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

/** The parameters of a page. */
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

const FORMAT = choice<PageRequest, FileFormat>(
  'format',
  'FileFormat',
  'The list as a file: CSV, or JSON lines. It has precedence over `Accept`. Without `pageSize` the file has the whole list, however long it is; `page` needs `pageSize`',
  FILE_FORMATS,
  (request, value) => (request.format = value),
);

export const RAW = flag<PageRequest>(
  'raw',
  '`true`: text in a CSV is written as it is. Otherwise text that a spreadsheet would take for a formula, and text that begins with an apostrophe, has a leading apostrophe. Other formats are not affected',
  (request, value) => (request.raw = value),
);

/** The parameters of a file. */
export const FILE: readonly Parameter<PageRequest>[] = [FORMAT, RAW];

const PARAMETERS = byName([...PAGE, ...FILE]);

/** The request of a list that takes no other parameters. @throws ValidationFailed */
export function parsePage(query: RawQuery): PageRequest {
  const request = firstPage(query);
  applyQuery(query, PARAMETERS, request);
  return request;
}
