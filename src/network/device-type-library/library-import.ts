import type { InTransaction, RequestContext } from '../../lists/request-context.js';
import { type Transaction } from '../../database/executor.js';
import type { ResourceService } from '../../records/resource.service.js';
import type { Manufacturer } from '../../procurement/manufacturer/manufacturer.entity.js';
import type { DeviceType } from '../device-type/device-type.entity.js';
import type { DeviceTypePort } from '../device-type-port/device-type-port.entity.js';
import { differs } from './library-values.js';
import { makerKey, nameOf, type LibraryType } from './library-file.js';
import { writePorts } from './library-port-import.js';
import type { DeviceTypeLibraryImport } from './library-import.models.js';
import { holdLock, LOCKS } from '../../database/locks.js';
import { sql } from '../../database/sql.js';

export interface LibraryOptions {
  overwrite: boolean;
  dryRun: boolean;
}

type Stored = Pick<DeviceType, 'id' | 'source'> & { name: string } & Record<string, unknown>;
/** The device types that become the vendor's by these writes. */
interface VendorTypes {
  /** @returns their ids, in the order of the bodies */
  createOfVendor(tx: InTransaction, bodies: readonly Partial<DeviceType>[]): Promise<string[]>;
  /** @returns the ids of those that were changed */
  changeOfVendor(tx: InTransaction, changes: readonly { id: string; body: Partial<DeviceType> }[]): Promise<string[]>;
}

/** Updates device types and their ports from the documents of a library. */
export class LibraryImport {
  constructor(
    private readonly types: VendorTypes,
    private readonly ports: ResourceService<DeviceTypePort>,
    private readonly manufacturers: ResourceService<Manufacturer>,
  ) {}

  /** All of the library, or nothing. @throws Conflict if a device would no longer fit into its rack */
  run(
    ctx: RequestContext,
    library: readonly LibraryType[],
    { overwrite, dryRun }: LibraryOptions,
  ): Promise<DeviceTypeLibraryImport> {
    return ctx.transaction((tx) => this.write(tx, library, overwrite), dryRun);
  }

  private async write(
    tx: InTransaction,
    library: readonly LibraryType[],
    overwrite: boolean,
  ): Promise<DeviceTypeLibraryImport> {
    // Two imports at the same time create a manufacturer or a type once.
    await holdLock(tx.db, LOCKS.library);
    // Tells the database that the changes are the vendor's.
    await tx.db.query(sql`SELECT set_config('inventory.library', 'on', true)`);
    const { idOf, created: manufacturersCreated } = await this.makersOf(tx, library);
    const bodies = library.map(({ manufacturer, type }) => ({
      ...type,
      manufacturerId: idOf.get(makerKey(manufacturer))!,
    }));
    const stored = await this.storedOf(tx.db, library);
    const fresh: number[] = [];
    const changed = new Map<string, number>();
    let skipped = 0;
    for (const [index, entry] of library.entries()) {
      const known = stored.get(nameOf(entry));
      if (!known) fresh.push(index);
      else if (known.source === 'vendor' || overwrite) changed.set(known.id, index);
      else skipped++;
    }
    const ids = await this.types.createOfVendor(
      tx,
      fresh.map((index) => bodies[index]!),
    );
    const typeIds = new Map<string, number>([...changed, ...ids.map((id, at) => [id, fresh[at]!] as const)]);
    const updated = new Set<string>();
    const differing = [...changed].filter(([, index]) => {
      const { source, ...known } = stored.get(nameOf(library[index]!))!;
      const { manufacturerId: _same, ...body } = bodies[index]!;
      return source !== 'vendor' || differs(known, body);
    });
    const changes = differing.map(([id, index]) => {
      // Kept, because types are found by the manufacturer's name, and several manufacturers may have it.
      const { manufacturerId: _kept, ...body } = bodies[index]!;
      return { id, body };
    });
    for (const id of await this.types.changeOfVendor(tx, changes)) updated.add(id);
    for (const id of await writePorts(tx, this.ports, library, typeIds, changed)) updated.add(id);
    return {
      created: fresh.length,
      updated: updated.size,
      unchanged: changed.size - updated.size,
      manufacturersCreated,
      skipped,
      ignored: library.flatMap(({ document, ignored }) => ignored.map((key) => ({ document, key }))),
    };
  }

  /** The manufacturers by their names in lower case. Those that are missing are created. */
  private async makersOf(
    tx: InTransaction,
    library: readonly LibraryType[],
  ): Promise<{ idOf: Map<string, string>; created: number }> {
    const names = new Map(library.map(({ manufacturer }) => [makerKey(manufacturer), manufacturer]));
    const found = await tx.db.query<{ name: string; id: string }>(
      sql`SELECT DISTINCT ON (key) key AS name, id FROM manufacturers, lower(name COLLATE "C") key WHERE key = ANY(${[...names.keys()]}) ORDER BY key, created_at, id`,
    );
    const idOf = new Map(found.map(({ name, id }) => [name, id]));
    const missing = [...names].filter(([key]) => !idOf.has(key));
    const ids = await this.manufacturers.createMany(
      tx,
      missing.map(([, name]) => ({ name })),
    );
    for (const [index, [key]] of missing.entries()) idOf.set(key, ids[index]!);
    return { idOf, created: missing.length };
  }

  /** The existing types by name. If several have the same name, the oldest counts. */
  private async storedOf(tx: Transaction, library: readonly LibraryType[]): Promise<Map<string, Stored>> {
    const rows = await tx.query<Stored & { manufacturer: string; model: string }>(
      sql`SELECT t.id, t.source, m.name AS manufacturer, t.model, t.slug, t.part_number AS "partNumber", t.u_height AS "uHeight",
         t.is_full_depth AS "isFullDepth", t.weight, t.airflow, t.subdevice_role AS "subdeviceRole", t.is_powered AS "isPowered",
         t.description
       FROM unnest(${library.map(({ manufacturer }) => makerKey(manufacturer))}::text[], ${library.map(({ type }) => type.model)}::text[]) given (manufacturer, model)
       JOIN manufacturers m ON lower(m.name COLLATE "C") = given.manufacturer
       JOIN device_types t ON t.manufacturer_id = m.id AND t.model = given.model
       ORDER BY t.created_at, t.id FOR NO KEY UPDATE OF t`,
    );
    const byName = new Map<string, Stored>();
    for (const { manufacturer, ...row } of rows) {
      const name = nameOf({ manufacturer, type: row });
      if (!byName.has(name)) byName.set(name, row);
    }
    return byName;
  }
}
