import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { DeviceType } from './device-type.entity.js';
import { DeviceTypesService } from './device-types.service.js';
import { LIBRARY_FILE } from '../device-type-library/library-file-import.js';

class CreateDeviceType extends CreateBody(DeviceType) {}
class UpdateDeviceType extends UpdateBody(DeviceType) {}

@Controller('api/device-types')
export class DeviceTypesController extends ResourceController({
  record: DeviceType,
  about: 'Models, with their ports and the modules that fit them',
  view: {
    columns: ['model', 'manufacturerId', 'partNumber', 'uHeight', 'isFullDepth', 'airflow'],
    order: 'model',
    groups: {
      Type: ['model', 'manufacturerId', 'partNumber', 'slug', 'description'],
      Form: ['uHeight', 'isFullDepth', 'weight', 'airflow', 'subdeviceRole', 'isPowered'],
    },
  },
  create: CreateDeviceType,
  update: UpdateDeviceType,
  service: DeviceTypesService,
  conflicts: { update: true },
  otherFile: LIBRARY_FILE,
}) {}
