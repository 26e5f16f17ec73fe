import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '../../../lists/request-context.js';
import type { Executor } from '../../../database/executor.js';
import { bitsOf } from '../../../fields/types/cidr.js';
import { DomainError, Fault, invalid, NotFound, ValidationFailed } from '../../../http/errors.js';
import type { PlainReply } from '../../../http/replies.js';
import { spaceOf, usableHosts } from '../../address-space.js';
import { tooFew } from '../../available.js';
import { IpAddressesService, takenTooFast } from '../../ip-address/ip-addresses.service.js';
import { PrefixesService } from '../prefixes.service.js';
import { type AllocatedIp, AllocateIps, type AvailableIp, type AvailablePrefix } from './allocation.dto.js';
import { References } from '../../../records/references.js';
import { raw, sql, type Sql } from '../../../database/sql.js';

/** Number of attempts that found enough free addresses, but lost them to other requests. */
const MOST_TRIES = 20;

interface Taken {
  prefix: string;
  family: 4 | 6;
  length: number;
  vrfId: string | null;
}

/**
 * The free addresses and networks of prefixes, and their allocation (`claim_hosts.sql` and `free_networks.sql` in
 * `src/schema/functions`). Allocations of addresses rarely wait for one another. Allocations of prefixes lock their address space, and
 * wait for transactions that create prefixes there.
 */
@Injectable()
export class AllocationService {
  constructor(
    @Inject(IpAddressesService) private readonly addresses: IpAddressesService,
    @Inject(PrefixesService) private readonly prefixes: PrefixesService,
  ) {}

  /** The first free addresses of a prefix. @throws NotFound */
  async availableIps({ db }: RequestContext, id: string, size: number): Promise<AvailableIp[]> {
    const { family, vrfId } = found(await db.query<Taken>(readPrefix(id)));
    return (await freeAddresses(db, id, size)).map((address) => ({ address, family, vrfId }));
  }

  /** The free space of a prefix as the fewest possible networks, in ascending order. @throws NotFound */
  async availablePrefixes({ db }: RequestContext, id: string, size: number): Promise<AvailablePrefix[]> {
    const { family, vrfId } = found(await db.query<Taken>(readPrefix(id)));
    return (await freeNetworks(db, id, null, size)).map((prefix) => ({ prefix, family, vrfId }));
  }

  /** Creates addresses, in the order of the entries. @throws NotFound, ValidationFailed, Conflict */
  async allocateIps(
    ctx: RequestContext,
    id: string,
    entries: readonly Partial<AllocatedIp>[],
    field: string,
  ): Promise<PlainReply> {
    const references = new References(ctx);
    references.add(AllocateIps, { addresses: entries }, '');
    if (!references.isEmpty) {
      found(await ctx.db.query<Taken>(readPrefix(id)));
      const faults = await faultsOf(ctx.db, entries, references);
      if (faults.length > 0) throw new ValidationFailed(faults);
    }
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const made = await this.addresses.allocate(ctx, id, entries);
      if (made) return made;
      found(await ctx.db.query<Taken>(readPrefix(id)));
      const free = await freeAddresses(ctx.db, id, entries.length);
      if (free.length < entries.length) throw tooFew(field, 'address', 'addresses', entries.length, free.length);
      // Enough addresses have become free since.
    }
    throw takenTooFast();
  }

  /** Creates prefixes of one length, in ascending order. @throws NotFound, ValidationFailed, Conflict */
  allocatePrefixes(ctx: RequestContext, id: string, prefixLength: number, count: number): Promise<PlainReply> {
    return ctx.transaction(async (tx) => {
      const { family, length, vrfId } = found(await tx.db.query<Taken>(lockPrefixes(id)));
      const most = bitsOf(family);
      if (prefixLength <= length || prefixLength > most) {
        if (length < most) throw invalid('prefixLength', `must be an integer between ${length + 1} and ${most}`);
        throw new DomainError('validation', 'This prefix is a single address and cannot be divided');
      }
      const free = await freeNetworks(tx.db, id, prefixLength, count);
      if (free.length < count) {
        throw tooFew(
          'count',
          `prefix of length ${prefixLength}`,
          `prefixes of length ${prefixLength}`,
          count,
          free.length,
        );
      }
      const bodies = free.map((prefix) => ({ prefix, vrfId }));
      return this.prefixes.createAll(tx, bodies);
    });
  }
}

