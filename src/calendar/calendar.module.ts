import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { TagGroup } from '../openapi/tags.js';
import { CalendarFeedsController } from './calendar-feeds.controller.js';
import { CalendarFeedsService } from './calendar-feeds.service.js';
import { CalendarsController } from './calendars.controller.js';
import { FeedCalendar } from './feed-calendar.js';

@TagGroup('Calendars')
@Module({
  imports: [AuthModule],
  controllers: [CalendarFeedsController, CalendarsController],
  providers: [CalendarFeedsService, FeedCalendar],
})
export class CalendarModule {}
