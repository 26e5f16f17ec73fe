import { Controller } from '@nestjs/common';
import { CreateDto, UpdateDto } from '../../kernel/dto.js';
import { ResourceController } from '../../kernel/resource.controller.js';
import { Asset } from './asset.entity.js';
import { AssetsService } from './assets.service.js';

export class CreateAssetDto extends CreateDto(Asset) {}
export class UpdateAssetDto extends UpdateDto(Asset) {}

@Controller('api/assets')
export class AssetsController extends ResourceController({
  record: Asset,
  create: CreateAssetDto,
  update: UpdateAssetDto,
  area: 'procurement',
  service: AssetsService,
  text: {
    update: {
      description:
        'Changes the fields that are sent and no others; `null` clears a field that may be null. A body without a field to change is refused.',
    },
  },
}) {}
