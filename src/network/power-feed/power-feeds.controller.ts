import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { PowerFeed } from './power-feed.entity.js';
import { PowerFeedsService } from './power-feeds.service.js';

export class CreatePowerFeed extends CreateBody(PowerFeed) {}
export class UpdatePowerFeed extends UpdateBody(PowerFeed) {}

@Controller('api/power-feeds')
export class PowerFeedsController extends ResourceController({
  record: PowerFeed,
  about: 'Lines of power to racks, and how much they may supply',
  view: { columns: ['name', 'status', 'siteId', 'rackId', 'type', 'supply', 'availableW'], order: 'name' },
  create: CreatePowerFeed,
  update: UpdatePowerFeed,
  service: PowerFeedsService,
}) {}
