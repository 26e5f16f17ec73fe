import { Controller } from '@nestjs/common';
import { CreateBody, OwnedBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
import { DevicePort } from '../device-port/device-port.entity.js';
import { DevicePortVlan } from './device-port-vlan.entity.js';

class CreateDevicePortVlan extends CreateBody(DevicePortVlan) {}
class UpdateDevicePortVlan extends UpdateBody(DevicePortVlan) {}
class CreateFlatDevicePortVlan extends OwnedBody(CreateDevicePortVlan, DevicePortVlan, 'portId', true) {}
class UpdateFlatDevicePortVlan extends OwnedBody(UpdateDevicePortVlan, DevicePortVlan, 'portId', false) {}

@Controller('api/device-ports/:id/tagged-vlans')
export class DevicePortVlansController extends ResourceController({
  record: DevicePortVlan,
  create: CreateDevicePortVlan,
  update: UpdateDevicePortVlan,
  conflicts: true,
  owner: { record: DevicePort, field: 'portId', param: 'taggedVlanId' },
}) {}

@Controller('api/device-port-vlans')
export class FlatDevicePortVlansController extends ResourceController({
  record: DevicePortVlan,
  about: 'The tagged VLANs of all ports of devices',
  create: CreateFlatDevicePortVlan,
  update: UpdateFlatDevicePortVlan,
  conflicts: true,
  flat: true,
}) {}
