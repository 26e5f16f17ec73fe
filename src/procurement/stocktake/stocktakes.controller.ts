import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Stocktake } from './stocktake.entity.js';
import { StocktakesService } from './stocktakes.service.js';

class CreateStocktake extends CreateBody(Stocktake) {}
class UpdateStocktake extends UpdateBody(Stocktake) {}

@Controller('api/stocktakes')
export class StocktakesController extends ResourceController({
  record: Stocktake,
  about: 'Counts of assets by scanning them: what is found, missing, misplaced or unknown',
  view: {
    columns: ['name', 'status', 'siteId', 'locationId', 'categoryId', 'closedAt'],
    order: '-createdAt',
    groups: { Stocktake: ['name', 'status', 'closedAt', 'closedBy'], Counted: ['siteId', 'locationId', 'categoryId'] },
  },
  create: CreateStocktake,
  update: UpdateStocktake,
  service: StocktakesService,
  deleteErrors: [409],
  text: {
    create: {
      description:
        'Starts a count of the assets at a location and in the locations within it, at a site, of a category, or of all assets. What is counted never changes. While it is open, the place and the category cannot be deleted.',
    },
    update: {
      description:
        'Changes the fields that are sent and no others; `null` clears a field that may be null. What is counted never changes.',
    },
    delete: { description: 'Refused once something was scanned, or if it is closed.' },
  },
}) {}
