/** The integer that a text writes with at most ten digits; undefined for any other text, and outside of the bounds. */
export function integerIn(text: string, min: number, max: number): number | undefined {
  if (!/^-?\d{1,10}$/.test(text) || (min >= 0 && text.startsWith('-'))) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}
