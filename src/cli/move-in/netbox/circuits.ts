import type { Mapping } from '../mapping.js';
import { generic, named, type NetboxKind } from './kind.js';

const provider: NetboxKind = {
  model: 'circuits.provider',
  resource: 'vendors',
  required: ['name'],
  row: (object) => {
    object.add('asns', 'ipam.asn');
    return named(object);
  },
};

/** NetBox lets a circuit end before it was installed. */
function datesOf(object: Mapping): { installDate: string | null; terminationDate: string | null } {
  const [installDate, terminationDate] = [object.text('install_date'), object.text('termination_date')];
  if (installDate === null || terminationDate === null || terminationDate >= installDate)
    return { installDate, terminationDate };
  object.changed('termination_date', `left out: ${terminationDate} is before the install_date ${installDate}`);
  return { installDate, terminationDate: null };
}

const circuit: NetboxKind = {
  model: 'circuits.circuit',
  resource: 'circuits',
  required: ['circuitNumber'],
  row: (object) => {
    object.add('provider_account', 'circuits.provideraccount');
    // Its terminations say the same.
    for (const field of ['termination_a', 'termination_z']) object.value(field);
    return {
      circuitNumber: object.line('cid'),
      vendorId: object.reference('provider', 'circuits.provider'),
      type: object.name('type', 'circuits.circuittype'),
      status: object.word('status'),
      commitRateKbps: object.number('commit_rate'),
      ...datesOf(object),
      tenantGroupId: object.reference('tenant', 'tenancy.tenant'),
      description: object.text('description'),
    };
  },
};

const termination: NetboxKind = {
  model: 'circuits.circuittermination',
  resource: 'circuit-terminations',
  required: ['circuitId', 'side'],
  defaults: { mark_connected: false },
  row: (object, index) => {
    const end = generic(object, index, 'termination_type', 'termination_id');
    object.put('termination_id', 'dcim.location', end?.model === 'dcim.location' ? end.pk : null, 'location');
    let siteId: string | null = null;
    let providerNetwork: string | null = null;
    if (end?.model === 'dcim.site') siteId = object.referenceTo('termination_id', 'dcim.site', end.pk);
    else if (end?.model === 'dcim.location') {
      const site = index.siteOfLocation.get(end.pk);
      if (site !== undefined) siteId = object.referenceTo('termination_id', 'dcim.site', site);
    } else if (end)
      providerNetwork =
        object.use(end.model, end.pk, 'termination_id') ?? object.known.nameOf(end.model, end.pk) ?? null;
    return {
      circuitId: object.owner('circuit', 'circuits.circuit'),
      side: object.text('term_side'),
      siteId,
      providerNetwork,
      portSpeedKbps: object.number('port_speed'),
      upstreamSpeedKbps: object.number('upstream_speed'),
      crossConnect: object.line('xconnect_id'),
      patchPanel: object.line('pp_info'),
      description: object.text('description'),
    };
  },
};

export const circuits = { circuits: [provider, circuit], terminations: [termination] };
