import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { PowerFeed } from './power-feed.entity.js';
import { PowerFeedsService } from './power-feeds.service.js';

class CreatePowerFeed extends CreateBody(PowerFeed) {}
class UpdatePowerFeed extends UpdateBody(PowerFeed) {}

@Controller('api/power-feeds')
export class PowerFeedsController extends ResourceController({
  record: PowerFeed,
  about: 'Lines of power to racks, and how much they may supply',
  view: {
    columns: ['name', 'status', 'siteId', 'rackId', 'type', 'supply', 'availableW'],
    order: 'name',
    groups: {
      Feed: ['name', 'status', 'type', 'panel', 'description'],
      Place: ['siteId', 'rackId', 'tenantGroupId'],
      Power: ['supply', 'phase', 'voltageV', 'amperageA', 'maximumUtilisation', 'availableW'],
    },
  },
  create: CreatePowerFeed,
  update: UpdatePowerFeed,
  service: PowerFeedsService,
}) {}
