/* The effects of a change set, in words. */

import { LOCALE } from '../locale.js';
import { collectionOf, manyOf, oneOf } from '../model.js';
import type { components } from '../../../../sdk/typescript/schema.js';

type Schemas = components['schemas'];
export type Change = Schemas['PreviewedChange'];
export type Preview = Schemas['ChangeSetPreview'];
export type Conflict = Preview['conflicts'][number];

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString(LOCALE)} ${count === 1 ? one : many}`;

const DOES: Readonly<Record<string, string>> = { create: 'creates', update: 'changes', delete: 'deletes' };
const list = new Intl.ListFormat('en');

/** Records of one kind with the same operation. */
export interface Group {
  op: string;
  resource: string;
  changes: Change[];
}

export function groupsOf(changes: readonly Change[]): Group[] {
  const groups = new Map<string, Group>();
  for (const change of changes) {
    const { op, resource } = change;
    const key = `${op} ${resource}`;
    const group = groups.get(key) ?? { op, resource, changes: [] };
    groups.set(key, group);
    group.changes.push(change);
  }
  return [...groups.values()];
}

const recordsOf = ({ resource, changes }: Group): string => {
  const collection = collectionOf(resource);
  const one = oneOf(resource);
  return counted(changes.length, one, collection ? manyOf(collection) : `${one}s`);
};

/** `creates 1 cable, changes 3 devices and deletes 2 addresses` */
export const saidOf = (groups: readonly Group[]): string =>
  list.format(groups.map((group) => `${DOES[group.op]} ${recordsOf(group)}`));

const HEADS: Readonly<Record<string, string>> = { create: 'New', update: 'Changed', delete: 'Deleted' };
/** `Changed: 3 devices` */
export const headOf = (group: Group): string => `${HEADS[group.op]}: ${recordsOf(group)}`;
