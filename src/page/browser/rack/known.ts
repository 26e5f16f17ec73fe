/* What is known of the devices of racks beyond their places. */

import { queryOf, useGet } from '../api.js';
import type { components } from '../../../../sdk/typescript/schema.js';

type Device = components['schemas']['Device'];

/** Devices that are read; a row of twelve full racks has half as many. */
const MOST = 1000;

/** Devices by their ids. */
export type KnownDevices = ReadonlyMap<string, Device>;

export function useKnown(racks: readonly string[]): KnownDevices {
  const asked = { rackId: racks, expand: 'deviceRole,deviceType', pageSize: MOST };
  const { answer } = useGet(racks.length > 0 ? `/api/devices${queryOf(asked)}` : undefined);
  return new Map(((answer?.data ?? []) as Device[]).map((one) => [one.id, one]));
}

/** What a device is, for who points at it: its role and type, and its serial number. */
export const saidOf = (device: Device | undefined): string[] =>
  [
    [device?.deviceRole?.name, device?.deviceType?.name].filter(Boolean).join(', '),
    device?.serialNumber ? `Serial number ${device.serialNumber}` : '',
  ].filter((line) => line !== '');
