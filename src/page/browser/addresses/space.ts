/* Prefixes as parts of an address space. */

/** A number of several parts with a base. */
const numberOf = (parts: readonly string[], base: bigint, prefix: string): bigint =>
  parts.reduce((sum, part) => sum * base + BigInt(prefix + part), 0n);

/** The first address of a prefix as a number. */
function firstOf(prefix: string): bigint {
  const [address] = prefix.split('/') as [string];
  if (!address.includes(':')) return numberOf(address.split('.'), 256n, '');
  // The end of an IPv6 address may be written as an IPv4 address.
  const hexadecimal = address.replace(/\d{1,3}(?:\.\d{1,3}){3}$/, (end) => {
    const number = numberOf(end.split('.'), 256n, '');
    return `${(number >> 16n).toString(16)}:${(number & 0xffffn).toString(16)}`;
  });
  const [before, after] = hexadecimal.split('::').map((half) => half.split(':').filter(Boolean)) as [
    string[],
    string[]?,
  ];
  const zeros = Array<string>(8 - before.length - (after?.length ?? 0)).fill('0');
  return numberOf([...before, ...zeros, ...(after ?? [])], 65_536n, '0x');
}

const ACCURACY = 1_000_000n;

interface Space {
  prefix: string;
  /** Number of addresses. */
  size: string;
}

/** From 0 to 1. */
const shareOf = (addresses: bigint, whole: Space): number =>
  Number((addresses * ACCURACY) / BigInt(whole.size)) / Number(ACCURACY);

/** The position of a prefix within another one, and its share of it, both from 0 to 1. */
export function placeIn(whole: Space, part: Space): { start: number; share: number } {
  return {
    start: shareOf(firstOf(part.prefix) - firstOf(whole.prefix), whole),
    share: shareOf(BigInt(part.size), whole),
  };
}

/** The share of a container that its direct children take, from 0 to 1. */
export const carvedFrom = (whole: Space, children: readonly Space[]): number =>
  shareOf(
    children.reduce((sum, { size }) => sum + BigInt(size), 0n),
    whole,
  );
