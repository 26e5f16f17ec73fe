import { CURSOR, FILE, FILE_FORMATS, PAGE, type PageRequest, RAW, readPage } from '../lists/parameters/paging.js';
import {
  choice,
  day,
  ids,
  integer,
  type Parameter,
  type RawQuery,
  withDefault,
} from '../lists/parameters/query-parameters.js';
import { words } from '../lists/parameters/words.js';

/** A hundred years. */
const LONGEST = 36_500;

/** Filters: SQL of the compared id, over the device `d`, its type `y`, and its last coverage `l`. */
export const FILTERS = {
  siteId: ['d.site_id', 'Devices at these sites'],
  locationId: ['d.location_id', 'Devices at these locations themselves'],
  rackId: ['d.rack_id', 'Devices in these racks'],
  deviceTypeId: ['d.device_type_id', 'Devices of these models'],
  deviceRoleId: ['d.device_role_id', 'Devices with these roles'],
  manufacturerId: ['y.manufacturer_id', 'Devices of models by these manufacturers'],
  tenantGroupId: ['d.tenant_group_id', 'Devices that serve these tenants'],
  vendorId: ['l.vendor_id', 'Devices whose last coverage was by these vendors'],
} as const;
export type ExposureFilter = keyof typeof FILTERS;

/** The filter for exposed devices. */
export interface Exposed {
  /** The requested day; today in UTC by default. */
  on?: string;
  /** Days ahead in which coverage ends, if requested. */
  within?: number;
  filters: Partial<Record<ExposureFilter, readonly string[]>>;
}

const SORTS = ['name', 'lastCoveredOn', 'amount'] as const;

export interface ExposureRequest extends PageRequest, Exposed {
  sort: (typeof SORTS)[number];
  descending: boolean;
}

const MOST_FIELDS = 3;
const GROUPINGS = [
  ...['lastCoveredOn:month', 'lastCoveredOn:quarter', 'lastCoveredOn:year'],
  ...['siteId', 'deviceTypeId', 'manufacturerId', 'currency'],
];

export interface ExposureSummaryRequest extends PageRequest, Exposed {
  groupings: readonly string[];
  withAmount: boolean;
  /** Whether `format` asks for a picture. */
  asPicture: boolean;
}

const EXPOSED: readonly Parameter<PageRequest & Exposed>[] = [
  day('on', 'Day for which coverage is checked; today in UTC by default', (request, value) => {
    request.on = value;
  }),
  {
    ...integer<PageRequest & Exposed>(
      'within',
      'Lists the devices that are covered on `on` and whose coverage ends within this number of days, instead of those without coverage on `on`',
      { min: 0, max: LONGEST, default: 0, example: 90 },
      (request, value) => {
        request.within = value;
      },
    ),
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: LONGEST, example: 90 },
  },
  ...Object.entries(FILTERS).map(([name, [, description]]) =>
    ids<PageRequest & Exposed>(name, `${description} only`, (request, values) => {
      request.filters[name as ExposureFilter] = values;
    }),
  ),
];

const SORT = choice<ExposureRequest, (typeof SORTS)[number]>(
  'sort',
  'ExposureSort',
  'Property to sort by; equal devices are sorted by name. With `within`, `lastCoveredOn` sorts by `endsOn`. Amounts are compared as numbers, whatever their currency',
  SORTS,
  (request, value) => (request.sort = value),
);
const ORDER = choice<ExposureRequest, 'asc' | 'desc'>(
  'order',
  'SortOrder',
  'Sort direction. Nulls come last ascending and first descending',
  ['asc', 'desc'],
  (request, value) => (request.descending = value === 'desc'),
);

export const EXPOSURE_PARAMETERS: readonly Parameter<ExposureRequest>[] = [
  ...PAGE,
  withDefault(SORT, 'name'),
  withDefault(ORDER, 'asc'),
  ...FILE,
  ...EXPOSED,
];

export const SUMMARY_PARAMETERS: readonly Parameter<ExposureSummaryRequest>[] = [
  ...PAGE,
  choice<ExposureSummaryRequest, (typeof FILE_FORMATS)[number] | 'svg'>(
    'format',
    'ListOrPictureFormat',
    'The summary as a file, as of other lists, or `svg`, a picture: a bar chart of the counts, or of the amounts if they are asked for. It has precedence over `Accept`',
    [...FILE_FORMATS, 'svg'],
    (request, format) => {
      if (format === 'svg') request.asPicture = true;
      else request.format = format;
    },
  ),
  RAW,
  ...CURSOR,
  {
    ...words<ExposureSummaryRequest, string>(
      'groupBy',
      'ExposureGrouping',
      `Fields to group by: up to ${MOST_FIELDS} fields, separated by commas or repeated`,
      GROUPINGS,
      (request, given) => {
        request.groupings = given;
        return given.length > MOST_FIELDS ? `must be at most ${MOST_FIELDS} fields` : undefined;
      },
      {
        separated: true,
        reason: (word) =>
          word === 'lastCoveredOn'
            ? 'must have a unit of time: lastCoveredOn:month, lastCoveredOn:quarter, lastCoveredOn:year'
            : undefined,
      },
    ),
    required: true,
  },
  words<ExposureSummaryRequest, string>(
    'sum',
    'ExposureSummable',
    'Amount to add up for each group. Amounts of different currencies are in different groups',
    ['amount'],
    (request) => {
      request.withAmount = true;
    },
    { separated: true },
  ),
  ...EXPOSED,
];

/** @throws ValidationFailed */
export function parseExposure(query: RawQuery): ExposureRequest {
  return readPage<ExposureRequest>(query, EXPOSURE_PARAMETERS, { filters: {}, sort: 'name', descending: false });
}

/** @throws ValidationFailed */
export function parseSummary(query: RawQuery): ExposureSummaryRequest {
  return readPage<ExposureSummaryRequest>(query, SUMMARY_PARAMETERS, {
    filters: {},
    groupings: [],
    withAmount: false,
    asPicture: false,
  });
}
