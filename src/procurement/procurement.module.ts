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
import { bookedControllers } from './booking/booked-records.controller.js';
import { BookingActionsController } from './booking/booking-actions.controller.js';
import { BookingActionsService } from './booking/booking-actions.service.js';
import { BookingsController } from './booking/bookings.controller.js';
import { FreeAssetsController, FreeAssetsService } from './booking/free-assets.controller.js';
import { ContractCoverageController } from './coverage/contract-coverage.controller.js';
import { ContractsController } from './contract/contracts.controller.js';
import { coverageControllers } from './coverage/coverage.controller.js';
import { ExpirationsController } from './expiration/expirations.controller.js';
import { ExpirationsService } from './expiration/expirations.service.js';
import { ManufacturersController } from './manufacturer/manufacturers.controller.js';
import { PurchaseOrderItem } from './purchase-order/purchase-order.entity.js';
import { PurchaseOrdersController } from './purchase-order/purchase-orders.controller.js';
import { Receipt } from './purchase-order/receipt/receipt.entity.js';
import { ReceiptsController } from './purchase-order/receipt/receipts.controller.js';
import { ReceiptsService } from './purchase-order/receipt/receipts.service.js';
import { ReceiveStockController } from './purchase-order/receive-stock/receive-stock.controller.js';
import { ReceiveStockService } from './purchase-order/receive-stock/receive-stock.service.js';
import { ReceiveController } from './purchase-order/receive/receive.controller.js';
import { ReceiveService } from './purchase-order/receive/receive.service.js';
import { RenewalsController } from './renewal/renewals.controller.js';
import { SlaCoverageController } from './coverage/sla-coverage.controller.js';
import { SlasController } from './sla/slas.controller.js';
import { LicencePositionController } from './software-licence/licence-position.controller.js';
import { SoftwareLicencesController } from './software-licence/software-licences.controller.js';
import { HeldSeatsController } from './software-licence-seat/held-seats.controller.js';
import { SoftwareLicenceSeatsController } from './software-licence-seat/software-licence-seats.controller.js';
import { StockLevelsController } from './stock-movement/level/stock-levels.controller.js';
import { StockMovement } from './stock-movement/stock-movement.entity.js';
import { StockMovementsController } from './stock-movement/stock-movements.controller.js';
import { StockMovementsService } from './stock-movement/stock-movements.service.js';
import { StocktakeActionsController } from './stocktake/stocktake-actions.controller.js';
import { StocktakeLabelsController } from './stocktake/stocktake-labels.controller.js';
import { StocktakeActionsService } from './stocktake/stocktake-actions.service.js';
import { StocktakeResultsService } from './stocktake/stocktake-results.service.js';
import { StocktakesController } from './stocktake/stocktakes.controller.js';
import { VendorsController } from './vendor/vendors.controller.js';
import { StockItemsController } from './stock-item/stock-items.controller.js';

@Family({
  title: 'Procurement',
  controllers: [
    AssetsController,
    AssetAssignmentsController,
    HeldAssetsController,
    HandoverController,
    LabelsController,
    BookingsController,
    BookingActionsController,
    FreeAssetsController,
    ...bookedControllers,
    AssetCategoriesController,
    ManufacturersController,
    VendorsController,
    PurchaseOrdersController,
    ReceiveController,
    ReceiveStockController,
    ReceiptsController,
    ContractsController,
    ContractCoverageController,
    SlasController,
    SlaCoverageController,
    ...coverageControllers,
    SoftwareLicencesController,
    LicencePositionController,
    SoftwareLicenceSeatsController,
    HeldSeatsController,
    RenewalsController,
    StockItemsController,
    StockMovementsController,
    StockLevelsController,
    StocktakesController,
    StocktakeActionsController,
    StocktakeLabelsController,
    ExpirationsController,
  ],
  providers: [
    AssetAssignmentsService,
    BookingActionsService,
    FreeAssetsService,
    ExpirationsService,
    LabelsService,
    ReceiveService,
    ReceiveStockService,
    ReceiptsService,
    StockMovementsService,
    StocktakeActionsService,
    StocktakeResultsService,
  ],
  entities: [AssetAssignment, PurchaseOrderItem, Receipt, StockMovement],
})
export class ProcurementModule {}
