import { Controller, Get, Inject, Param, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type Area, Public } from '../access/access.js';
import { hashOf } from '../auth/token/token-text.js';
import { Database } from '../database/database.js';
import { Outbound } from '../database/outbound.js';
import { sql } from '../database/sql.js';
import { NotFound, Unavailable } from '../http/errors.js';
import { DocumentReply, matches } from '../http/replies.js';
import { TakesQuery } from '../http/route-config.js';
import { Operation } from '../openapi/operation.js';
import { TagOf } from '../resource/resource.operations.js';
import { CalendarFeed } from './calendar-feed.entity.js';
import { isWellFormed } from './calendar-secret.js';
import { FeedCalendar, type ReadFeed } from './feed-calendar.js';
import { AREA_OF } from './feed-events.sql.js';

/** Seconds of `Retry-After` for a calendar that is not served. */
const HOUR = 3600;
const NOT_SERVED =
  'This service serves no calendars: its setting OUTBOUND is false, or its database is the copy of another one';

const CALENDAR_TYPE = 'text/calendar';

interface OwnedFeed extends ReadFeed {
  isActive: boolean;
  areas: Area[];
}

/** The calendars themselves. The secret in the address is the credential. */
@Controller('calendar')
@TagOf(CalendarFeed)
export class CalendarsController {
  constructor(
    @Inject(Database) private readonly db: Database,
    @Inject(FeedCalendar) private readonly calendar: FeedCalendar,
    @Inject(Outbound) private readonly outbound: Outbound,
  ) {}

  @Get(':secret.ics')
  @Public()
  // Calendar programs add parameters of their own, and people add one to make a program reload the calendar.
  @TakesQuery()
  @Operation({
    operationId: 'readCalendar',
    text: {
      summary: 'Read a calendar',
      description:
        'For calendar programs. An event that changes keeps its `UID` and raises its `SEQUENCE`; one that is removed stays with `STATUS:CANCELLED` while it is within the window. 404 if the owner of the feed is not active, or may not read what the calendar shows; 503 where the service sends nothing, as on the copy of a database.',
    },
    document: { text: { type: CALENDAR_TYPE, description: 'A calendar as of RFC 5545' } },
    place: {
      secret: {
        schema: { type: 'string', pattern: '^[0-9A-Za-z]{43}$' },
        example: '9KcVb2Nq7LhYt4RsPw1XzGd6MjFa3EuQo8TiBn5Ck0S',
      },
    },
    status: 200,
    finds: 'Calendar',
    errors: [429, 503],
  })
  async read(@Param('secret') secret: string, @Req() request: FastifyRequest): Promise<DocumentReply> {
    // Calendar programs keep their current data. The calendar of a copy would differ.
    if (!(await this.outbound.isOn())) throw new Unavailable(NOT_SERVED, HOUR);
    const feed = await this.feedOf(secret);
    const area = feed && AREA_OF[feed.kind];
    if (!feed?.isActive || (area && !feed.areas.includes(area))) throw new NotFound('Calendar');
    const { etag, body } = await this.calendar.read(feed);
    const isKnown = matches(request.headers['if-none-match'] ?? '', etag);
    return new DocumentReply(`${CALENDAR_TYPE}; charset=utf-8`, etag, isKnown ? undefined : await body());
  }

  private async feedOf(secret: string): Promise<OwnedFeed | undefined> {
    if (!isWellFormed(secret)) return undefined;
    const [feed] = await this.db.query<OwnedFeed>(
      sql`SELECT f.id, f.created_at AS "createdAt", f.name, f.profile_id AS "profileId", f.kind, f.roster,
            f.person_id AS "personId", p.is_active AS "isActive", p.areas
          FROM calendar_feeds f JOIN profiles p ON p.id = f.profile_id WHERE f.secret_hash = ${hashOf(secret)}`,
    );
    return feed;
  }
}
