import { Controller, Get, Headers, Inject } from '@nestjs/common';
import { Access } from '../access/access.js';
import { Ctx, type RequestContext } from '../lists/request-context.js';
import { QueryOf } from '../lists/list-query.js';
import type { DocumentReply } from '../http/replies.js';
import { TakesQuery } from '../http/route-config.js';
import { Operation } from '../openapi/operation.js';
import { Tag } from '../openapi/tags.js';
import { ANSIBLE_SCHEMA, ansibleQuery, type AnsibleRequest } from './ansible.js';
import { DNS_SCHEMA, DNS_TYPE, dnsQuery, type DnsRequest } from './dns.js';
import { OutputsService } from './outputs.service.js';
import { OutputProblem } from './problem.js';
import { PROMETHEUS_SCHEMA, prometheusQuery, type PrometheusRequest } from './prometheus.js';

@Controller('api/outputs')
@Tag('Outputs', 'The inventory in the formats of other tools')
export class OutputsController {
  constructor(@Inject(OutputsService) private readonly service: OutputsService) {}

  @Get('prometheus')
  @Access({ role: 'viewer' })
  @TakesQuery()
  @Operation({
    operationId: 'readPrometheusTargets',
    text: {
      summary: 'Read the targets of Prometheus',
      description:
        'Service discovery over HTTP (`http_sd_configs`): one entry for each device, or virtual machine, that has an address. The filters are those of the list of devices, or of virtual machines, by `resource`. With fewer targets than `minTargets` the response is 503.',
    },
    document: { json: { name: 'PrometheusTargets', schema: PROMETHEUS_SCHEMA } },
    query: prometheusQuery.parameters,
    response: OutputProblem,
    status: 200,
  })
  prometheus(
    @Ctx() ctx: RequestContext,
    @QueryOf(prometheusQuery) requests: readonly PrometheusRequest[],
    @Headers('if-none-match') known?: string,
  ): Promise<DocumentReply> {
    return this.service.prometheus(ctx, requests, known);
  }

  @Get('ansible')
  @Access({ role: 'viewer' })
  @TakesQuery()
  @Operation({
    operationId: 'readAnsibleInventory',
    text: {
      summary: 'Read the inventory of Ansible',
      description:
        'A dynamic inventory: each device, or virtual machine, that has an address and a valid host name is a host. The filters are those of the list of devices, or of virtual machines, by `resource`. If hosts share a host name, the response is 409.',
    },
    document: { json: { name: 'AnsibleInventory', schema: ANSIBLE_SCHEMA } },
    query: ansibleQuery.parameters,
    response: OutputProblem,
    status: 200,
    errors: [409],
  })
  ansible(
    @Ctx() ctx: RequestContext,
    @QueryOf(ansibleQuery) requests: readonly AnsibleRequest[],
    @Headers('if-none-match') known?: string,
  ): Promise<DocumentReply> {
    return this.service.ansible(ctx, requests, known);
  }

  @Get('dns')
  @Access({ role: 'viewer' })
  @TakesQuery()
  @Operation({
    operationId: 'readDnsRecords',
    text: {
      summary: 'Read the records of a zone',
      description:
        'The `A` and `AAAA` records of the addresses with a name in the zone, or the `PTR` records of the addresses of a reverse zone. A fragment of a zone file without SOA and NS, sorted, or record sets as JSON. A filter of devices also leaves out the addresses without a device.',
    },
    document: {
      text: {
        type: DNS_TYPE,
        description: 'A fragment of a zone file, one record on each line',
        example: 'sw-01.example.net. 3600 IN A 192.0.2.7\n',
      },
      json: { name: 'DnsRecordSets', schema: DNS_SCHEMA },
    },
    query: dnsQuery.parameters,
    response: OutputProblem,
    status: 200,
  })
  dns(
    @Ctx() ctx: RequestContext,
    @QueryOf(dnsQuery) request: DnsRequest,
    @Headers('if-none-match') known?: string,
  ): Promise<DocumentReply> {
    return this.service.dns(ctx, request, known);
  }
}
