import { Family } from '../resource/family.js';
import { AssetAssignment } from './asset/asset-assignment.entity.js';
import { AssetAssignmentsService } from './asset/asset-assignments.service.js';
import { AssetAssignmentsController } from './asset/asset-assignments.controller.js';
import { HeldAssetsController } from './asset/held-assets.controller.js';
import { AssetsController } from './asset/assets.controller.js';
import { HandoverController } from './asset/handover/handover.controller.js';
import { LabelsController } from './asset/label/labels.controller.js';
import { LabelsService } from './asset/label/labels.service.js';
import { AssetCategoriesController } from './asset-category/asset-categories.controller.js';
import { ContractCoverageController } from './contract/contract-coverage.controller.js';
import { ContractsController } from './contract/contracts.controller.js';
import { coverageControllers } from './coverage/coverage.controller.js';
import { ExpirationsController } from './expiration/expirations.controller.js';
import { ExpirationsService } from './expiration/expirations.service.js';
import { ManufacturersController } from './manufacturer/manufacturers.controller.js';
import { PurchaseOrderItem } from './purchase-order/purchase-order-item.entity.js';
import { PurchaseOrdersController } from './purchase-order/purchase-orders.controller.js';
import { Receipt } from './purchase-order/receipt/receipt.entity.js';
import { ReceiptsController } from './purchase-order/receipt/receipts.controller.js';
import { ReceiptsService } from './purchase-order/receipt/receipts.service.js';
import { ReceiveController } from './purchase-order/receive/receive.controller.js';
import { ReceiveService } from './purchase-order/receive/receive.service.js';
import { RenewalsController } from './renewal/renewals.controller.js';
import { SlaCoverageController } from './sla/sla-coverage.controller.js';
import { SlasController } from './sla/slas.controller.js';
import { LicencePositionController } from './software-licence/licence-position.controller.js';
import { SoftwareLicencesController } from './software-licence/software-licences.controller.js';
import { VendorsController } from './vendor/vendors.controller.js';

@Family({
  title: 'Procurement',
  controllers: [
    AssetsController,
    AssetAssignmentsController,
    HeldAssetsController,
    HandoverController,
    LabelsController,
    AssetCategoriesController,
    ManufacturersController,
    VendorsController,
    PurchaseOrdersController,
    ReceiveController,
    ReceiptsController,
    ContractsController,
    ContractCoverageController,
    SlasController,
    SlaCoverageController,
    ...coverageControllers,
    SoftwareLicencesController,
    LicencePositionController,
    RenewalsController,
    ExpirationsController,
  ],
  providers: [AssetAssignmentsService, ExpirationsService, LabelsService, ReceiveService, ReceiptsService],
  entities: [AssetAssignment, PurchaseOrderItem, Receipt],
})
export class ProcurementModule {}
