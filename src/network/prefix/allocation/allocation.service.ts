import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '../../../access/request-context.js';
import type { Executor } from '../../../database/database.js';
import { Fault, invalid, NotFound, ValidationFailed } from '../../../http/errors.js';
import type { PlainReply } from '../../../http/replies.js';
import { firstOf, lastOf, spaceOf } from '../../address-space.js';
import { tooFew } from '../../available.js';
import { IpAddressesService } from '../../ip-address/ip-addresses.service.js';
import { bitsOf } from '../network.field.js';
import { PrefixesService } from '../prefixes.service.js';
import type { AllocatedIp, AvailableIp, AvailablePrefix } from './allocation.dto.js';

interface Taken {
  prefix: string;
  family: 4 | 6;
  length: number;
  vrfId: string | null;
}

/**
 * The free addresses and networks of prefixes, and their allocation. Allocations in one address space take turns, and wait
 * for those who create addresses or prefixes there by themselves (migrations `prefixes` and `allocation`).
 */
@Injectable()
export class AllocationService {
  constructor(
    @Inject(IpAddressesService) private readonly addresses: IpAddressesService,
    @Inject(PrefixesService) private readonly prefixes: PrefixesService,
  ) {}

  /** The first free addresses of a prefix. @throws NotFound */
  async availableIps({ db }: RequestContext, id: string, size: number): Promise<AvailableIp[]> {
    const { family, vrfId } = found(await db.query<Taken>(READ, [id]));
    return (await freeAddresses(db, id, size)).map((address) => ({ address, family, vrfId }));
  }

  /** The free space of a prefix, as few networks as possible, in ascending order. @throws NotFound */
  async availablePrefixes({ db }: RequestContext, id: string, size: number): Promise<AvailablePrefix[]> {
    const { family, vrfId } = found(await db.query<Taken>(READ, [id]));
    return (await freeNetworks(db, id, null, size)).map((prefix) => ({ prefix, family, vrfId }));
  }

  /** Creates addresses, in the order of the entries. @throws NotFound, ValidationFailed, Conflict */
  allocateIps(
    ctx: RequestContext,
    id: string,
    entries: readonly Partial<AllocatedIp>[],
    field: string,
  ): Promise<PlainReply> {
    return ctx.db.transaction(async (tx) => {
      const { vrfId } = found(await tx.query<Taken>(HOLD, [id]));
      await assertReferences(tx, entries);
      const rows = await tx.query<{ free: string }>(LOCK_FREE_ADDRESSES, [id, entries.length]);
      const free = rows.map((row) => row.free);
      if (free.length < entries.length) throw tooFew(field, 'addresses', entries.length, free.length);
      const bodies = entries.map((entry, index) => ({ ...entry, address: free[index]!, vrfId }));
      return this.addresses.createAll({ ...ctx, db: tx }, bodies);
    });
  }

  /** Creates prefixes of one length, in ascending order. @throws NotFound, ValidationFailed, Conflict */
  allocatePrefixes(ctx: RequestContext, id: string, prefixLength: number, count: number): Promise<PlainReply> {
    return ctx.db.transaction(async (tx) => {
      const { family, length, vrfId } = found(await tx.query<Taken>(LOCK_PREFIXES, [id]));
      const most = bitsOf(family);
      if (prefixLength <= length || prefixLength > most) {
        throw invalid(
          'prefixLength',
          length === most
            ? `must be more than that of the prefix, which is ${length} and the longest there is`
            : `must be an integer between ${length + 1} and ${most}`,
        );
      }
      const free = await freeNetworks(tx, id, prefixLength, count);
      if (free.length < count) throw tooFew('count', `prefixes of length ${prefixLength}`, count, free.length);
      const bodies = free.map((prefix) => ({ prefix, vrfId }));
      return this.prefixes.createAll({ ...ctx, db: tx }, bodies);
    });
  }
}

/** @throws NotFound */
function found([prefix]: Taken[]): Taken {
  if (!prefix) throw new NotFound('Prefix');
  return prefix;
}

async function freeAddresses(db: Executor, id: string, count: number): Promise<string[]> {
  return (await db.query<{ free: string }>(FREE_ADDRESSES, [id, count])).map(({ free }) => free);
}

async function freeNetworks(db: Executor, id: string, length: number | null, count: number): Promise<string[]> {
  return (await db.query<{ free: string }>(FREE_NETWORKS, [id, length, count])).map(({ free }) => free);
}

const TABLES = { interfaceId: 'device_ports', deviceId: 'devices' } as const;

/** Names each entry that refers to nothing. The foreign keys know only the field. @throws ValidationFailed */
async function assertReferences(tx: Executor, entries: readonly Partial<AllocatedIp>[]): Promise<void> {
  const faults: Fault[] = [];
  for (const field of ['interfaceId', 'deviceId'] as const) {
    const ids = [...new Set(entries.flatMap((entry) => entry[field] ?? []))];
    if (ids.length === 0) continue;
    const rows = await tx.query<{ id: string }>(`SELECT id FROM ${TABLES[field]} WHERE id = ANY($1)`, [ids]);
    const known = new Set(rows.map(({ id }) => id));
    for (const [index, { [field]: id }] of entries.entries()) {
      if (id && !known.has(id.toLowerCase())) {
        faults.push(new Fault(`addresses[${index}].${field}`, 'does not refer to an existing record'));
      }
    }
  }
  if (faults.length > 0) throw new ValidationFailed(faults);
}

const COLUMNS = `p.prefix::text AS prefix, family(p.prefix) AS family, masklen(p.prefix) AS length, p.vrf_id AS "vrfId"`;

const READ = `SELECT ${COLUMNS} FROM prefixes p WHERE p.id = $1`;

// The prefix cannot change while the transaction waits for its space.
const HELD = '(SELECT * FROM prefixes WHERE id = $1 FOR SHARE) p';
const HOLD = `SELECT ${COLUMNS} FROM ${HELD}`;
const LOCK_PREFIXES = `SELECT ${COLUMNS}, pg_advisory_xact_lock(prefix_space_lock(${spaceOf('p')})) FROM ${HELD}`;

// Outside pools, the network and the broadcast address of IPv4 and the first address of IPv6 (the anycast address of its
// routers) belong to no host. Links between two hosts have neither.
const ENDS = 'CASE WHEN p.is_pool THEN 0';
const FIRST = `${firstOf('p.prefix')} + ${ENDS} WHEN masklen(p.prefix) < CASE family(p.prefix) WHEN 4 THEN 31 ELSE 127 END THEN 1 ELSE 0 END`;
const LAST = `${lastOf('p.prefix')} - ${ENDS} WHEN family(p.prefix) = 4 AND masklen(p.prefix) < 31 THEN 1 ELSE 0 END`;

const freeAddressesBy = (search: string): string => `SELECT set_masklen(host, masklen(p.prefix))::text AS free
  FROM prefixes p, ${search}(${spaceOf('p')}, ${FIRST}, ${LAST}, $2::int) host WHERE p.id = $1`;
const FREE_ADDRESSES = freeAddressesBy('free_hosts');
// Locks and searches in one round trip, during which the others wait.
const LOCK_FREE_ADDRESSES = freeAddressesBy('lock_free_hosts');

const FREE_NETWORKS = `SELECT network::text AS free
  FROM prefixes p, free_networks(${spaceOf('p')}, p.prefix, $2::int, $3::int) network WHERE p.id = $1`;
