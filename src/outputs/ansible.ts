import { Conflict, Fault } from '../http/errors.js';
import { JSON_TYPE } from '../http/replies.js';
import { choice, type Parameter } from '../lists/parameters/query-parameters.js';
import type { RecordSql } from '../lists/record-sql.js';
import { words } from '../lists/parameters/words.js';
import { named } from '../openapi/schema.js';
import { ansibleHostNameOf } from './host-name.js';
import { HostQuery } from './host-query.js';
import {
  HOST_DEFAULTS,
  HOST_PARAMETERS,
  type HostOutputRequest,
  type HostResource,
  type OutputHost,
} from './host-rows.js';
import { inPieces, type Output } from './output-document.js';
import { isOwnName } from './own-machine.js';
import { problemList, type OutputProblem } from './problem.js';

/** The groupings of hosts. */
const GROUPINGS = ['site', 'location', 'role', 'platform', 'type', 'cluster', 'status', 'tenantGroup'] as const;
/** One of these, or the name of a custom field. */
type Grouping = string;
const DEFAULT_GROUPINGS: readonly Grouping[] = ['site', 'role'];

const HOST_NAMES = ['name', 'dnsName'] as const;

export interface AnsibleRequest extends HostOutputRequest {
  groupBy: readonly Grouping[];
  /** Where the host name is from. */
  hostName: (typeof HOST_NAMES)[number];
}

const groupings = ({ custom }: RecordSql): Parameter<AnsibleRequest> =>
  words<AnsibleRequest, Grouping>(
    'groupBy',
    'AnsibleGrouping',
    'Fields to group the hosts by, separated by commas or repeated. `site,role` by default',
    [...GROUPINGS, ...custom.fields.map(({ property }) => property)],
    (request, given) => void (request.groupBy = given),
    { separated: true, called: 'what hosts are grouped by' },
  );

const HOST_NAME: Parameter<AnsibleRequest> = {
  ...choice<AnsibleRequest, AnsibleRequest['hostName']>(
    'hostName',
    'AnsibleHostName',
    'Whether the name of a host is that of the device or virtual machine, or the name of its address in the DNS',
    HOST_NAMES,
    (request, value) => (request.hostName = value),
  ),
  schema: { type: 'string', enum: HOST_NAMES, default: 'name' },
};

export const ansibleQuery = new HostQuery<AnsibleRequest>(
  (hosts) => [groupings(hosts), HOST_NAME, ...HOST_PARAMETERS],
  {
    ...HOST_DEFAULTS,
    groupBy: DEFAULT_GROUPINGS,
    hostName: HOST_NAMES[0],
  },
);

export const ANSIBLE_SCHEMA = {
  type: 'object',
  description:
    'A dynamic inventory of Ansible. Its other properties are the groups, each with the names of its `hosts`',
  required: ['_meta', 'all'],
  properties: {
    _meta: named(
      { name: 'AnsibleMeta' },
      {
        type: 'object',
        required: ['hostvars'],
        properties: {
          hostvars: {
            type: 'object',
            description: 'The variables of each host',
            additionalProperties: { type: 'object' },
            example: { 'ams-core-sw-01': { ansible_host: '192.0.2.7', inventory_site: 'Amsterdam DC1' } },
          },
        },
      },
    ),
    all: named(
      { name: 'AnsibleAll' },
      {
        type: 'object',
        required: ['children'],
        properties: { children: { type: 'array', items: { type: 'string' }, description: 'Names of the groups' } },
      },
    ),
  },
  // Many languages cannot express that other properties have another type than these two.
  additionalProperties: true,
};

/** Group names that Ansible itself uses, and its reserved words. */
const RESERVED = new Set(['all', 'ungrouped', '_meta']);
const UNGROUPED = 'ungrouped';

const groupOf = (grouping: Grouping, name: string): string =>
  `${grouping}_${name}`.toLowerCase().replaceAll(/[^a-z0-9_]/gu, '_');

