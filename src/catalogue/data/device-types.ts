import { aristaDeviceTypes } from './device-types/arista.js';
import { arubaDeviceTypes } from './device-types/aruba.js';
import { ciscoDeviceTypes } from './device-types/cisco.js';
import { infrastructureDeviceTypes } from './device-types/infrastructure.js';
import { juniperDeviceTypes } from './device-types/juniper.js';
import { otherNetworkDeviceTypes } from './device-types/other-network.js';
import { securityDeviceTypes } from './device-types/security.js';
import type { CatalogueDeviceType } from './types.js';

export const deviceTypes: CatalogueDeviceType[] = [
  ...ciscoDeviceTypes,
  ...juniperDeviceTypes,
  ...aristaDeviceTypes,
  ...arubaDeviceTypes,
  ...otherNetworkDeviceTypes,
  ...securityDeviceTypes,
  ...infrastructureDeviceTypes,
].map((type) => ({
  ...type,
  modules: type.modules.map((module, index) => ({ sortOrder: (index + 1) * 10, ...module })),
}));
