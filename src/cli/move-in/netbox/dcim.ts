import { isTrue } from '../shapes.js';
import { color, named, placeIn, type NetboxKind } from './kind.js';

const region: NetboxKind = {
  model: 'dcim.region',
  resource: 'regions',
  after: ['parent'],
  required: ['name'],
  row: (object) => ({
    ...named(object),
    parentId: object.reference('parent', 'dcim.region'),
  }),
};

const site: NetboxKind = {
  model: 'dcim.site',
  resource: 'sites',
  required: ['name'],
  row: (object) => {
    object.add('group', 'dcim.sitegroup', 'siteGroup');
    object.add('tenant', 'tenancy.tenant');
    object.add('asns', 'ipam.asn');
    return {
      ...named(object),
      status: object.word('status'),
      facility: object.line('facility'),
      regionId: object.reference('region', 'dcim.region'),
      physicalAddress: object.text('physical_address'),
      timeZone: object.line('time_zone'),
      latitude: object.number('latitude'),
      longitude: object.number('longitude'),
    };
  },
};

const location: NetboxKind = {
  model: 'dcim.location',
  resource: 'locations',
  after: ['parent'],
  required: ['name'],
  row: (object) => {
    object.add('tenant', 'tenancy.tenant');
    return {
      ...named(object),
      siteId: object.reference('site', 'dcim.site'),
      parentId: object.reference('parent', 'dcim.location'),
      status: object.word('status'),
      facility: object.line('facility'),
    };
  },
};

const manufacturer: NetboxKind = {
  model: 'dcim.manufacturer',
  resource: 'manufacturers',
  required: ['name'],
  row: named,
};

const platform: NetboxKind = {
  model: 'dcim.platform',
  resource: 'platforms',
  after: ['parent'],
  required: ['name'],
  row: (object) => {
    object.add('parent', 'dcim.platform');
    object.add('config_template', 'extras.configtemplate');
    return {
      ...named(object),
      manufacturerId: object.reference('manufacturer', 'dcim.manufacturer'),
    };
  },
};

const deviceRole: NetboxKind = {
  model: 'dcim.devicerole',
  resource: 'device-roles',
  after: ['parent'],
  required: ['name'],
  row: (object) => {
    object.add('parent', 'dcim.devicerole');
    object.add('config_template', 'extras.configtemplate');
    return {
      ...named(object),
      color: color(object) ?? undefined,
      vmRole: object.flag('vm_role'),
    };
  },
};

/** In kilograms. */
const KILOGRAMS: ReadonlyMap<string | null, number> = new Map([
  [null, 1],
  ['kg', 1],
  ['g', 0.001],
  ['lb', 0.453_592_37],
  ['oz', 0.028_349_523_125],
]);

const deviceType: NetboxKind = {
  model: 'dcim.devicetype',
  resource: 'device-types',
  required: ['model'],
  row: (object) => {
    object.add('default_platform', 'dcim.platform');
    return {
      model: object.line('model'),
      manufacturerId: object.reference('manufacturer', 'dcim.manufacturer'),
      slug: object.line('slug'),
      partNumber: object.line('part_number'),
      uHeight: object.number('u_height'),
      isFullDepth: object.flag('is_full_depth'),
      weight: object.measure('weight', 'weight_unit', KILOGRAMS),
      airflow: object.line('airflow'),
      subdeviceRole: object.line('subdevice_role'),
      description: object.text('description'),
    };
  },
};

/** A type of module is a device type without a height. */
const moduleType: NetboxKind = {
  model: 'dcim.moduletype',
  resource: 'device-types',
  required: ['model'],
  row: (object) => {
    object.add('profile', 'dcim.moduletypeprofile');
    return {
      model: object.line('model'),
      manufacturerId: object.reference('manufacturer', 'dcim.manufacturer'),
      partNumber: object.line('part_number'),
      uHeight: null,
      airflow: object.line('airflow'),
      description: object.text('description'),
    };
  },
};

const rack: NetboxKind = {
  model: 'dcim.rack',
  resource: 'racks',
  required: ['name'],
  defaults: { width: 19, form_factor: '' },
  row: (object) => {
    object.add('role', 'dcim.rackrole');
    object.add('rack_type', 'dcim.racktype');
    object.add('group', 'dcim.rackgroup', 'rackGroup');
    object.add('tenant', 'tenancy.tenant');
    // Positions count from it.
    object.number('starting_unit');
    if (isTrue(object.value('desc_units')))
      object.changed(
        'desc_units',
        'its units are counted from the bottom here: the positions of its devices are converted',
      );
    return {
      name: object.line('name'),
      siteId: object.reference('site', 'dcim.site'),
      locationId: object.reference('location', 'dcim.location'),
      units: object.number('u_height'),
      status: object.word('status'),
    };
  },
};

const PHASES: ReadonlyMap<string, string> = new Map([
  ['single-phase', 'single'],
  ['three-phase', 'three'],
]);

const powerFeed: NetboxKind = {
  model: 'dcim.powerfeed',
  resource: 'power-feeds',
  required: ['name'],
  defaults: { mark_connected: false },
  row: (object, index) => {
    const panel = object.text('power_panel');
    // The service computes it.
    object.value('available_power');
    const phase = object.text('phase');
    const siteKey = panel === null ? undefined : index.siteOfPanel.get(panel);
    const siteId = siteKey === undefined ? null : object.referenceTo('power_panel', 'dcim.site', siteKey);
    const rackId = object.reference('rack', 'dcim.rack');
    return {
      name: object.line('name'),
      siteId: placeIn(rackId, siteId),
      rackId,
      panel: object.name('power_panel', 'dcim.powerpanel'),
      status: object.word('status'),
      type: object.word('type'),
      supply: object.word('supply'),
      phase: phase === null ? undefined : (PHASES.get(phase) ?? phase),
      voltageV: object.number('voltage'),
      amperageA: object.number('amperage'),
      maximumUtilisation: object.number('max_utilization') ?? undefined,
      tenantGroupId: object.reference('tenant', 'tenancy.tenant'),
      description: object.text('description'),
    };
  },
};

export const dcim = {
  places: [region, site, location],
  catalogue: [manufacturer, platform, deviceRole, deviceType, moduleType],
  racks: [rack],
  power: [powerFeed],
};
