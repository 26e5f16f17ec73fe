import { Controller, Get, Inject, Query } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import { Fault, ValidationFailed } from '../../http/errors.js';
import type { ListReply } from '../../http/replies.js';
import { type SvgReply, wantsSvg } from '../../http/svg.js';
import { TakesQuery } from '../../http/route-config.js';
import { Operation } from '../../openapi/operation.js';
import { Tag } from '../../openapi/tags.js';
import { CURSOR, FILE_FORMATS, MEDIA_TYPES, PAGE, PAGING, RAW, readPage } from '../../lists/parameters/paging.js';
import { choice, flag, ids, integer, type Parameter, type RawQuery } from '../../lists/parameters/query-parameters.js';
import { words } from '../../lists/parameters/words.js';
import { EXPIRATION_KINDS } from './expiration-kinds.js';
import { Expiration } from './expiration.js';
import { DEFAULT_WITHIN, type ExpirationRequest, ExpirationsService } from './expirations.service.js';

/** A hundred years. */
const LONGEST = 36_500;

const PARAMETERS: readonly Parameter<ExpirationRequest>[] = [
  ...PAGE,
  choice<ExpirationRequest, (typeof FILE_FORMATS)[number] | 'svg'>(
    'format',
    'ListOrPictureFormat',
    'The list as a file, as of other lists, or `svg`: a picture of twelve months from the current one. It has precedence over `Accept`',
    [...FILE_FORMATS, 'svg'],
    (request, format) => {
      if (format === 'svg') request.asPicture = true;
      else request.format = format;
    },
  ),
  RAW,
  ...CURSOR,
  integer(
    'within',
    'Days from today up to which entries are shown. Overdue entries are shown in any case. A picture has all of its months by default',
    { min: 0, max: LONGEST, default: DEFAULT_WITHIN },
    (request, value) => (request.within = value),
  ),
  words(
    'kind',
    'ExpirationKind',
    'Shows entries of these kinds only',
    EXPIRATION_KINDS,
    (request, given) => void (request.kinds = EXPIRATION_KINDS.filter((kind) => given.includes(kind))),
  ),
  {
    ...flag<ExpirationRequest>(
      'overdue',
      '`true`: only overdue entries; `false`: only the others',
      (request, value) => (request.overdue = value),
    ),
    schema: { type: 'boolean' },
  },
  ids('vendorId', 'Shows entries of these vendors only', (request, values) => (request.vendorIds = values)),
];

@Controller('api/expirations')
@Tag('Expirations', 'Dates of licences, contracts, renewals, warranties and deliveries')
export class ExpirationsController {
  constructor(@Inject(ExpirationsService) private readonly service: ExpirationsService) {}

  @Get()
  @Access({ role: 'viewer' })
  @TakesQuery()
  @Operation({
    operationId: 'listExpirations',
    text: {
      summary: 'List what expires',
      description:
        'Licences, contracts and their notice dates, renewals, warranties of assets, and expected deliveries, soonest first. Past entries stay in the list as `overdue` for 365 days, or until the status of their record is settled: `retired`, `expired`, `renewed`, `cancelled`, `lapsed`, `terminated`, `closed` or `disposed`. Orders are listed as deliveries while they are `ordered` or `partially_received`.',
    },
    list: { parameters: PARAMETERS },
    response: Expiration,
    picture: true,
    status: 200,
  })
  list(@Ctx() ctx: RequestContext, @Query() query: RawQuery): Promise<ListReply | SvgReply> {
    const request = readPage<ExpirationRequest>(query, PARAMETERS, { kinds: [], vendorIds: [] });
    const format = request.asPicture ? 'svg' : request.format;
    if (!wantsSvg(format, ctx.accept, Object.values(MEDIA_TYPES))) return this.service.list(ctx, request);
    const paging = PAGING.filter((name) => request.given.has(name));
    if (paging.length > 0) {
      throw new ValidationFailed(paging.map((name) => new Fault(name, 'must not be given for a picture')));
    }
    return this.service.draw(ctx, request);
  }
}
