/** Shapes of the shipped vendor catalogue. Facts that are not certain are left out, never guessed. */

export const COMMERCIAL_STATUSES = ['active', 'eos', 'eol', 'limited', 'open-source'] as const;
export type CommercialStatus = (typeof COMMERCIAL_STATUSES)[number];

export const AUTOMATION_APIS = [
  'NETCONF',
  'RESTCONF',
  'gNMI',
  'gRPC',
  'eAPI',
  'NX-API',
  'JSON-RPC',
  'REST',
  'YANG',
  'NDK',
  'SNMP',
  'Cloud-only',
] as const;
export type AutomationApi = (typeof AUTOMATION_APIS)[number];

export const DEVICE_ROLE_TIERS = [
  'access',
  'distribution',
  'core',
  'spine',
  'leaf',
  'border-leaf',
  'ai-fabric',
  'edge',
  'sp-edge',
  'sp-core',
  'customer-edge',
  'branch',
  'security',
  'wireless',
  'storage',
  'compute',
  'mgmt',
  'optical',
  'dci',
  'passive',
  'monitoring',
] as const;
export type DeviceRoleTier = (typeof DEVICE_ROLE_TIERS)[number];

export const REDUNDANCY_LEVELS = ['optional', 'recommended', 'required'] as const;
export type RedundancyLevel = (typeof REDUNDANCY_LEVELS)[number];

export interface CatalogueManufacturer {
  name: string;
  slug: string;
  website?: string;
  supportUrl?: string;
  supportEmail?: string;
  supportPhone?: string;
  description?: string;
}

export interface CataloguePlatform {
  name: string;
  slug: string;
  /** Slug of a manufacturer of this catalogue. */
  manufacturer?: string;
  description?: string;
  nosFamily?: string;
  typicalDevices?: string;
  keyFeatures?: string;
  commonUseCases?: string;
  commercialStatus?: CommercialStatus;
  automationApis?: AutomationApi[];
  popular?: boolean;
}

export interface CatalogueDeviceRole {
  name: string;
  slug: string;
  color?: `#${string}`;
  description?: string;
  tier?: DeviceRoleTier;
  redundancy?: RedundancyLevel;
  complianceBaselines?: string[];
  vmRole?: boolean;
  typicalLocation?: string;
  responsibilities?: string;
  popular?: boolean;
}

export interface CatalogueModule {
  sku: string;
  name: string;
  description?: string;
  slotLabel?: string;
  connectorType?: string;
  speeds?: string[];
  /** Network ports of the module, without management and console ports. */
  portCount?: number;
  poeStandard?: string;
  /** The highest power of one port. The output of a power supply is part of its name. */
  poeWatts?: number;
  notes?: string;
  /** By default the position in the list. */
  sortOrder?: number;
}

export interface CatalogueDeviceType {
  model: string;
  /** Slug of a manufacturer of this catalogue. */
  manufacturer: string;
  slug: string;
  partNumber?: string;
  /** A multiple of 0.5. */
  uHeight?: number;
  isFullDepth?: boolean;
  description?: string;
  modules: CatalogueModule[];
}
