import { Controller, Get, Inject, Query } from '@nestjs/common';
import { Access } from '../../access/access.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import type { ListReply } from '../../http/replies.js';
import { TakesQuery } from '../../http/route-config.js';
import { Operation } from '../../openapi/operation.js';
import { Tag } from '../../openapi/tags.js';
import { FILE, PAGE, readPage } from '../../lists/parameters/paging.js';
import { ids, type Parameter, type RawQuery } from '../../lists/parameters/query-parameters.js';
import { words } from '../../lists/parameters/words.js';
import { FILLED_RESOURCES, UtilisationEntry } from './utilisation-entry.js';
import { NEARLY_FULL, type UtilisationRequest, UtilisationService } from './utilisation.service.js';

const PARAMETERS: readonly Parameter<UtilisationRequest>[] = [
  ...PAGE,
  ...FILE,
  {
    name: 'atLeast',
    description: 'Minimum utilisation, from 0 to 1',
    schema: { type: 'number', minimum: 0, maximum: 1, default: NEARLY_FULL, example: NEARLY_FULL },
    many: false,
    apply(request, [raw]) {
      request.atLeast = /^\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(raw!) ? Number(raw) : Number.NaN;
      return request.atLeast <= 1 ? undefined : 'must be a number from 0 to 1';
    },
  },
  words(
    'resource',
    'FilledResource',
    'Shows records of these resources only',
    FILLED_RESOURCES,
    (request, given) => void (request.resources = FILLED_RESOURCES.filter((one) => given.includes(one))),
  ),
  ids('siteId', 'Shows records of these sites only', (request, values) => (request.siteIds = values)),
];

@Controller('api/utilisation')
@Tag('Utilisation', 'Prefixes and racks that are nearly full')
export class UtilisationController {
  constructor(@Inject(UtilisationService) private readonly service: UtilisationService) {}

  @Get()
  @Access({ role: 'viewer' })
  @TakesQuery()
  @Operation({
    operationId: 'listUtilisation',
    text: {
      summary: 'List nearly full prefixes and racks',
      description:
        'Prefixes by the share of their addresses that is recorded in their VRF, and racks by the share of their units that is taken on any face, the fullest first. Racks whose number of units is unknown are left out.',
    },
    list: { parameters: PARAMETERS },
    response: UtilisationEntry,
    status: 200,
  })
  list(@Ctx() ctx: RequestContext, @Query() query: RawQuery): Promise<ListReply> {
    const request = readPage<UtilisationRequest>(query, PARAMETERS, {
      resources: [],
      siteIds: [],
      atLeast: NEARLY_FULL,
    });
    return this.service.list(ctx, request);
  }
}
