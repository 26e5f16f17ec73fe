import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { IpAddress } from './ip-address.entity.js';
import { IpAddressesService } from './ip-addresses.service.js';
import { within } from './within.filter.js';

export class CreateIpAddressDto extends CreateDto(IpAddress) {}
export class UpdateIpAddressDto extends UpdateDto(IpAddress) {}

@Controller('api/ip-addresses')
export class IpAddressesController extends ResourceController({
  record: IpAddress,
  create: CreateIpAddressDto,
  update: UpdateIpAddressDto,
  area: 'network',
  service: IpAddressesService,
  filters: [within],
}) {}
