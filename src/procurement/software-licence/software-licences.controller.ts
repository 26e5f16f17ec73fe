import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { SoftwareLicence } from './software-licence.entity.js';

class CreateSoftwareLicence extends CreateBody(SoftwareLicence) {}
class UpdateSoftwareLicence extends UpdateBody(SoftwareLicence) {}

@Controller('api/software-licences')
export class SoftwareLicencesController extends ResourceController({
  record: SoftwareLicence,
  about: 'Seats, keys and expiry dates of purchased software',
  view: {
    columns: ['name', 'product', 'vendorId', 'seats', 'assignedSeats', 'expiryDate', 'status'],
    order: 'expiryDate',
    groups: {
      Licence: ['name', 'product', 'vendorId', 'status', 'licenceKey'],
      Use: ['seats', 'assignedSeats'],
      Term: ['expiryDate', 'cost', 'notes'],
    },
  },
  create: CreateSoftwareLicence,
  update: UpdateSoftwareLicence,
  conflicts: { update: true },
}) {}
