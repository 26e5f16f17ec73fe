import { reading, writing, type AccessRule, type Area, type Role } from '../access/access.js';
import type { Class } from '../fields/field.js';
import { areaOf } from '../fields/record-entity.js';

/** Reading records of this kind. */
export const readingOf = (record: Class): AccessRule => reading(gatingAreaOf(record));

/** Creating, changing and deleting records of this kind. */
export const writingOf = (record: Class, role?: Role): AccessRule => writing(gatingAreaOf(record), role);

function gatingAreaOf(record: Class): Area {
  const area = areaOf(record);
  if (area === null) throw new Error(`${record.name} has no area: its controller says who has access`);
  return area;
}
