import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { TagGroup } from '../openapi/tags.js';
import { CalendarEvent } from './calendar-event.entity.js';
import { CalendarFeed } from './calendar-feed.entity.js';
import { CalendarFeedsController } from './calendar-feeds.controller.js';
import { CalendarFeedsService } from './calendar-feeds.service.js';
import { CalendarsController } from './calendars.controller.js';
import { FeedCalendar } from './feed-calendar.js';

export const calendarEntities = [CalendarFeed, CalendarEvent];

@TagGroup('Calendars')
@Module({
  imports: [AuthModule, TypeOrmModule.forFeature(calendarEntities)],
  controllers: [CalendarFeedsController, CalendarsController],
  providers: [CalendarFeedsService, FeedCalendar],
})
export class CalendarModule {}
