import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { Rack } from './rack.entity.js';

export class CreateRackDto extends CreateDto(Rack) {}
export class UpdateRackDto extends UpdateDto(Rack) {}

@Controller('api/racks')
export class RacksController extends ResourceController({
  record: Rack,
  create: CreateRackDto,
  update: UpdateRackDto,
  area: 'network',
}) {}
