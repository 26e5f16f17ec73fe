/* The kinds of ends that a cable can connect, by the rules of the service. A test compares both. */

/** Kinds of ends: of ports, and the resources of other records. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['network', 'network'],
  ['network', 'front'],
  ['network', 'rear'],
  ['front', 'front'],
  ['front', 'rear'],
  ['rear', 'rear'],
  ['console', 'console-server'],
  ['console', 'front'],
  ['console', 'rear'],
  ['console-server', 'front'],
  ['console-server', 'rear'],
  ['power', 'outlet'],
  ['circuit-terminations', 'network'],
  ['circuit-terminations', 'front'],
  ['circuit-terminations', 'rear'],
  ['power-feeds', 'power'],
];

/** The kinds that a kind of end fits. */
export const fitting = (kind: string): string[] =>
  PAIRS.flatMap(([a, b]) => (a === kind ? [b] : b === kind ? [a] : []));

/** The kinds of ports, in the order in which a device shows them. */
export const KINDS = ['network', 'console', 'console-server', 'power', 'outlet', 'front', 'rear'] as const;

/** Types of network ports without a socket. */
export const UNPLUGGED = ['virtual', 'lag', 'bridge'];
