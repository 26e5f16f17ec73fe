import { Controller } from '@nestjs/common';
import { raw } from '../../database/sql.js';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import type { ExtraFilter } from '../../lists/list-request.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { BELOW_MINIMUM, StockItem } from './stock-item.entity.js';

class CreateStockItem extends CreateBody(StockItem) {}
class UpdateStockItem extends UpdateBody(StockItem) {}

/** `below=minimum`: the items below their minimum. */
const below: ExtraFilter = {
  name: 'below',
  description: 'Items of which there are fewer units than their `minimum`',
  schema: { type: 'string', enum: ['minimum'] },
  enumName: 'StockThreshold',
  expects: '`minimum`',
  parse: (given) => (given === 'minimum' ? given : undefined),
  sqlType: 'text',
  sql: () => raw(BELOW_MINIMUM),
};

@Controller('api/stock-items')
export class StockItemsController extends ResourceController({
  record: StockItem,
  about: 'What is kept by its number, such as cables: levels by place, movements, and cost',
  view: { columns: ['name', 'sku', 'onHand', 'minimum', 'unit', 'categoryId'], order: 'name' },
  create: CreateStockItem,
  update: UpdateStockItem,
  filters: [below],
  deleteErrors: [409],
}) {}
