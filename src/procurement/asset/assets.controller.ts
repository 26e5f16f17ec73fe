import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Asset } from './asset.entity.js';
import { assetFilters } from './assignee.filter.js';
import { AssetsService } from './assets.service.js';

export class CreateAsset extends CreateBody(Asset) {}
export class UpdateAsset extends UpdateBody(Asset) {}

@Controller('api/assets')
export class AssetsController extends ResourceController({
  record: Asset,
  about: 'Property of the organisation, and its holders',
  view: {
    columns: ['name', 'assetTag', 'status', 'currentAssignee', 'categoryId', 'siteId', 'warrantyUntil'],
    order: 'name',
    groups: {
      Asset: ['name', 'assetTag', 'serialNumber', 'status', 'condition', 'currentAssignee'],
      Place: ['categoryId', 'manufacturerId', 'siteId', 'locationId'],
      Purchase: ['purchaseOrderId', 'purchasedAt', 'purchasePrice', 'warrantyUntil', 'notes'],
    },
  },
  create: CreateAsset,
  update: UpdateAsset,
  service: AssetsService,
  filters: assetFilters,
  text: {
    update: {
      description:
        'Changes the fields that are sent and no others; `null` clears a field that may be null. A body without a field to change is refused.',
    },
  },
}) {}
