import type { SourceObject } from '../model.js';
import { textOf } from '../shapes.js';

type Fields = SourceObject['fields'];

/** How the source counts the positions of a rack. */
export interface Positions {
  /** The first number. */
  startingUnit: number;
  /** Number of units if the source counts from the top. A device then occupies its position and the units below. */
  unitsFromTop?: number;
}

/** A rack, and how the source counts its positions. */
export interface Rack extends Positions {
  name: string;
}

/** Most characters of a name here. */
const LONGEST_NAME = 255;

/** Whether a device has a name that can be its name here. */
const hasName = ({ name }: Fields): boolean => {
  const given = textOf(name);
  return given !== undefined && given.trim() !== '' && given.length <= LONGEST_NAME;
};

/** The lowest unit that a device takes, counted from 1 at the bottom. @param position as the source counts it */
export function unitIn({ startingUnit, unitsFromTop }: Positions, position: number, height: number): number {
  const unit = position - startingUnit + 1;
  return unitsFromTop === undefined ? unit : unitsFromTop - unit - Math.max(height, 1) + 2;
}

/** The names of devices. A device without a name is named by its type and place, unless several would get this name. */
export class DeviceNames {
  /** Number of unnamed devices that would get the same name. */
  private readonly alike = new Map<string, number>();

  /**
   * @param names of sites and device types, by their kinds and keys
   * @param racks by their keys
   * @param heights of device types in units, by their keys
   */
  constructor(
    private readonly names: ReadonlyMap<string, string>,
    private readonly racks: ReadonlyMap<string, Rack>,
    private readonly heights: ReadonlyMap<string, number>,
  ) {}

  /** Counts a device without a name under each name that it could get. */
  add({ pk, fields }: SourceObject): void {
    if (hasName(fields)) return;
    for (const name of new Set([this.placeOf(pk, fields), this.placeOf(pk, fields, true)]))
      this.alike.set(name, (this.alike.get(name) ?? 0) + 1);
  }

  /** The name of a device. The site is added if several devices would have the same name. */
  nameOf(pk: string, fields: Fields): string {
    if (hasName(fields)) return String(fields.name);
    const names = [this.placeOf(pk, fields), this.placeOf(pk, fields, true)];
    return names.find((name) => this.alike.get(name) === 1) ?? `${this.typeOf(fields)} ${pk}`;
  }

  /** Units that a device takes. */
  heightOf({ device_type: type }: Fields): number {
    return this.heights.get(textOf(type) ?? '') ?? 1;
  }

  private typeOf(fields: Fields): string {
    return this.names.get(`dcim.devicetype:${textOf(fields.device_type)}`) ?? 'Device';
  }

  /** The type of a device and its place in a rack. */
  private placeOf(pk: string, fields: Fields, withSite = false): string {
    const type = this.typeOf(fields);
    const rack = this.racks.get(textOf(fields.rack) ?? '');
    const position = textOf(fields.position);
    if (!rack || position === undefined) return `${type} ${pk}`;
    const place = `${type} in ${rack.name} U${unitIn(rack, Number(position), this.heightOf(fields))}`;
    const site = this.names.get(`dcim.site:${textOf(fields.site)}`);
    return withSite && site !== undefined ? `${place} (${site})` : place;
  }
}
