import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { Vendor } from './vendor.entity.js';

export class CreateVendorDto extends CreateDto(Vendor) {}
export class UpdateVendorDto extends UpdateDto(Vendor) {}

@Controller('api/vendors')
export class VendorsController extends ResourceController({
  record: Vendor,
  create: CreateVendorDto,
  update: UpdateVendorDto,
  area: 'procurement',
}) {}
