import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { Cluster } from './cluster.entity.js';

export class CreateClusterDto extends CreateDto(Cluster) {}
export class UpdateClusterDto extends UpdateDto(Cluster) {}

@Controller('api/clusters')
export class ClustersController extends ResourceController({
  record: Cluster,
  create: CreateClusterDto,
  update: UpdateClusterDto,
  area: 'network',
}) {}