/** A value of a variable. Text that Ansible would run as a template is marked as plain text. */
const variable = (text: string): unknown => (/\{[{%#]/.test(text) ? { __ansible_unsafe: text } : text);

/** A device or virtual machine that may become a host. */
interface Host {
  resource: HostResource;
  id: string;
  recordName: string;
  name: string;
  groups: readonly string[];
  /** JSON text of its variables. */
  variables: string;
}

/** An inventory of Ansible. */
export class AnsibleInventory implements Output<OutputHost> {
  readonly type = JSON_TYPE;
  private readonly found: Host[] = [];
  /** Names of groups by the values that they represent. */
  private readonly groupNames = new Map<string, string>();
  private readonly problems: OutputProblem[] = [];

  constructor(private readonly request: AnsibleRequest) {}

  add(host: OutputHost): string {
    const { groupBy, hostName } = this.request;
    const { resource, id, name: recordName, address, dnsName, tenantGroup, custom, labels } = host;
    if (address === null) return this.leaveOut(resource, id, recordName, 'has no address');
    const given = hostName === 'name' ? recordName : dnsName;
    if (!given) return this.leaveOut(resource, id, recordName, 'has an address without a DNS name');
    const name = ansibleHostNameOf(given);
    if (name === undefined) return this.leaveOut(resource, id, recordName, 'has no valid host name');
    if (RESERVED.has(name.toLowerCase()) || isOwnName(name)) {
      return this.leaveOut(resource, id, recordName, 'has a host name with another meaning to Ansible');
    }
    const known = new Map<string, string | null>([...labels, ['tenantGroup', tenantGroup]]);
    const groups = groupBy.flatMap((grouping) => {
      const values = custom.get(grouping) ?? [known.get(grouping)];
      const word = grouping.replace(/^customFields\./, '');
      return values.flatMap((value) => (value ? [this.groupOf(word, value)] : []));
    });
    const variables = labels.map(([label, value]) => [`inventory_${label}`, variable(value)] as const);
    this.found.push({
      resource,
      id,
      recordName,
      name,
      groups: [...new Set(groups)],
      variables: JSON.stringify(Object.fromEntries([['ansible_host', address], ...variables])),
    });
    return '';
  }

  /** @throws DomainError conflict if two hosts have one name */
  rest(): Iterable<string> {
    const groups = new Set(this.found.flatMap((host) => host.groups));
    const hosts: Host[] = [];
    const byName = new Map<string, Host>();
    const shared = new Map<string, Host[]>();
    for (const host of this.found) {
      const name = host.name.toLowerCase();
      if (groups.has(name)) {
        this.leaveOut(host.resource, host.id, host.recordName, 'has a host name that is the name of a group');
        continue;
      }
      hosts.push(host);
      const first = byName.get(name);
      if (!first) byName.set(name, host);
      else shared.set(name, [...(shared.get(name) ?? [first]), host]);
    }
    if (this.request.problems) {
      for (const host of [...shared.values()].flat()) {
        this.leaveOut(host.resource, host.id, host.recordName, 'has a host name that another host has too');
      }
      return [problemList(this.problems)];
    }
    if (shared.size > 0) {
      throw new Conflict(
        ...[...shared].map(([name, same]) => {
          const listed = same.map(({ id, recordName }) => `${recordName} (${id})`);
          return new Fault(this.request.hostName, `must be unique: ${name} is the host name of ${listed.join(', ')}`);
        }),
      );
    }
    return inPieces(inventory(hosts));
  }

  /** One text for each group, even with many hosts. */
  private groupOf(grouping: Grouping, value: string): string {
    const given = `${grouping} ${value}`;
    let name = this.groupNames.get(given);
    if (name === undefined) this.groupNames.set(given, (name = groupOf(grouping, value)));
    return name;
  }

  private leaveOut(resource: HostResource, id: string, name: string, problem: string): string {
    this.problems.push({ resource, id, name, problem });
    return '';
  }
}

/** The inventory as pieces of JSON. It is written piece by piece, because a JavaScript object would sort names like `7` first. */
function* inventory(hosts: readonly Host[]): Generator<string> {
  const members = new Map<string, string[]>();
  for (const { name, groups } of hosts) {
    for (const group of groups.length > 0 ? groups : [UNGROUPED]) {
      const names = members.get(group);
      if (names) names.push(name);
      else members.set(group, [name]);
    }
  }
  const groups = [...members].toSorted(([a], [b]) => (a < b ? -1 : 1));
  yield '{"_meta":{"hostvars":{';
  for (const [index, { name, variables }] of hosts.entries()) {
    yield `${index === 0 ? '' : ','}${JSON.stringify(name)}:${variables}`;
  }
  yield `}},"all":{"children":${JSON.stringify(groups.map(([group]) => group))}}`;
  for (const [group, names] of groups) yield `,"${group}":${JSON.stringify({ hosts: names })}`;
  yield '}';
}
