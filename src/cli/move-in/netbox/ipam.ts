import type { Mapping } from '../mapping.js';
import { isObject, jsonOf } from '../shapes.js';
import { generic, type NetboxKind } from './kind.js';
import type { NetboxIndex } from './netbox-index.js';

/** Custom fields of scopes other than sites. */
const SCOPES: Readonly<Record<string, string>> = {
  'dcim.region': 'region',
  'dcim.sitegroup': 'siteGroup',
  'dcim.location': 'location',
  'dcim.rack': 'rack',
  'virtualization.cluster': 'cluster',
  'virtualization.clustergroup': 'clusterGroup',
};

/** The site of a scope. Other scopes become custom fields. */
export function siteOfScope(object: Mapping, index: NetboxIndex): string | null {
  const scope = generic(object, index, 'scope_type', 'scope_id');
  for (const [model, key] of Object.entries(SCOPES))
    if (model !== scope?.model) object.put('scope_id', model, null, key);
  if (!scope) return null;
  if (scope.model === 'dcim.site') return object.referenceTo('scope_id', scope.model, scope.pk);
  object.put('scope_id', scope.model, scope.pk, SCOPES[scope.model] ?? scope.model.split('.')[1]!);
  return null;
}

const vrf: NetboxKind = {
  model: 'ipam.vrf',
  resource: 'vrfs',
  required: ['name'],
  row: (object) => {
    object.add('tenant', 'tenancy.tenant');
    object.add('import_targets', 'ipam.routetarget');
    object.add('export_targets', 'ipam.routetarget');
    return {
      name: object.line('name'),
      routeDistinguisher: object.line('rd'),
      enforceUnique: object.flag('enforce_unique'),
      description: object.text('description'),
    };
  },
};

/** A range of a VLAN group, whose upper bound is open; undefined if it is none. */
function rangeOf(entry: unknown): [number, number] | undefined {
  const given = typeof entry === 'string' ? jsonOf(entry) : entry;
  const [from, to] = Array.isArray(given)
    ? given.map(Number)
    : isObject(given)
      ? [Number(given.lower), Number(given.upper) - (given.bounds === '[]' ? 0 : 1)]
      : [];
  return from !== undefined && to !== undefined && Number.isInteger(from) && Number.isInteger(to)
    ? [from, to]
    : undefined;
}

/** Lowest and highest number of the ranges of a VLAN group. */
function vidsOf(object: Mapping): { minVid: number | null; maxVid: number | null } {
  const [min, max] = [object.number('min_vid'), object.number('max_vid')];
  const given = object.list('vid_ranges');
  if (given.length === 0) return { minVid: min, maxVid: max };
  const ranges = given.flatMap((entry) => {
    const range = rangeOf(entry);
    if (range) return [range];
    object.changed('vid_ranges', `left out: ${JSON.stringify(entry)} is not a range`);
    return [];
  });
  if (ranges.length > 1)
    object.changed('vid_ranges', 'a VLAN group has one range: from the lowest number to the highest');
  return {
    minVid: ranges.length === 0 ? null : Math.min(...ranges.map(([from]) => from)),
    maxVid: ranges.length === 0 ? null : Math.max(...ranges.map(([, to]) => to)),
  };
}

const vlanGroup: NetboxKind = {
  model: 'ipam.vlangroup',
  resource: 'vlan-groups',
  required: ['name'],
  row: (object, index) => {
    object.add('tenant', 'tenancy.tenant');
    return {
      name: object.line('name'),
      siteId: siteOfScope(object, index),
      ...vidsOf(object),
      description: object.text('description'),
    };
  },
};

const vlan: NetboxKind = {
  model: 'ipam.vlan',
  resource: 'vlans',
  after: ['qinq_svlan'],
  required: ['vid', 'name'],
  // NetBox lets the ranges of a group be narrowed below the VLANs in it.
  restsOn: { vid: 'vlanGroupId' },
  row: (object) => {
    object.add('qinq_svlan', 'ipam.vlan');
    return {
      vid: object.number('vid'),
      name: object.line('name'),
      vlanGroupId: object.reference('group', 'ipam.vlangroup'),
      siteId: object.reference('site', 'dcim.site'),
      tenantGroupId: object.reference('tenant', 'tenancy.tenant'),
      status: object.word('status'),
      role: object.name('role', 'ipam.role'),
      description: object.text('description'),
    };
  },
};

const prefix: NetboxKind = {
  model: 'ipam.prefix',
  resource: 'prefixes',
  required: ['prefix'],
  row: (object, index) => ({
    prefix: object.text('prefix'),
    vrfId: object.reference('vrf', 'ipam.vrf'),
    siteId: siteOfScope(object, index),
    vlanId: object.reference('vlan', 'ipam.vlan'),
    tenantGroupId: object.reference('tenant', 'tenancy.tenant'),
    status: object.word('status'),
    role: object.name('role', 'ipam.role'),
    isPool: object.flag('is_pool'),
    description: object.text('description'),
  }),
};

const aggregate: NetboxKind = {
  model: 'ipam.aggregate',
  resource: 'prefixes',
  required: ['prefix'],
  row: (object) => {
    object.add('rir', 'ipam.rir');
    return {
      prefix: object.text('prefix'),
      status: 'container',
      tenantGroupId: object.reference('tenant', 'tenancy.tenant'),
      description: object.text('description'),
    };
  },
};

const address: NetboxKind = {
  model: 'ipam.ipaddress',
  resource: 'ip-addresses',
  after: ['nat_inside'],
  required: ['address'],
  row: (object, index) => {
    object.add('tenant', 'tenancy.tenant');
    object.add('nat_inside', 'ipam.ipaddress');
    const bound = generic(object, index, 'assigned_object_type', 'assigned_object_id');
    let interfaceId: string | null = null;
    if (bound?.model === 'dcim.interface')
      interfaceId = object.referenceTo('assigned_object_id', bound.model, bound.pk);
    // A link of its own binds it to a virtual machine.
    else if (bound && bound.model !== 'virtualization.vminterface') {
      object.changed('assigned_object_id', `an address cannot belong to a ${bound.model}`);
    }
    return {
      address: object.text('address'),
      vrfId: object.reference('vrf', 'ipam.vrf'),
      interfaceId,
      status: object.word('status'),
      role: object.line('role'),
      dnsName: object.line('dns_name'),
      description: object.text('description'),
    };
  },
};

export const ipam = { networks: [vrf, vlanGroup, vlan, prefix, aggregate], addresses: [address] };
