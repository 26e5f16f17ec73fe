import { Family } from '../resource/family.js';
import { AssetAssignment } from './asset/asset-assignment.entity.js';
import { AssetAssignmentsService } from './asset/asset-assignments.service.js';
import { AssetAssignmentsController } from './asset/asset-assignments.controller.js';
import { AssetsController } from './asset/assets.controller.js';
import { LabelsController } from './asset/label/labels.controller.js';
import { LabelsService } from './asset/label/labels.service.js';
import { AssetCategoriesController } from './asset-category/asset-categories.controller.js';
import { ContractsController } from './contract/contracts.controller.js';
import { ExpirationsController } from './expiration/expirations.controller.js';
import { ExpirationsService } from './expiration/expirations.service.js';
import { ManufacturersController } from './manufacturer/manufacturers.controller.js';
import { PurchaseOrderItem } from './purchase-order/purchase-order-item.entity.js';
import { PurchaseOrdersController } from './purchase-order/purchase-orders.controller.js';
import { ReceiveController } from './purchase-order/receive/receive.controller.js';
import { ReceiveService } from './purchase-order/receive/receive.service.js';
import { RenewalsController } from './renewal/renewals.controller.js';
import { SlasController } from './sla/slas.controller.js';
import { LicencePositionController } from './software-licence/licence-position.controller.js';
import { SoftwareLicencesController } from './software-licence/software-licences.controller.js';
import { VendorsController } from './vendor/vendors.controller.js';

@Family({
  title: 'Procurement',
  controllers: [
    AssetsController,
    AssetAssignmentsController,
    LabelsController,
    AssetCategoriesController,
    ManufacturersController,
    VendorsController,
    PurchaseOrdersController,
    ReceiveController,
    ContractsController,
    SlasController,
    SoftwareLicencesController,
    LicencePositionController,
    RenewalsController,
    ExpirationsController,
  ],
  providers: [AssetAssignmentsService, ExpirationsService, LabelsService, ReceiveService],
  entities: [AssetAssignment, PurchaseOrderItem],
})
export class ProcurementModule {}
