import type { Mapping } from '../mapping.js';
import { siteOfScope } from './ipam.js';
import { named, type NetboxKind } from './kind.js';

const clusterType: NetboxKind = {
  model: 'virtualization.clustertype',
  resource: 'cluster-types',
  required: ['name'],
  row: named,
};

const cluster: NetboxKind = {
  model: 'virtualization.cluster',
  resource: 'clusters',
  required: ['name'],
  row: (object, index) => {
    object.add('group', 'virtualization.clustergroup', 'clusterGroup');
    object.add('tenant', 'tenancy.tenant');
    return {
      name: object.line('name'),
      clusterTypeId: object.reference('type', 'virtualization.clustertype'),
      siteId: siteOfScope(object, index),
      status: object.word('status'),
      description: object.text('description'),
    };
  },
};

/** Rounded up, with a line if it was not whole. */
function whole(object: Mapping, field: string, perUnit = 1): number | null {
  const value = object.number(field);
  if (value === null) return null;
  const rounded = Math.ceil(value / perUnit);
  if (rounded * perUnit !== value)
    object.changed(field, `${value} was rounded up to ${rounded}${perUnit === 1 ? '' : ' GB'}`);
  return rounded;
}

const machine: NetboxKind = {
  model: 'virtualization.virtualmachine',
  resource: 'virtual-machines',
  required: ['name'],
  row: (object, index) => {
    object.add('role', 'dcim.devicerole');
    object.add('tenant', 'tenancy.tenant');
    object.add('site', 'dcim.site');
    object.add('device', 'dcim.device');
    object.add('config_template', 'extras.configtemplate');
    object.add('virtual_machine_type', 'virtualization.virtualmachinetype');
    for (const field of ['primary_ip4', 'primary_ip6']) object.addLater(field, 'ipam.ipaddress');
    return {
      name: object.line('name'),
      clusterId: object.reference('cluster', 'virtualization.cluster'),
      status: object.word('status'),
      vcpus: whole(object, 'vcpus'),
      memoryMb: object.number('memory'),
      diskGb: whole(object, 'disk', index.diskUnit === 'MB' ? 1000 : 1),
      platformId: object.reference('platform', 'dcim.platform'),
      description: object.text('description'),
    };
  },
};

const vmInterface: NetboxKind = {
  model: 'virtualization.vminterface',
  resource: 'virtual-machine-interfaces',
  after: ['parent', 'bridge'],
  required: ['name', 'virtualMachineId'],
  row: (object, index) => {
    for (const field of ['parent', 'bridge']) object.add(field, object.object.model);
    object.add('tagged_vlans', 'ipam.vlan');
    object.add('qinq_svlan', 'ipam.vlan');
    object.add('vlan_translation_policy', 'ipam.vlantranslationpolicy');
    return {
      virtualMachineId: object.owner('virtual_machine', 'virtualization.virtualmachine'),
      name: object.line('name'),
      enabled: object.flag('enabled'),
      macAddress: index.macAddressOf(object),
      mtu: object.number('mtu'),
      mode: object.text('mode'),
      untaggedVlanId: object.reference('untagged_vlan', 'ipam.vlan'),
      vrfId: object.reference('vrf', 'ipam.vrf'),
      description: object.text('description'),
    };
  },
};

export const virtualization = { clusters: [clusterType, cluster], machines: [machine], interfaces: [vmInterface] };
