import { RecordService } from '../../records/resource.service.js';
import { SluggedService } from '../../records/slugged.service.js';
import { DeviceType } from './device-type.entity.js';

@RecordService(DeviceType)
export class DeviceTypesService extends SluggedService<DeviceType> {
  protected override readonly slugSource = 'model';
}
