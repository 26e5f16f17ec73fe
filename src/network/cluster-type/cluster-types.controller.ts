import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { ClusterType } from './cluster-type.entity.js';

export class CreateClusterTypeDto extends CreateDto(ClusterType) {}
export class UpdateClusterTypeDto extends UpdateDto(ClusterType) {}

@Controller('api/cluster-types')
export class ClusterTypesController extends ResourceController({
  record: ClusterType,
  create: CreateClusterTypeDto,
  update: UpdateClusterTypeDto,
  area: 'network',
}) {}
