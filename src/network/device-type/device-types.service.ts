import { Inject } from '@nestjs/common';
import type { InTransaction, RequestContext } from '../../lists/request-context.js';
import { Manufacturer } from '../../procurement/manufacturer/manufacturer.entity.js';
import { RecordStores } from '../../records/record-store.js';
import type { Columns } from '../../records/record-writer.js';
import { RecordService } from '../../records/record-service.js';
import { serviceOf, type ResourceService } from '../../records/resource.service.js';
import { SluggedService } from '../../records/slugged.service.js';
import type { LibraryType } from '../device-type-library/library-file.js';
import type { DeviceTypeLibraryImport } from '../device-type-library/library-import.models.js';
import { LibraryImport, type LibraryOptions } from '../device-type-library/library-import.js';
import { PortsService } from '../ports/ports.service.js';
import { DeviceTypePort } from '../device-type-port/device-type-port.entity.js';
import { DeviceType } from './device-type.entity.js';

const OF_VENDOR: Columns = { source: 'vendor' };

@RecordService(DeviceType)
export class DeviceTypesService extends SluggedService<DeviceType> {
  protected override readonly slugSource = 'model';

  constructor(
    @Inject(RecordStores) stores: RecordStores,
    @Inject(serviceOf(DeviceTypePort, PortsService)) private readonly ports: ResourceService<DeviceTypePort>,
    @Inject(serviceOf(Manufacturer, SluggedService)) private readonly manufacturers: ResourceService<Manufacturer>,
  ) {
    super(stores);
  }

  /** Imports documents of the device type library. @throws Conflict if a device would no longer fit into its rack */
  importLibrary(
    ctx: RequestContext,
    library: readonly LibraryType[],
    options: LibraryOptions,
  ): Promise<DeviceTypeLibraryImport> {
    return new LibraryImport(this, this.ports, this.manufacturers).run(ctx, library, options);
  }

  /** Creates types of the vendor. @returns their ids, in the order of the bodies */
  async createOfVendor(tx: InTransaction, bodies: readonly Partial<DeviceType>[]): Promise<string[]> {
    const records = bodies.map((body) => ({ columns: { ...this.newColumns(tx, body), ...OF_VENDOR }, body }));
    if (records.length === 0) return [];
    return (await this.insert(tx, records, 'ids')).map(({ id }) => id);
  }

  /** Changes types, which become the vendor's. @returns the ids of those that it changed @throws Conflict */
  async changeOfVendor(
    tx: InTransaction,
    changes: readonly { id: string; body: Partial<DeviceType> }[],
  ): Promise<string[]> {
    const made = changes.map(({ id, body }) => ({
      id,
      columns: { ...this.columns(tx, body), ...OF_VENDOR },
      body,
    }));
    const rows = await this.change(tx, made, 'ids', {});
    return rows.filter(({ changed }) => changed).map(({ id }) => id);
  }
}
