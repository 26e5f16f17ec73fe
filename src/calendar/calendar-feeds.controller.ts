import { Controller } from '@nestjs/common';
import { ownRecords } from '../auth/profile/own-records.js';
import { ResourceController } from '../resource/resource.controller.js';
import { CreateCalendarFeed, IssuedCalendarFeed, UpdateCalendarFeed } from './calendar-feed.bodies.js';
import { CalendarFeed } from './calendar-feed.entity.js';
import { CalendarFeedsService } from './calendar-feeds.service.js';

@Controller('api/calendar-feeds')
export class CalendarFeedsController extends ResourceController({
  record: CalendarFeed,
  about: 'Calendars that calendar programs subscribe to: who is on call, maintenance windows, changes, expirations',
  create: CreateCalendarFeed,
  created: IssuedCalendarFeed,
  update: UpdateCalendarFeed,
  // A feed is a credential. If a token could create one, the feed would outlive the token.
  access: { read: { role: 'viewer' }, write: { role: 'viewer', session: true } },
  service: CalendarFeedsService,
  visible: ownRecords,
  conflicts: { create: true },
  takesKeys: false,
  // The change log does not contain its secret.
  restorable: false,
  text: {
    list: { description: 'Those of the caller; for administrators those of everybody.' },
    create: {
      description:
        'Returns the address of the calendar, this once. The calendar has the events from 30 days back to 366 days ahead, and is read without a session, with the rights that its owner has at that moment. The kinds `on-call`, `maintenance` and `changes` need the area `operations`.',
    },
    update: { description: 'Changes its name. Whatever else it is, it stays until it is deleted.' },
    delete: { description: 'Ends the calendar at once: its address does not exist any more.' },
  },
}) {}
