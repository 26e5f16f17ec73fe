import { Inject, Injectable } from '@nestjs/common';
import { type Area, hasRole, meets, writing } from '../access/access.js';
import { ProfilesService } from '../auth/profile/profiles.service.js';
import { raw, sql } from '../database/sql.js';
import { DanglingReference, DomainError, invalid, NotFound, ValidationFailed } from '../http/errors.js';
import type { InTransaction, RequestContext } from '../lists/request-context.js';
import { Incident } from '../operations/incident/incident.entity.js';
import { IS_OPEN } from '../operations/pending.js';
import { Runbook } from '../operations/runbook/runbook.entity.js';
import { PeopleService } from '../people/person/people.service.js';
import { AssetAssignmentsService } from '../procurement/asset/asset-assignments.service.js';
import { AssetsService } from '../procurement/asset/assets.service.js';
import { SoftwareLicenceSeat } from '../procurement/software-licence-seat/software-licence-seat.entity.js';
import { type ResourceService, serviceOf } from '../records/resource.service.js';
import type { OffboardedRecord, OffboardPerson } from './offboarding.models.js';
import { ShiftsOfLeaver } from './shifts-of-leaver.js';

interface Named {
  id: string;
  name: string;
}

interface Leaver {
  id: string;
  name: string;
  status: string;
  profileId: string | null;
  profileEmail: string | null;
  isProfileActive: boolean | null;
}

/** Ends the assignments and duties of a person, all of them or none. */
@Injectable()
export class OffboardingService {
  constructor(
    @Inject(AssetsService) private readonly assets: AssetsService,
    @Inject(AssetAssignmentsService) private readonly assignments: AssetAssignmentsService,
    @Inject(serviceOf(SoftwareLicenceSeat)) private readonly seats: ResourceService<SoftwareLicenceSeat>,
    @Inject(serviceOf(Runbook)) private readonly runbooks: ResourceService<Runbook>,
    @Inject(serviceOf(Incident)) private readonly incidents: ResourceService<Incident>,
    @Inject(ShiftsOfLeaver) private readonly shifts: ShiftsOfLeaver,
    @Inject(ProfilesService) private readonly profiles: ProfilesService,
    @Inject(PeopleService) private readonly people: PeopleService,
  ) {}

  /** @throws NotFound, DomainError forbidden, ValidationFailed, Conflict */
  offboard(ctx: RequestContext, id: string, body: OffboardPerson, dryRun: boolean): Promise<OffboardedRecord[]> {
    const { returnAssets = true, releaseSeats = true, endShifts = true, deactivateProfile = false } = body;
    const successorId = body.successorId ?? null;
    const { caller } = ctx;
    if (deactivateProfile && !(hasRole(caller, 'admin') && caller.credential.kind === 'session')) {
      throw new DomainError('forbidden', 'Deactivating the profile of a person needs the session of an administrator');
    }
    const what = successorId === null ? 'left_empty' : 'handed_over';
    return ctx.transaction(async (tx) => {
      const leaver = await lockPeople(tx, id, successorId);
      const assets = returnAssets ? await this.heldAssets(tx, id) : [];
      const seats = releaseSeats ? await heldSeats(tx, id) : [];
      requireArea(tx, 'procurement', assets, seats);
      const shifts = endShifts ? await this.shifts.lock(tx, id) : [];
      const runbooks = await named(tx, 'runbooks', 'owner_id', id);
      const incidents = await named(tx, 'incidents', 'assigned_to_id', id, IS_OPEN);
      requireArea(tx, 'operations', shifts, runbooks, incidents);

      const holders = assets.map(({ id: assetId }) => ({ assetId, personId: null }));
      // An offboarding with a thousand assets is an ordinary handover.
      if (holders.length > 0)
        await this.assignments.handOver(tx, holders, { replace: true, onError: 'abort', dryRun: false });
      await this.seats.removeMany(
        tx,
        seats.map((seat) => seat.id),
      );
      const ended = await this.shifts.handOver(tx, shifts, successorId);
      await this.runbooks.updateMany(
        tx,
        runbooks.map((record) => ({ id: record.id, body: { ownerId: successorId } })),
      );
      await this.incidents.updateMany(
        tx,
        incidents.map((record) => ({ id: record.id, body: { assignedToId: successorId } })),
      );
      const done = [
        ...list('assets', assets, 'returned'),
        ...list('software-licence-seats', seats, 'released'),
        ...ended,
        ...list('runbooks', runbooks, what),
        ...list('incidents', incidents, what),
      ];
      if (deactivateProfile && leaver.profileId !== null && leaver.isProfileActive) {
        await this.profiles.updateMany(tx, [{ id: leaver.profileId, body: { isActive: false } }]);
        done.push(...list('profiles', [{ id: leaver.profileId, name: leaver.profileEmail! }], 'deactivated'));
      }
      if (leaver.status !== 'inactive') {
        await this.people.updateMany(tx, [{ id, body: { status: 'inactive' } }]);
        done.push(...list('people', [leaver], 'set_inactive'));
      }
      return done;
    }, dryRun);
  }

