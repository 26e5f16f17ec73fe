import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { SluggedService } from '../../records/slugged.service.js';
import { AssetCategory } from './asset-category.entity.js';

class CreateAssetCategory extends CreateBody(AssetCategory) {}
class UpdateAssetCategory extends UpdateBody(AssetCategory) {}

@Controller('api/asset-categories')
export class AssetCategoriesController extends ResourceController({
  record: AssetCategory,
  about: 'Kinds that assets are sorted into, such as laptops',
  create: CreateAssetCategory,
  update: UpdateAssetCategory,
  service: SluggedService<AssetCategory>,
  deleteErrors: [409],
}) {}
