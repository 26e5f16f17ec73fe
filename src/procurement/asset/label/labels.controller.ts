import { Controller, Get, Inject, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Access } from '../../../access/access.js';
import { Ctx, type RequestContext } from '../../../lists/request-context.js';
import type { Configuration } from '../../../config/configuration.js';
import { CONFIGURATION } from '../../../config/tokens.js';
import { PathId } from '../../../http/path-id.js';
import { publicAddress } from '../../../http/public-address.js';
import type { SvgReply } from '../../../http/svg.js';
import { TakesQuery } from '../../../http/route-config.js';
import { Operation } from '../../../openapi/operation.js';
import {
  choice,
  ids,
  type Parameter,
  type RawQuery,
  readQuery,
  withDefault,
} from '../../../lists/parameters/query-parameters.js';
import { readingOf } from '../../../records/record-access.js';
import { TagOf } from '../../../resource/resource.operations.js';
import { Asset } from '../asset.entity.js';
import { CODES } from './codes.js';
import { MOST_LABELS } from './label.picture.js';
import { CONTENTS, type LabelRequest, LabelsService } from './labels.service.js';

export type Chosen = Pick<LabelRequest, 'code' | 'content'>;
type ChosenSheet = Chosen & { ids: string[] };

/** How a label looks. */
export const LABEL: readonly Parameter<Chosen>[] = [
  withDefault(
    choice('code', 'LabelCode', 'The code: a QR code or a Code 128', CODES, (chosen, code) => (chosen.code = code)),
    'qr',
  ),
  withDefault(
    choice(
      'content',
      'LabelContent',
      'Content of the code: the address of the asset in this service, its inventory tag or its serial number',
      CONTENTS,
      (chosen, content) => (chosen.content = content),
    ),
    'url',
  ),
];
const SHEET: readonly Parameter<ChosenSheet>[] = [
  ids('id', `Assets to make labels of, up to ${MOST_LABELS}`, (chosen, values) => (chosen.ids = values), {
    most: MOST_LABELS,
    required: true,
  }),
  ...LABEL,
];

/** The labels of assets, as pictures. */
@Controller('api/assets')
@TagOf(Asset)
export class LabelsController {
  constructor(
    @Inject(LabelsService) private readonly labels: LabelsService,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  @Get('labels.svg')
  @Access(readingOf(Asset))
  @TakesQuery()
  @Operation({
    operationId: 'drawAssetLabels',
    text: {
      summary: 'Get a sheet of labels as a picture',
      description:
        'An A4 sheet with the labels in the order of the ids, as large as their number allows. An id may be given twice.',
    },
    query: SHEET,
    picture: true,
    status: 200,
    errors: [404],
  })
  sheet(@Ctx() ctx: RequestContext, @Req() request: FastifyRequest, @Query() query: RawQuery): Promise<SvgReply> {
    const chosen = readQuery<LabelRequest & { ids: string[] }>(query, SHEET, { ...this.usual(request), ids: [] });
    return this.labels.sheet(ctx, chosen.ids, chosen);
  }

  @Get(':id/label.svg')
  @Access(readingOf(Asset))
  @TakesQuery()
  @Operation({
    operationId: 'drawAssetLabel',
    text: {
      summary: 'Get the label of an asset as a picture',
      description:
        'A label of 62 by 29 millimetres, wider for a long Code 128, with the name, the inventory tag and a code.',
    },
    query: LABEL,
    picture: true,
    status: 200,
  })
  label(
    @Ctx() ctx: RequestContext,
    @Req() request: FastifyRequest,
    @PathId() id: string,
    @Query() query: RawQuery,
  ): Promise<SvgReply> {
    const chosen = readQuery<LabelRequest>(query, LABEL, this.usual(request));
    return this.labels.one(ctx, id, chosen);
  }

  private usual(request: FastifyRequest): LabelRequest {
    return { code: 'qr', content: 'url', address: publicAddress(request, this.configuration.publicUrl) };
  }
}
