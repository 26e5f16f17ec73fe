import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Cluster } from './cluster.entity.js';

class CreateCluster extends CreateBody(Cluster) {}
class UpdateCluster extends UpdateBody(Cluster) {}

@Controller('api/clusters')
export class ClustersController extends ResourceController({
  record: Cluster,
  about: 'Hosts that run virtual machines together',
  view: {
    columns: ['name', 'status', 'clusterTypeId', 'siteId', 'description'],
    order: 'name',
  },
  create: CreateCluster,
  update: UpdateCluster,
}) {}
