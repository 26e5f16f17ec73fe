/** The current time, which tests can change. */
export class Clock {
  now(): Date {
    return new Date();
  }
}
