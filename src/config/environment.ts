/** Reads environment variables, and creates the error for one that is invalid. */
export interface Environment {
  text(name: string): string | undefined;
  integer(name: string, fallback: number, min: number, max: number): number;
  flag(name: string, fallback: boolean): boolean;
  fault(sentence: string): Error;
}