/** @throws NotFound */
function found([prefix]: Taken[]): Taken {
  if (!prefix) throw new NotFound('Prefix');
  return prefix;
}

async function freeAddresses(db: Executor, id: string, count: number): Promise<string[]> {
  return (await db.query<{ free: string }>(freeHosts(id, count))).map(({ free }) => free);
}

async function freeNetworks(db: Executor, id: string, length: number | null, count: number): Promise<string[]> {
  return (await db.query<{ free: string }>(freeSpace(id, length, count))).map(({ free }) => free);
}

/** A fault for each reference of an entry to a missing record, or to one that is not allowed. */
async function faultsOf(
  db: Executor,
  entries: readonly Partial<AllocatedIp>[],
  references: References,
): Promise<Fault[]> {
  return [
    ...(await references.dangling(db)),
    ...(await foreignInterfaces(db, entries)),
    ...(await otherKinds(db, entries)),
  ];
}

/** A fault for each entry whose interface is that of another virtual machine. */
async function foreignInterfaces(db: Executor, entries: readonly Partial<AllocatedIp>[]): Promise<Fault[]> {
  const rows = await db.query<{ place: number }>(
    sql`SELECT given.place::int - 1 AS place
     FROM unnest(${entries.map(({ virtualMachineId }) => virtualMachineId ?? null)}::uuid[], ${entries.map(({ virtualMachineInterfaceId }) => virtualMachineInterfaceId ?? null)}::uuid[]) WITH ORDINALITY given (machine, interface, place)
     JOIN virtual_machine_interfaces i ON i.id = given.interface AND i.virtual_machine_id <> given.machine ORDER BY place`,
  );
  const field = (place: number): string => `addresses[${place}].virtualMachineInterfaceId`;
  return rows.map(({ place }) => new Fault(field(place), 'must be an interface of the virtual machine'));
}

/** A fault for each entry whose port is of a kind that has no addresses. */
async function otherKinds(db: Executor, entries: readonly Partial<AllocatedIp>[]): Promise<Fault[]> {
  const rows = await db.query<{ place: number }>(
    sql`SELECT given.place::int - 1 AS place
     FROM unnest(${entries.map(({ interfaceId }) => interfaceId ?? null)}::uuid[]) WITH ORDINALITY given (port, place)
     JOIN device_ports p ON p.id = given.port AND p.kind <> 'network' ORDER BY place`,
  );
  return rows.map(({ place }) => new Fault(`addresses[${place}].interfaceId`, 'must be a port of the kind network'));
}

const COLUMNS = sql`p.prefix::text AS prefix, family(p.prefix) AS family, masklen(p.prefix) AS length, p.vrf_id AS "vrfId"`;

const readPrefix = (id: string): Sql => sql`SELECT ${COLUMNS} FROM prefixes p WHERE p.id = ${id}`;

// The prefix cannot change while the transaction waits for the lock of its space.
const lockPrefixes = (id: string): Sql => sql`
  SELECT ${COLUMNS}, pg_advisory_xact_lock(prefix_space_lock(${raw(spaceOf('p'))}))
  FROM (SELECT * FROM prefixes WHERE id = ${id} FOR SHARE) p`;

const freeHosts = (id: string, count: number): Sql => sql`SELECT set_masklen(host, masklen(p.prefix))::text AS free
  FROM prefixes p, free_hosts(${raw(usableHosts('p'))}, ${count}::int) host WHERE p.id = ${id}`;

const freeSpace = (id: string, length: number | null, count: number): Sql => sql`SELECT network::text AS free
  FROM prefixes p, free_networks(${raw(spaceOf('p'))}, p.prefix, ${length}::int, ${count}::int) network WHERE p.id = ${id}`;
