import { randomUUID } from 'node:crypto';
import type { InTransaction, RequestContext } from '../../lists/request-context.js';
import { raw, write, type Write } from '../../database/sql.js';
import { Unavailable } from '../../http/errors.js';
import { PlainReply } from '../../http/replies.js';
import { CUSTOM } from '../../fields/custom/custom-field.js';
import { writePlaced } from '../../records/placed-writes.js';
import type { Columns } from '../../records/record-writer.js';
import { RecordService } from '../../records/record-service.js';
import { ResourceService } from '../../records/resource.service.js';
import { usableHosts } from '../address-space.js';
import { familyOf } from './family.js';
import { IpAddress } from './ip-address.entity.js';

/** Details of a new address, and the virtual machine that gets it. */
type NewAddress = Partial<IpAddress> & {
  virtualMachineId?: string | null;
  virtualMachineInterfaceId?: string | null;
};

@RecordService(IpAddress)
export class IpAddressesService extends ResourceService<IpAddress> {
  /** The family follows from the address. If there is a port, the database sets the device to that of the port, whatever the body says. */
  protected override columns(ctx: RequestContext, body: Partial<IpAddress>): Columns {
    const columns = super.columns(ctx, body);
    if (body.address !== undefined) columns.family = familyOf(body.address);
    if (body.interfaceId) delete columns.device_id;
    return columns;
  }

  /** A VRF can enforce unique addresses. */
  override async dependsOnOthers(ctx: RequestContext, body: object): Promise<boolean> {
    return 'address' in body || 'vrfId' in body || 'role' in body || super.dependsOnOthers(ctx, body);
  }

  /**
   * Creates addresses with the lowest free hosts of a prefix, its length and its VRF, by one statement.
   * @param bodies the other properties of each
   * @returns them as a JSON array in the order of the bodies. Undefined, and none is created, if there are too few hosts or no such prefix
   * @throws ValidationFailed
   */
  async allocate(
    ctx: RequestContext,
    prefixId: string,
    bodies: readonly NewAddress[],
  ): Promise<PlainReply | undefined> {
    const rows = bodies.map((body) => ({ ...this.newColumns(ctx, body), id: randomUUID() }));
    const allocate = async (on: RequestContext, some: typeof rows): Promise<string | undefined> => {
      const written = await this.insertBy(on, allocating(prefixId, some), some);
      return written?.map(({ json }) => json).join(',');
    };
    const places = bodies.map((entry, index) => ({ path: `addresses[${index}]`, entry, row: rows[index]! }));
    const allocateAll = async (on: InTransaction): Promise<PlainReply | undefined> => {
      const texts: string[] = [];
      await writePlaced(on.db, places, async (some) => {
        const text = await allocate(
          on,
          some.map(({ row }) => row),
        );
        if (text !== undefined) texts.push(text);
        // Nothing of the other addresses may remain.
        else if (some.length < places.length) throw takenTooFast();
      });
      return texts.length > 0 ? new PlainReply(`[${texts.join(',')}]`) : undefined;
    };
    const given = bodies.flatMap(({ virtualMachineId, virtualMachineInterfaceId: bound }, index) =>
      virtualMachineId ? [{ machine: virtualMachineId, address: rows[index]!.id, bound }] : [],
    );
    if (given.length === 0 && !bodies.some((body) => CUSTOM in body)) {
      const text = await allocate(ctx, rows);
      return text === undefined ? undefined : new PlainReply(`[${text}]`);
    }
    const [machines, addresses] = [given.map(({ machine }) => machine), given.map(({ address }) => address)];
    return ctx.transaction(async (tx) => {
      const reply = await allocateAll(tx);
      if (reply && given.length > 0) {
        await tx.db.write(
          write`INSERT INTO virtual_machine_addresses (virtual_machine_id, ip_address_id, interface_id)
            SELECT * FROM unnest(${machines}::uuid[], ${addresses}::uuid[], ${given.map(({ bound }) => bound)}::uuid[])`,
        );
      }
      return reply;
    });
  }
}

/** The refusal if other requests repeatedly take the addresses that were free. */
export const takenTooFast = (): Unavailable =>
  new Unavailable('The addresses of this prefix are taken and given back too fast. Try again shortly');

// The lock prevents changes of the prefix until its addresses exist.
const allocating = (prefixId: string, rows: readonly object[]): Write => write`WITH prefix AS MATERIALIZED (
    SELECT * FROM prefixes WHERE id = ${prefixId} FOR SHARE
  ),
  claimed AS MATERIALIZED (
    SELECT set_masklen(c.host, masklen(p.prefix)) AS address, p.vrf_id, c.number
    FROM prefix p CROSS JOIN LATERAL claim_hosts(${raw(usableHosts('p'))}, ${rows.length}::int) WITH ORDINALITY c (host, number)
  ),
  defaults AS MATERIALIZED (
    SELECT jsonb_populate_record(NULL::ip_addresses, with_defaults('ip_addresses', '{}')) AS row
  )
  INSERT INTO ip_addresses SELECT made.*
    FROM claimed c JOIN jsonb_array_elements(${JSON.stringify(rows)}::jsonb) WITH ORDINALITY body (columns, number) ON body.number = c.number
    CROSS JOIN defaults CROSS JOIN LATERAL jsonb_populate_record(defaults.row, body.columns
      || jsonb_build_object('address', c.address, 'family', family(c.address), 'vrf_id', c.vrf_id)) made RETURNING *`;
