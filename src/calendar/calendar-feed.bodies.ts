import { ApiProperty } from '@nestjs/swagger';
import { addBodyRule, CreateBody, UpdateBody } from '../fields/bodies/bodies.js';
import { EnumField, LineField, UuidField } from '../fields/fields.js';
import { Fault } from '../http/errors.js';
import { CalendarFeed, FEED_KINDS, type FeedKind } from './calendar-feed.entity.js';

const ON_CALL = { property: 'kind', value: 'on-call' };

export class CreateCalendarFeed extends CreateBody(CalendarFeed) {
  @EnumField('Kind of the events in the calendar', 'CalendarFeedKind', FEED_KINDS, { required: true })
  override kind!: FeedKind;
  @LineField('Only the shifts of this roster, in a feed of the kind `on-call`', {
    example: 'Network',
    onlyWith: ON_CALL,
  })
  override roster?: string | null;
  @UuidField('Only the shifts of this person, in a feed of the kind `on-call`', {
    example: undefined,
    onlyWith: ON_CALL,
  })
  override personId?: string | null;
}

for (const field of ['roster', 'personId']) {
  addBodyRule(CreateCalendarFeed, ({ kind, [field]: value }) =>
    kind === 'on-call' || value === undefined || value === null
      ? undefined
      : new Fault(field, 'is allowed for feeds of the kind on-call only'),
  );
}

export class UpdateCalendarFeed extends UpdateBody(CalendarFeed) {}

/** A feed in the response to its creation. */
export class IssuedCalendarFeed extends CalendarFeed {
  @ApiProperty({
    description:
      'Address of the calendar, for calendar programs; absolute if the public address of the service is configured. It is shown only once. Everybody who has it can read the calendar',
    type: 'string',
    format: 'uri-reference',
    example: 'https://inventory.example.com/calendar/9KcVb2Nq7LhYt4RsPw1XzGd6MjFa3EuQo8TiBn5Ck0S.ics',
    readOnly: true,
  })
  url!: string;
}
