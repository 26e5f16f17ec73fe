import { Inject } from '@nestjs/common';
import type { RequestContext } from '../lists/request-context.js';
import { hashOf } from '../auth/token/token-text.js';
import { assertOpen } from '../auth/token/tokens.service.js';
import type { Configuration } from '../config/configuration.js';
import { CONFIGURATION } from '../config/tokens.js';
import { Conflict, DomainError, Fault, invalid } from '../http/errors.js';
import type { RecordReply } from '../http/replies.js';
import { RecordStores } from '../records/record-store.js';
import { RecordService } from '../records/record-service.js';
import { ResourceService } from '../records/resource.service.js';
import { makeSecret } from './calendar-secret.js';
import type { CreateCalendarFeed } from './calendar-feed.bodies.js';
import { CalendarFeed } from './calendar-feed.entity.js';
import { FeedCalendar } from './feed-calendar.js';
import { AREA_OF } from './feed-events.sql.js';
import { sql, write } from '../database/sql.js';

const MAX_FEEDS = 100;

/** The feeds of the caller; for an administrator, those of all profiles. */
@RecordService(CalendarFeed)
export class CalendarFeedsService extends ResourceService<CalendarFeed> {
  constructor(
    @Inject(RecordStores) stores: RecordStores,
    @Inject(FeedCalendar) private readonly calendar: FeedCalendar,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {
    super(stores);
  }

  override async create(ctx: RequestContext, body: CreateCalendarFeed): Promise<RecordReply> {
    const { caller } = ctx;
    const { name, kind, roster = null, personId = null } = body as CreateCalendarFeed & { name: string };
    const area = AREA_OF[kind];
    if (area && !caller.areas.includes(area)) {
      throw new DomainError(
        'forbidden',
        `A feed of the kind ${kind} needs access to the area ${area}, which you do not have`,
      );
    }
    return ctx.transaction(async (tx) => {
      // Under a lock, so that concurrent requests do not exceed the maximum number of feeds.
      await tx.db.query(sql`SELECT 1 FROM profiles WHERE id = ${caller.profileId} FOR NO KEY UPDATE`);
      const [{ count } = { count: 0 }] = await tx.db.query<{ count: number }>(
        sql`SELECT count(*)::int AS count FROM calendar_feeds WHERE profile_id = ${caller.profileId}`,
      );
      if (count >= MAX_FEEDS) {
        throw new Conflict(
          new Fault('profileId', `already has ${MAX_FEEDS} calendar feeds, the maximum. Delete one first`),
        );
      }
      if (personId !== null) {
        const [person] = await tx.db.query(sql`SELECT 1 FROM people WHERE id = ${personId}`);
        if (!person) throw invalid('personId', 'refers to a record that does not exist');
      }
      const secret = makeSecret();
      const [made] = await tx.db.write<{ id: string }>(
        write`INSERT INTO calendar_feeds (name, profile_id, kind, roster, person_id, secret_hash)
         VALUES (${name}, ${caller.profileId}, ${kind}, ${roster}, ${personId}, ${hashOf(secret)}) RETURNING id`,
      );
      await assertOpen(tx.db, caller.credential.id);
      const { id } = made!;
      // Events that are removed before the first read are cancelled too.
      await this.calendar.remember(tx.db, { id, name, profileId: caller.profileId, kind, roster, personId });
      const url = `${this.configuration.publicUrl ?? ''}/calendar/${secret}.ics`;
      return (await this.recordOn(tx, id)).with({ url });
    });
  }
}
