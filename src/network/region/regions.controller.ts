import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { Region } from './region.entity.js';

class CreateRegion extends CreateBody(Region) {}
class UpdateRegion extends UpdateBody(Region) {}

@Controller('api/regions')
export class RegionsController extends ResourceController({
  record: Region,
  about: 'Parts of the world where sites are, in a tree',
  view: { columns: ['name', 'parentId', 'description'], order: 'name' },
  create: CreateRegion,
  update: UpdateRegion,
}) {}
