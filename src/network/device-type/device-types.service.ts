import { SluggedService } from '../../records/slugged.service.js';
import type { DeviceType } from './device-type.entity.js';

export class DeviceTypesService extends SluggedService<DeviceType> {
  protected override readonly slugSource = 'model';
}
