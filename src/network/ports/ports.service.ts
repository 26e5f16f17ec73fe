import type { Executor } from '../../database/executor.js';
import type { StoredRecord } from '../../fields/record.js';
import { ResourceService } from '../../records/resource.service.js';

/** What decides whether ports may refer to each other, besides what is unique. */
const LINKED = ['positions', 'rearPosition', 'type', 'mode'];

/** The service of ports. */
export class PortsService<T extends StoredRecord> extends ResourceService<T> {
  override async dependsOnOthers(db: Executor, body: object): Promise<boolean> {
    return LINKED.some((property) => property in body) || super.dependsOnOthers(db, body);
  }
}
