import { Controller, Get, Param, type Type } from '@nestjs/common';
import { Access, meets } from '../../access/access.js';
import { Ctx, type RequestContext } from '../../lists/request-context.js';
import type { Class } from '../../fields/field.js';
import { labelOf, withArticle } from '../../fields/record-entity.js';
import { capital } from '../../fields/words.js';
import { NotFound } from '../../http/errors.js';
import { pathId } from '../../http/path-id.js';
import { PlainReply } from '../../http/replies.js';
import { Circuit } from '../../network/circuit/circuit.entity.js';
import { Cluster } from '../../network/cluster/cluster.entity.js';
import { Device } from '../../network/device/device.entity.js';
import { Location } from '../../network/location/location.entity.js';
import { PowerFeed } from '../../network/power-feed/power-feed.entity.js';
import { Rack } from '../../network/rack/rack.entity.js';
import { Region } from '../../network/region/region.entity.js';
import { Site } from '../../network/site/site.entity.js';
import { VirtualMachine } from '../../network/virtual-machine/virtual-machine.entity.js';
import { Operation } from '../../openapi/operation.js';
import { Asset } from '../../procurement/asset/asset.entity.js';
import { readingOf } from '../../records/record-access.js';
import { TagOf } from '../../resource/resource.operations.js';
import { nameOfResource } from '../containment.js';
import { Incident } from '../incident/incident.entity.js';
import { Impact } from './impact.js';
import { impactStatement } from './impact-statement.js';

/** The controller of the impact of records of one kind. */
function impactController(record: Class): Type {
  const words = labelOf(record);

  @Controller(`api/${nameOfResource(record)}/:id/impact`)
  @TagOf(record)
  class ImpactController {
    @Get()
    @Access(readingOf(record))
    @Operation({
      operationId: `get${record.name}Impact`,
      text: {
        summary: `Read what goes down with ${withArticle(record)}`,
        description:
          'All contents of the record, direct and indirect. A region contains regions and sites; a site locations, racks, devices, clusters and assets; a location further locations, racks, devices and assets; a rack devices; an asset its device; a device its ports, addresses and cluster; a cluster virtual machines; a virtual machine interfaces and addresses. The impact includes power: a device is down if all of its power ports with a cable depend only on feeds and devices that are down, and degraded if some do. The devices at the ends of a circuit are degraded. Callers with the area `operations` also get the open incidents, maintenance windows and change requests of the record, of its contents and of its containers.',
      },
      response: Impact,
      status: 200,
      finds: words,
    })
    async impact(@Ctx() { db, caller }: RequestContext, @Param() at: Record<string, string>): Promise<PlainReply> {
      const statement = impactStatement(record, pathId(at), meets(caller, readingOf(Incident)));
      const [found] = await db.query<{ json: string }>(statement.unprepared());
      if (!found) throw new NotFound(capital(words));
      return new PlainReply(found.json);
    }
  }
  Object.defineProperty(ImpactController, 'name', { value: `${record.name}ImpactController` });
  return ImpactController;
}

/** The impact of every kind of record that has one. */
export const impactControllers: readonly Type[] = [
  ...[Site, Location, Rack, Device, Cluster, VirtualMachine, Asset, Region, Circuit, PowerFeed],
].map(impactController);
