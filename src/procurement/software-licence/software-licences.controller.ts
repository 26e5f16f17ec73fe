import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { SoftwareLicence } from './software-licence.entity.js';

export class CreateSoftwareLicenceDto extends CreateDto(SoftwareLicence) {}
export class UpdateSoftwareLicenceDto extends UpdateDto(SoftwareLicence) {}

@Controller('api/software-licences')
export class SoftwareLicencesController extends ResourceController({
  record: SoftwareLicence,
  create: CreateSoftwareLicenceDto,
  update: UpdateSoftwareLicenceDto,
  area: 'procurement',
}) {}
