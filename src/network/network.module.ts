import { Manufacturer } from '../procurement/manufacturer/manufacturer.entity.js';
import { serviceOf } from '../records/resource.service.js';
import { SluggedService } from '../records/slugged.service.js';
import { Family } from '../resource/family.js';
import { RegionsController } from './region/regions.controller.js';
import { PowerFeedsController } from './power-feed/power-feeds.controller.js';
import {
  VirtualMachineInterfacesController,
  FlatVirtualMachineInterfacesController,
} from './virtual-machine-interface/virtual-machine-interfaces.controller.js';
import { VirtualMachineAddressesController } from './virtual-machine-address/virtual-machine-addresses.controller.js';
import { CircuitsController } from './circuit/circuits.controller.js';
import {
  CircuitTerminationsController,
  FlatCircuitTerminationsController,
} from './circuit-termination/circuit-terminations.controller.js';
import {
  VirtualMachineIpAddress,
  VirtualMachineIpsController,
} from './virtual-machine-address/virtual-machine-ips.controller.js';
import { CableEnd } from './cable/cable-end.entity.js';
import { FreePort } from './device-port/free-port.entity.js';
import { CablesController } from './cable/cables.controller.js';
import { ClusterTypesController } from './cluster-type/cluster-types.controller.js';
import { ClustersController } from './cluster/clusters.controller.js';
import { DeviceIpAddress } from './ip-address/device-ip-address.js';
import { DeviceIpsController } from './ip-address/device-ips.controller.js';
import { DevicePortsController, FlatDevicePortsController } from './device-port/device-ports.controller.js';
import {
  DevicePortVlansController,
  FlatDevicePortVlansController,
} from './device-port-vlan/device-port-vlans.controller.js';
import { DeviceRolesController } from './device-role/device-roles.controller.js';
import { DeviceTypeModulesController } from './device-type-module/device-type-modules.controller.js';
import {
  DeviceTypePortsController,
  FlatDeviceTypePortsController,
} from './device-type-port/device-type-ports.controller.js';
import { DeviceTypesController } from './device-type/device-types.controller.js';
import { DevicePortsSyncController } from './device-port/device-ports-sync.controller.js';
import { DevicesController } from './device/devices.controller.js';
import { IpAddressesController } from './ip-address/ip-addresses.controller.js';
import { LocationsController } from './location/locations.controller.js';
import { PlatformsController } from './platform/platforms.controller.js';
import { AllocationController } from './prefix/allocation/allocation.controller.js';
import { AllocationService } from './prefix/allocation/allocation.service.js';
import { PrefixesController } from './prefix/prefixes.controller.js';
import { RackReservationsController } from './rack-reservation/rack-reservations.controller.js';
import { RackPowerController } from './rack/power/rack-power.controller.js';
import { RackPowerService } from './rack/power/rack-power.service.js';
import { RackSpaceController } from './rack/space/rack-space.controller.js';
import { RackSpaceService } from './rack/space/rack-space.service.js';
import { RacksController } from './rack/racks.controller.js';
import { SitesController } from './site/sites.controller.js';
import { AvailableVlansController } from './vlan/available-vlans/available-vlans.controller.js';
import { AvailableVlansService } from './vlan/available-vlans/available-vlans.service.js';
import { DeviceTraceController, TraceController } from './trace/trace.controller.js';
import { TraceService } from './trace/trace.service.js';
import { UtilisationController } from './utilisation/utilisation.controller.js';
import { UtilisationService } from './utilisation/utilisation.service.js';
import { VlanGroupsController } from './vlan-group/vlan-groups.controller.js';
import { VlansController } from './vlan/vlans.controller.js';
import { VirtualMachinesController } from './virtual-machine/virtual-machines.controller.js';
import { VrfsController } from './vrf/vrfs.controller.js';

@Family({
  title: 'Network and compute',
  controllers: [
    RegionsController,
    SitesController,
    LocationsController,
    RacksController,
    RackSpaceController,
    RackPowerController,
    RackReservationsController,
    PowerFeedsController,
    DeviceTypesController,
    DeviceTypeModulesController,
    DeviceTypePortsController,
    FlatDeviceTypePortsController,
    DeviceRolesController,
    PlatformsController,
    DevicesController,
    DevicePortsController,
    FlatDevicePortsController,
    TraceController,
    DeviceTraceController,
    DevicePortVlansController,
    FlatDevicePortVlansController,
    DevicePortsSyncController,
    DeviceIpsController,
    VrfsController,
    PrefixesController,
    AllocationController,
    IpAddressesController,
    VlanGroupsController,
    AvailableVlansController,
    VlansController,
    ClusterTypesController,
    ClustersController,
    VirtualMachinesController,
    VirtualMachineInterfacesController,
    FlatVirtualMachineInterfacesController,
    VirtualMachineAddressesController,
    VirtualMachineIpsController,
    CablesController,
    CircuitsController,
    CircuitTerminationsController,
    FlatCircuitTerminationsController,
    UtilisationController,
  ],
  entities: [CableEnd, FreePort],
  providers: [
    serviceOf(DeviceIpAddress),
    serviceOf(VirtualMachineIpAddress),
    serviceOf(Manufacturer, SluggedService),
    RackSpaceService,
    RackPowerService,
    TraceService,
    AvailableVlansService,
    AllocationService,
    UtilisationService,
  ],
})
export class NetworkModule {}
