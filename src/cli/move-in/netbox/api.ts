import { Refusal, SourceApi } from '../requests.js';
import type { SourceObject } from '../model.js';
import { isObject, listOf } from '../shapes.js';
import { ApiCustomFields, plain } from './api-custom-fields.js';

/** Default limit of a NetBox for the objects in one response. */
const PAGE = 1000;

/** The lists of an application: the path of each, and the kind of its objects. Referenced kinds come first. */
const LISTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  extras: {
    'custom-field-choice-sets': 'customfieldchoiceset',
    'custom-fields': 'customfield',
    tags: 'tag',
    'config-contexts': 'configcontext',
    'config-templates': 'configtemplate',
    'custom-links': 'customlink',
    'event-rules': 'eventrule',
    'export-templates': 'exporttemplate',
    'image-attachments': 'imageattachment',
    'journal-entries': 'journalentry',
    webhooks: 'webhook',
  },
  tenancy: {
    'tenant-groups': 'tenantgroup',
    tenants: 'tenant',
    'contact-groups': 'contactgroup',
    'contact-roles': 'contactrole',
    contacts: 'contact',
    'contact-assignments': 'contactassignment',
  },
  dcim: {
    regions: 'region',
    'site-groups': 'sitegroup',
    sites: 'site',
    locations: 'location',
    'rack-groups': 'rackgroup',
    'rack-roles': 'rackrole',
    'rack-types': 'racktype',
    racks: 'rack',
    'rack-reservations': 'rackreservation',
    manufacturers: 'manufacturer',
    'device-types': 'devicetype',
    'module-type-profiles': 'moduletypeprofile',
    'module-types': 'moduletype',
    'console-port-templates': 'consoleporttemplate',
    'console-server-port-templates': 'consoleserverporttemplate',
    'power-port-templates': 'powerporttemplate',
    'power-outlet-templates': 'poweroutlettemplate',
    'interface-templates': 'interfacetemplate',
    'rear-port-templates': 'rearporttemplate',
    'front-port-templates': 'frontporttemplate',
    'module-bay-templates': 'modulebaytemplate',
    'device-bay-templates': 'devicebaytemplate',
    'inventory-item-templates': 'inventoryitemtemplate',
    'device-roles': 'devicerole',
    platforms: 'platform',
    devices: 'device',
    'virtual-device-contexts': 'virtualdevicecontext',
    'module-bays': 'modulebay',
    modules: 'module',
    'mac-addresses': 'macaddress',
    'console-ports': 'consoleport',
    'console-server-ports': 'consoleserverport',
    'power-ports': 'powerport',
    'power-outlets': 'poweroutlet',
    interfaces: 'interface',
    'rear-ports': 'rearport',
    'front-ports': 'frontport',
    'device-bays': 'devicebay',
    'inventory-item-roles': 'inventoryitemrole',
    'inventory-items': 'inventoryitem',
    'cable-bundles': 'cablebundle',
    cables: 'cable',
    'virtual-chassis': 'virtualchassis',
    'power-panels': 'powerpanel',
    'power-feeds': 'powerfeed',
  },
  ipam: {
    rirs: 'rir',
    'asn-ranges': 'asnrange',
    asns: 'asn',
    'route-targets': 'routetarget',
    vrfs: 'vrf',
    roles: 'role',
    'vlan-groups': 'vlangroup',
    vlans: 'vlan',
    'vlan-translation-policies': 'vlantranslationpolicy',
    'vlan-translation-rules': 'vlantranslationrule',
    aggregates: 'aggregate',
    prefixes: 'prefix',
    'ip-ranges': 'iprange',
    'fhrp-groups': 'fhrpgroup',
    'fhrp-group-assignments': 'fhrpgroupassignment',
    'ip-addresses': 'ipaddress',
    'service-templates': 'servicetemplate',
    services: 'service',
  },
  circuits: {
    providers: 'provider',
    'provider-accounts': 'provideraccount',
    'provider-networks': 'providernetwork',
    'circuit-types': 'circuittype',
    'circuit-groups': 'circuitgroup',
    circuits: 'circuit',
    'circuit-terminations': 'circuittermination',
    'circuit-group-assignments': 'circuitgroupassignment',
    'virtual-circuit-types': 'virtualcircuittype',
    'virtual-circuits': 'virtualcircuit',
    'virtual-circuit-terminations': 'virtualcircuittermination',
  },
  virtualization: {
    'cluster-types': 'clustertype',
    'cluster-groups': 'clustergroup',
    clusters: 'cluster',
    'virtual-machine-types': 'virtualmachinetype',
    'virtual-machines': 'virtualmachine',
    interfaces: 'vminterface',
    'virtual-disks': 'virtualdisk',
  },
  vpn: {
    'tunnel-groups': 'tunnelgroup',
    tunnels: 'tunnel',
    'tunnel-terminations': 'tunneltermination',
    'ike-proposals': 'ikeproposal',
    'ike-policies': 'ikepolicy',
    'ipsec-proposals': 'ipsecproposal',
    'ipsec-policies': 'ipsecpolicy',
    'ipsec-profiles': 'ipsecprofile',
    l2vpns: 'l2vpn',
    'l2vpn-terminations': 'l2vpntermination',
  },
  wireless: {
    'wireless-lan-groups': 'wirelesslangroup',
    'wireless-lans': 'wirelesslan',
    'wireless-links': 'wirelesslink',
  },
};

