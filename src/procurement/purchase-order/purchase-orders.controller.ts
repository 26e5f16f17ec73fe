import { Controller } from '@nestjs/common';
import { addBodyRule, CreateBody, UpdateBody } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { PurchaseOrder } from './purchase-order.entity.js';
import { creationFault } from './purchase-order-status.js';
import { PurchaseOrdersService } from './purchase-orders.service.js';

export class CreatePurchaseOrder extends CreateBody(PurchaseOrder) {}
export class UpdatePurchaseOrder extends UpdateBody(PurchaseOrder) {}
addBodyRule(CreatePurchaseOrder, (body) => creationFault(body.status));

@Controller('api/purchase-orders')
export class PurchaseOrdersController extends ResourceController({
  record: PurchaseOrder,
  create: CreatePurchaseOrder,
  update: UpdatePurchaseOrder,
  conflicts: true,
  area: 'procurement',
  service: PurchaseOrdersService,
  text: {
    update: {
      description:
        'Changes the fields that are sent. `draft` can become `ordered` or `cancelled`, `ordered` can become `cancelled` or `draft` again, `partially_received` can become `closed`. Items are replaced as a list while nothing was received.',
    },
  },
}) {}
