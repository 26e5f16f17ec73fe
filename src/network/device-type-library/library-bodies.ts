import { CreateBody } from '../../fields/bodies/bodies.js';
import { Manufacturer } from '../../procurement/manufacturer/manufacturer.entity.js';
import { DeviceType } from '../device-type/device-type.entity.js';
import { DeviceTypePort } from '../device-type-port/device-type-port.entity.js';

export class CreateManufacturerOfLibrary extends CreateBody(Manufacturer) {}
export class CreateTypeOfLibrary extends CreateBody(DeviceType) {}
export class CreatePortOfLibrary extends CreateBody(DeviceTypePort) {}
