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
    list: { description: 'The feeds of the caller; for administrators, the feeds of all profiles.' },
    create: {
      description:
        'Only this response contains the address of the calendar. The calendar has the events from 30 days back to 366 days ahead. It is read without a session, with the current rights of its owner. The kinds `on-call`, `maintenance` and `changes` need the area `operations`.',
    },
    update: { description: 'Only the name of a feed can be changed.' },
    delete: { description: 'The address of the calendar stops working at once.' },
  },
}) {}
