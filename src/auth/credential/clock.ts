/** The time, so that a test can move it. */
export class Clock {
  now(): Date {
    return new Date();
  }
}
