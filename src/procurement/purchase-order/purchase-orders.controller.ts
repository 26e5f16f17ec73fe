import { Controller } from '@nestjs/common';
import { addBodyRule, CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { PurchaseOrder } from './purchase-order.entity.js';
import { creationFault } from './purchase-order-status.js';
import { PurchaseOrdersService } from './purchase-orders.service.js';

export class CreatePurchaseOrder extends CreateBody(PurchaseOrder) {}
export class UpdatePurchaseOrder extends UpdateBody(PurchaseOrder) {}
addBodyRule(CreatePurchaseOrder, (body) => creationFault(body.status));

@Controller('api/purchase-orders')
export class PurchaseOrdersController extends ResourceController({
  record: PurchaseOrder,
  about: 'Orders and receiving them',
  view: {
    columns: ['orderNumber', 'vendorId', 'status', 'orderDate', 'expectedDate', 'receivedQuantity', 'totalPrice'],
    order: '-createdAt',
    groups: {
      Order: ['orderNumber', 'vendorId', 'status', 'currency', 'supplierReference'],
      Lines: ['items', 'orderedQuantity', 'receivedQuantity', 'totalPrice'],
      Delivery: ['orderDate', 'expectedDate', 'receivedDate', 'siteId', 'locationId', 'requestedById', 'notes'],
    },
  },
  create: CreatePurchaseOrder,
  update: UpdatePurchaseOrder,
  conflicts: true,
  service: PurchaseOrdersService,
  // Units were received.
  deleteErrors: [409],
  text: {
    update: {
      description:
        'Changes the fields that are sent. `draft` can become `ordered` or `cancelled`, `ordered` can become `cancelled` or `draft` again, `partially_received` can become `closed`. The list of items can be replaced until the first unit is received.',
    },
    delete: {
      description:
        'References to it become null; its items go with it. An order with received units cannot be deleted. Reverse its receipts first.',
    },
  },
}) {}
