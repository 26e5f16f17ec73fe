import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { SluggedService } from '../../kernel/slugged.service.js';
import { AssetCategory } from './asset-category.entity.js';

export class CreateAssetCategoryDto extends CreateDto(AssetCategory) {}
export class UpdateAssetCategoryDto extends UpdateDto(AssetCategory) {}

@Controller('api/asset-categories')
export class AssetCategoriesController extends ResourceController({
  record: AssetCategory,
  create: CreateAssetCategoryDto,
  update: UpdateAssetCategoryDto,
  area: 'procurement',
  service: SluggedService<AssetCategory>,
}) {}
