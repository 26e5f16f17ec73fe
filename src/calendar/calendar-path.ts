/** Path of a calendar. */
export const calendarPath = (secret: string): string => `/calendar/${secret}.ics`;

/** Whether a text has the form of a calendar's secret. Other texts are not looked up. */
export const isSecret = (text: string): boolean => /^[0-9A-Za-z]{43}$/.test(text);
