/* Numbers as people type them. */

const WHOLE = /^[+-]?\d+$/;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** Whether a text is a whole number. `Number` would also accept `0x10` and `1e3`. */
export const isWhole = (text: string): boolean => WHOLE.test(text.trim()) && Number.isSafeInteger(Number(text));

/** A typed number. Any other text stays a text, so that the service reports the fault. */
export const typedNumber = (text: string, whole: boolean): number | string | null => {
  const value = text.trim();
  if (value === '') return null;
  return (whole ? isWhole(value) : NUMBER.test(value)) ? Number(value) : text;
};

/** The sum of decimal numbers, which floating point would not give: `0.1 + 0.2`. */
export function sumOf(amounts: readonly string[]): string {
  const parts = amounts.map((amount) => amount.split('.') as [string, string?]);
  const digits = Math.max(0, ...parts.map(([, fraction = '']) => fraction.length));
  const total = parts.reduce((sum, [whole, fraction = '']) => sum + BigInt(whole + fraction.padEnd(digits, '0')), 0n);
  const sign = total < 0n ? '-' : '';
  const text = String(total < 0n ? -total : total).padStart(digits + 1, '0');
  return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
