import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { ClusterType } from './cluster-type.entity.js';

class CreateClusterType extends CreateBody(ClusterType) {}
class UpdateClusterType extends UpdateBody(ClusterType) {}

@Controller('api/cluster-types')
export class ClusterTypesController extends ResourceController({
  record: ClusterType,
  about: 'Technologies that clusters are built with',
  create: CreateClusterType,
  update: UpdateClusterType,
}) {}
