import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { SluggedService } from '../../kernel/slugged.service.js';
import { AssetCategory } from './asset-category.entity.js';

export class CreateAssetCategory extends CreateBody(AssetCategory) {}
export class UpdateAssetCategory extends UpdateBody(AssetCategory) {}

@Controller('api/asset-categories')
export class AssetCategoriesController extends ResourceController({
  record: AssetCategory,
  create: CreateAssetCategory,
  update: UpdateAssetCategory,
  area: 'procurement',
  service: SluggedService<AssetCategory>,
}) {}
