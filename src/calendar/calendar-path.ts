/** Path of a calendar. */
export const calendarPath = (secret: string): string => `/calendar/${secret}.ics`;