/** Fields that NetBox computes, or that repeat another object. A dump does not have them. */
const COMPUTED: ReadonlySet<string> = new Set([
  ...['id', 'url', 'display', 'display_url', 'link_peers', 'link_peers_type', 'cable_peer', 'cable_peer_type'],
  ...['connected_endpoint', 'connected_endpoint_type', 'connected_endpoint_reachable', 'connected_endpoints'],
  ...['connected_endpoints_type', 'connected_endpoints_reachable', 'bridge_interfaces', 'mac_addresses', 'primary_ip'],
  ...['parent_device', 'nat_outside', 'family', 'children', 'accounts', 'assignments', 'members', 'rules', 'sites'],
  ...['front_ports', 'l2vpn_termination', 'count_ipaddresses', 'count_fhrp_groups', 'total_vlan_ids', 'utilization'],
  ...['available_vlans', 'allocated_vcpus', 'allocated_memory', 'allocated_disk', 'replicate_components'],
  ...[
    'adopt_components',
    'config_context',
    'installed_module',
    'ip_addresses',
    'unit_count',
    'occupied',
    'choices_count',
  ],
]);

/** A NetBox that is read over its REST API, with objects as `dumpdata` writes them. */
export class NetboxApi {
  private readonly api: SourceApi;

  /** @throws CommandError */
  constructor(url: string) {
    // Since 4.5 tokens can be of another kind, with a prefix.
    this.api = new SourceApi(url, 'NETBOX_TOKEN', (token) => (token.startsWith('nbt_') ? 'Bearer' : 'Token'));
  }

  /** The version, such as `4.2.9`; undefined if the NetBox does not tell it. */
  async version(): Promise<string | undefined> {
    const status = await this.api.get<Record<string, unknown>>('/api/status/').catch((error: unknown) => {
      if (error instanceof Refusal) return undefined;
      throw error;
    });
    const version: unknown = status?.['netbox-version'];
    return typeof version === 'string' ? version : undefined;
  }

  /** @throws CommandError */
  async *objects(): AsyncGenerator<SourceObject> {
    const custom = new ApiCustomFields((model) => READ.has(model));
    for (const [application, lists] of Object.entries(LISTS))
      for (const [path, kind] of Object.entries(lists)) {
        const model = `${application}.${kind}`;
        const exclude = /\.(?:device|virtualmachine)$/.test(model) ? '&exclude=config_context' : '';
        const pathOf = (offset: number): string =>
          `/api/${application}/${path}/?limit=${PAGE}&offset=${offset}&ordering=id${exclude}`;
        for await (const { place, fields } of this.api.entries(pathOf, ['count', 'results']))
          if (fields) {
            if (model === 'extras.customfield') custom.define(fields);
            yield* custom.namedBy(fields.custom_fields);
            yield* asDumped(model, place, fields, custom);
          } else yield { model, pk: place, fields: {}, fault: 'it has no id' };
      }
  }
}

/** Kinds that are read. */
const READ: ReadonlySet<string> = new Set(
  Object.entries(LISTS).flatMap(([application, lists]) => Object.values(lists).map((kind) => `${application}.${kind}`)),
);

/** Converts an entry to objects of a dump: the entry itself and the objects nested in it, such as its tags. */
function* asDumped(
  model: string,
  pk: string,
  entry: Record<string, unknown>,
  custom: ApiCustomFields,
): Generator<SourceObject> {
  const fields: SourceObject['fields'] = {};
  for (const [field, value] of Object.entries(entry)) {
    if (COMPUTED.has(field)) continue;
    // The referenced object is beside its type and id.
    if (`${field}_type` in entry && `${field}_id` in entry) continue;
    if (field === 'tags' && model.split('.')[0] !== 'extras' && Array.isArray(value)) {
      for (const tag of value)
        yield {
          model: 'extras.taggeditem',
          pk: `${model}/${pk}/${isObject(tag) ? String(tag.name) : String(tag)}`,
          fields: { content_type: model, object_id: pk, tag: isObject(tag) ? tag.id : tag },
        };
    } else if (field === 'custom_fields') fields.custom_field_data = custom.plain(value);
    else if (field === 'a_terminations' || field === 'b_terminations')
      yield* terminations(pk, field === 'a_terminations' ? 'A' : 'B', value);
    else if (field === 'rear_ports') yield* mappings(model, pk, value);
    else if (field === 'attributes' && model === 'dcim.moduletype') fields.attribute_data = value;
    else if (field.endsWith('_image') && typeof value === 'string') fields[field] = value.replace(/^.*\/media\//, '');
    else fields[field] = plain(value);
  }
  // Since 4.2 it is that of the primary one.
  if ('primary_mac_address' in fields) delete fields.mac_address;
  yield { model, pk, fields };
}

const objectsOf = (value: unknown): Record<string, unknown>[] => (listOf(value) ?? []).filter(isObject);

function* terminations(cable: string, side: string, value: unknown): Generator<SourceObject> {
  for (const { object_type, object_id } of objectsOf(value))
    yield {
      model: 'dcim.cabletermination',
      pk: `${cable}/${side}/${String(object_type)}/${String(object_id)}`,
      fields: { cable, cable_end: side, termination_type: object_type, termination_id: object_id },
    };
}

/** Where a front port passes to, since 4.5. */
function* mappings(model: string, front: string, value: unknown): Generator<SourceObject> {
  for (const mapping of objectsOf(value))
    yield {
      model: model === 'dcim.frontport' ? 'dcim.portmapping' : 'dcim.porttemplatemapping',
      pk: `${front}/${String(mapping.position)}`,
      fields: {
        front_port: front,
        front_port_position: mapping.position,
        rear_port: plain(mapping.rear_port),
        rear_port_position: mapping.rear_port_position,
      },
    };
}
