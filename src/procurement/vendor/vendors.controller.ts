import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Vendor } from './vendor.entity.js';

export class CreateVendor extends CreateBody(Vendor) {}
export class UpdateVendor extends UpdateBody(Vendor) {}

@Controller('api/vendors')
export class VendorsController extends ResourceController({
  record: Vendor,
  about: 'Suppliers and service providers of the organisation',
  view: {
    columns: ['name', 'status', 'accountManager', 'email', 'phone', 'website'],
    order: 'name',
    groups: {
      Vendor: ['name', 'slug', 'status', 'description'],
      Contact: ['accountManager', 'email', 'phone', 'website'],
    },
  },
  create: CreateVendor,
  update: UpdateVendor,
}) {}
