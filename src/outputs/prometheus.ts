import { Unavailable } from '../http/errors.js';
import { JSON_TYPE } from '../http/replies.js';
import { integer } from '../lists/parameters/query-parameters.js';
import { named } from '../openapi/schema.js';
import { HostQuery } from './host-query.js';
import { HOST_DEFAULTS, HOST_PARAMETERS, type HostOutputRequest, type OutputHost } from './host-rows.js';
import type { Output } from './output-document.js';
import { problemList, type OutputProblem } from './problem.js';

export interface PrometheusRequest extends HostOutputRequest {
  port: number;
  /** With fewer targets, the request is refused. */
  minTargets: number;
}

const PORT = integer<PrometheusRequest>(
  'port',
  'Port of the targets',
  { min: 1, max: 65_535, default: 9100 },
  (request, value) => (request.port = value),
);
const MIN_TARGETS = integer<PrometheusRequest>(
  'minTargets',
  'With fewer targets the response is 503, and Prometheus keeps its current targets. Only `0` allows an empty list',
  { min: 0, max: 2_147_483_647, default: 1 },
  (request, value) => (request.minTargets = value),
);

export const prometheusQuery = new HostQuery<PrometheusRequest>([PORT, MIN_TARGETS, ...HOST_PARAMETERS], {
  ...HOST_DEFAULTS,
  port: PORT.schema.default as number,
  minTargets: 1,
});

export const PROMETHEUS_SCHEMA = {
  type: 'array',
  description: 'Targets as of the service discovery over HTTP of Prometheus',
  items: named(
    { name: 'PrometheusTarget' },
    {
      type: 'object',
      required: ['targets', 'labels'],
      properties: {
        targets: {
          type: 'array',
          items: { type: 'string' },
          description: 'Address and port of the host',
          example: ['192.0.2.7:9100'],
        },
        labels: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'Properties of the host, with the prefix `__meta_inventory_`',
          example: { __meta_inventory_name: 'ams-core-sw-01', __meta_inventory_site: 'Amsterdam DC1' },
        },
      },
    },
  ),
};

/** The targets of a service discovery over HTTP. @throws DomainError unavailable if there are too few */
export class PrometheusTargets implements Output<OutputHost> {
  readonly type = JSON_TYPE;
  private targets = 0;
  private readonly problems: OutputProblem[] = [];

  constructor(private readonly request: PrometheusRequest) {}

  add({ resource, id, name, address, labels }: OutputHost): string {
    if (address === null) {
      this.problems.push({ resource, id, name, problem: 'has no address' });
      return '';
    }
    if (this.request.problems) return '';
    this.targets++;
    const host = address.includes(':') ? `[${address}]` : address;
    const shown = labels.map(([label, value]) => [`__meta_inventory_${label}`, value]);
    const target = { targets: [`${host}:${this.request.port}`], labels: Object.fromEntries(shown) as object };
    return (this.targets === 1 ? '[' : ',') + JSON.stringify(target);
  }

  rest(): string[] {
    const { targets } = this;
    const { minTargets, problems } = this.request;
    if (problems) return [problemList(this.problems)];
    if (targets < minTargets) {
      throw new Unavailable(
        `Only ${targets} ${targets === 1 ? 'target was' : 'targets were'} found, fewer than minTargets (${minTargets})`,
      );
    }
    return [targets === 0 ? '[]' : ']'];
  }
}
