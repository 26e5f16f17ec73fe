import { type Fault, ValidationFailed } from '../http/errors.js';
import { listOf, type Knowing } from '../lists/list-query.js';
import type { ListRequest } from '../lists/list-request.js';
import type { NarrowedQuery } from '../lists/narrowed-query.js';
import type { RawQuery } from '../lists/parameters/query-parameters.js';
import type { Installation } from '../openapi/body.js';
import type { DocumentedParameter } from '../openapi/schema.js';
import { Device } from '../network/device/device.entity.js';
import { VirtualMachine } from '../network/virtual-machine/virtual-machine.entity.js';
import { HOST_RESOURCES, type HostOutputRequest, type HostResource } from './host-rows.js';
import { outputQuery, type OwnParameters } from './output-parameters.js';

const ONLY_MACHINES = 'With `resource=virtual-machines`: ';

/**
 * The query of an output of hosts: one list request for each resource, because their lists differ in fields and order. Filters that
 * both lists have apply to both.
 */
export class HostQuery<R extends HostOutputRequest> {
  private readonly queries: Readonly<Record<HostResource, NarrowedQuery<R>>>;
  constructor(own: OwnParameters<R>, defaults: Omit<R, keyof ListRequest>) {
    this.queries = {
      devices: outputQuery(listOf(Device), own, defaults),
      'virtual-machines': outputQuery(listOf(VirtualMachine), own, { ...defaults, resource: 'virtual-machines' }),
    };
  }

  /** The parameters of the outputs of either resource. */
  readonly parameters = (installation: Installation): readonly DocumentedParameter[] => {
    const devices = this.queries.devices.parameters(installation);
    const machines = this.queries['virtual-machines'].parameters(installation);
    const ofDevices = new Map(devices.map((parameter) => [parameter.name, parameter]));
    const ofMachines = new Map(machines.map((parameter) => [parameter.name, parameter]));
    return [
      ...devices.map((parameter) => {
        const other = ofMachines.get(parameter.name);
        if (parameter.name !== 'sort' || !other) return parameter;
        const names = new Set([...(parameter.schema.enum as string[]), ...(other.schema.enum as string[])]);
        return { ...parameter, schema: { ...parameter.schema, enum: [...names] }, enumName: 'HostSort' };
      }),
      ...machines
        .filter(({ name }) => !ofDevices.has(name))
        .map((parameter) => ({ ...parameter, description: `${ONLY_MACHINES}${parameter.description}` })),
    ];
  };

  /** @throws ValidationFailed with a fault for each parameter that is unknown to a list, missing or has an invalid value */
  parse(query: RawQuery, ctx: Knowing): readonly R[] {
    const asked = [query.resource ?? []].flat();
    const known = HOST_RESOURCES.filter((resource) => asked.includes(resource));
    const requests: R[] = [];
    const faults = new Map<string, Fault>();
    // An unknown resource is the same fault for each of them.
    for (const resource of known.length > 0 ? known : HOST_RESOURCES.slice(0, 1)) {
      try {
        requests.push(this.queries[resource].parse(query, ctx));
      } catch (error) {
        if (!(error instanceof ValidationFailed) || known.length < 2) throw error;
        for (const fault of error.extra.details!) if (!faults.has(fault.field)) faults.set(fault.field, fault);
      }
    }
    if (faults.size > 0) throw new ValidationFailed([...faults.values()]);
    return requests;
  }
}
