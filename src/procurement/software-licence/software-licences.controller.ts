import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { SoftwareLicence } from './software-licence.entity.js';

export class CreateSoftwareLicence extends CreateBody(SoftwareLicence) {}
export class UpdateSoftwareLicence extends UpdateBody(SoftwareLicence) {}

@Controller('api/software-licences')
export class SoftwareLicencesController extends ResourceController({
  record: SoftwareLicence,
  create: CreateSoftwareLicence,
  update: UpdateSoftwareLicence,
  area: 'procurement',
}) {}