  /** Locks the assets first. Before that, an asset may be taken back and handed to another person. */
  private async heldAssets(tx: InTransaction, personId: string): Promise<Named[]> {
    const held = sql`SELECT t.id, t.name FROM assets t JOIN asset_assignments a ON a.asset_id = t.id
      WHERE a.person_id = ${personId} AND a.returned_at IS NULL`;
    const ids = (await tx.db.query<Named>(held)).map(({ id }) => id);
    if (ids.length === 0) return [];
    await this.assets.lock(tx, ids);
    return inOrder(await tx.db.query<Named>(held));
  }
}

const list = (resource: string, records: readonly Named[], what: OffboardedRecord['what']): OffboardedRecord[] =>
  records.map(({ id, name }) => ({ resource, id, name, what }));

/** @throws DomainError forbidden if the caller may not change one of the records. The refusal names only the area. */
function requireArea({ caller }: RequestContext, area: Area, ...records: readonly (readonly unknown[])[]): void {
  if (records.some(({ length }) => length > 0) && !meets(caller, writing(area)))
    throw new DomainError('forbidden', `This needs the area ${area}`);
}

/**
 * Locks the person and the successor, so that the person gets nothing new until the transaction ends.
 * @throws NotFound, ValidationFailed
 */
async function lockPeople(tx: InTransaction, id: string, successorId: string | null): Promise<Leaver> {
  const people = await tx.db.query<Leaver>(
    sql`SELECT p.id, p.full_name AS name, p.status, p.profile_id AS "profileId", o.email AS "profileEmail",
        o.is_active AS "isProfileActive"
      FROM people p LEFT JOIN profiles o ON o.id = p.profile_id
      WHERE p.id IN (${id}, ${successorId}) ORDER BY p.id FOR UPDATE OF p`,
  );
  const leaver = people.find((person) => person.id === id);
  if (!leaver) throw new NotFound('Person');
  if (successorId === id) throw invalid('successorId', 'must be another person');
  if (successorId !== null) {
    const successor = people.find((person) => person.id === successorId);
    if (!successor) throw new ValidationFailed([new DanglingReference('successorId')]);
    if (successor.status === 'inactive') throw invalid('successorId', 'must be a person who is not inactive');
  }
  return leaver;
}

/** Sorted by name, but locked by id like other writers. */
const inOrder = (records: Named[]): Named[] =>
  records.toSorted((one, other) => one.name.localeCompare(other.name, 'en') || one.id.localeCompare(other.id));

/** Seats have the names of their licences. */
const heldSeats = async (tx: InTransaction, id: string): Promise<Named[]> =>
  inOrder(
    await tx.db.query<Named>(
      sql`SELECT t.id, l.name FROM software_licence_seats t JOIN software_licences l ON l.id = t.software_licence_id
        WHERE t.person_id = ${id} ORDER BY t.id FOR UPDATE OF t`,
    ),
  );

const named = async (tx: InTransaction, table: string, column: string, id: string, which = 'true'): Promise<Named[]> =>
  inOrder(
    await tx.db.query<Named>(
      sql`SELECT t.id, t.name FROM ${raw(table)} t WHERE t.${raw(column)} = ${id} AND ${raw(which)} ORDER BY t.id FOR UPDATE`,
    ),
  );
