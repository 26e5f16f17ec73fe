import type { Class } from '../../fields/field.js';
import { CircuitTermination } from '../circuit-termination/circuit-termination.entity.js';
import { DevicePort } from '../device-port/device-port.entity.js';
import { PowerFeed } from '../power-feed/power-feed.entity.js';

/** The records that a cable can end at, by the name of their resource. */
export const CABLED_RECORDS = {
  'device-ports': () => DevicePort,
  'circuit-terminations': () => CircuitTermination,
  'power-feeds': () => PowerFeed,
} satisfies Record<string, () => Class>;

export const CABLED_RESOURCES = Object.keys(CABLED_RECORDS);

/** SQL of the name of the end of a cable; null if there is no such record. @param id SQL of its id */
export const endName = (id: string): string =>
  `coalesce((SELECT d.name || ' ' || p.name FROM device_ports p JOIN devices d ON d.id = p.device_id WHERE p.id = ${id}),
    (SELECT c.circuit_number || ' ' || e.side FROM circuit_terminations e JOIN circuits c ON c.id = e.circuit_id WHERE e.id = ${id}),
    (SELECT f.name FROM power_feeds f WHERE f.id = ${id}))`;
