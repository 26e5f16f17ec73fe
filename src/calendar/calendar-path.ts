/** Path of a calendar. */
export const calendarPath = (secret: string): string => `/calendar/${secret}.ics`;

/** Whether a text can be the secret of a calendar at all. What cannot is not looked up. */
export const isSecret = (text: string): boolean => /^[0-9A-Za-z]{43}$/.test(text);
