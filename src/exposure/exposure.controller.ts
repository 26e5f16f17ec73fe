import { Controller, Get, Inject, Query } from '@nestjs/common';
import { Access } from '../access/access.js';
import { Ctx, type RequestContext } from '../lists/request-context.js';
import { Fault, ValidationFailed } from '../http/errors.js';
import type { ListReply } from '../http/replies.js';
import { SvgReply, wantsSvg } from '../http/svg.js';
import { TakesQuery } from '../http/route-config.js';
import { ComputedLists } from '../lists/computed-list.js';
import { MEDIA_TYPES, PAGING } from '../lists/parameters/paging.js';
import type { RawQuery } from '../lists/parameters/query-parameters.js';
import { drawSummary } from '../lists/summary/summary.picture.js';
import { Operation } from '../openapi/operation.js';
import { Tag } from '../openapi/tags.js';
import { type DrawnGroup, drawnGroups, exposureList, exposureSummary } from './exposure-list.js';
import { ExposedDevice, ExposureGroup } from './exposure.models.js';
import { EXPOSURE_PARAMETERS, parseExposure, parseSummary, SUMMARY_PARAMETERS } from './exposure.query.js';

/** The first columns of a device in the page. */
const COLUMNS = ['device', 'site', 'lastCoveredOn', 'endsOn', 'lastCoveredBy', 'replacement', 'responsible'];

@Controller('api/exposure')
@Tag('Exposure', 'Devices without a contract, an SLA or a warranty, and the price of replacing them')
export class ExposureController {
  constructor(@Inject(ComputedLists) private readonly lists: ComputedLists) {}

  @Get()
  @Access({ role: 'viewer' })
  @TakesQuery()
  @Operation({
    operationId: 'listExposure',
    text: {
      summary: 'List the devices without coverage',
      description:
        'The devices with the status `active` that have no contract, SLA or warranty on a day, of their own or of their asset. With `within`, the devices that are covered on the day and whose coverage ends within this number of days. Every entry is computed when it is read.',
    },
    list: { parameters: EXPOSURE_PARAMETERS, columns: COLUMNS },
    response: ExposedDevice,
    status: 200,
  })
  list(@Ctx() ctx: RequestContext, @Query() query: RawQuery): Promise<ListReply> {
    const request = parseExposure(query);
    return this.lists.list(ctx, request, exposureList(request));
  }

  @Get('summary')
  @Access({ role: 'viewer' })
  @TakesQuery()
  @Operation({
    operationId: 'listExposureSummary',
    text: {
      summary: 'Summarize the devices without coverage',
      description:
        'The refresh plan: the number of devices and the price of replacing them, for example by the quarter in which their coverage ended and by site. Amounts are exact, and amounts of different currencies are never added up.',
    },
    list: { parameters: SUMMARY_PARAMETERS },
    response: ExposureGroup,
    picture: true,
    status: 200,
  })
  async summary(@Ctx() ctx: RequestContext, @Query() query: RawQuery): Promise<ListReply | SvgReply> {
    const request = parseSummary(query);
    const summary = exposureSummary(request);
    const asked = request.asPicture ? 'svg' : request.format;
    if (!wantsSvg(asked, ctx.accept, Object.values(MEDIA_TYPES))) return this.lists.list(ctx, request, summary);
    const paging = PAGING.filter((name) => request.given.has(name));
    if (paging.length > 0) {
      throw new ValidationFailed(paging.map((name) => new Fault(name, 'must not be given for a picture')));
    }
    const statement = drawnGroups(summary, request.withAmount);
    const bars = await ctx.db.query<DrawnGroup>(statement.unprepared());
    const [{ groups, currencies, total, others } = NOTHING] = bars;
    const isMixed = currencies > 1;
    return new SvgReply(
      drawSummary({
        records: 'exposed devices',
        by: summary.groups.map(({ grouping }) => grouping.replace(/Id$/, '')),
        sum: request.withAmount ? 'amount' : undefined,
        bars,
        groups,
        total: isMixed ? undefined : total,
        others: isMixed ? undefined : others,
      }),
    );
  }
}

const NOTHING = { groups: 0, currencies: 0, total: null, others: null };
