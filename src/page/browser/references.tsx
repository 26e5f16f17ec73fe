/* The references to a record. */

import { queryOf } from './api.js';
import type { Row } from './types.js';
import { capital, collectionOf, labelOf } from './model.js';

const EFFECTS: Readonly<Record<string, string>> = {
  cleared: 'The reference is cleared',
  deleted: 'Deleted with it',
  refused: 'It cannot be deleted because of these',
};

/** The references to several records as those to one. */
export function summed(all: readonly Row[]): Row[] {
  const sums = new Map<string, Row>();
  for (const row of all) {
    const key = `${row.resource} ${row.field} ${row.effect}`;
    sums.set(key, { ...row, count: row.count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()];
}

/** The numbers of records that refer to some records, with links to their lists. */
export function ReferenceCounts({ rows, ids }: { rows: Row[]; ids: readonly string[] }) {
  if (rows.length === 0) return <p class="empty">Nothing refers to {ids.length === 1 ? 'it' : 'them'}.</p>;
  return (
    <div class="scroll" tabindex={0} role="region" aria-label="References">
      <table>
        <thead>
          <tr>
            <th scope="col">Records</th>
            <th scope="col">By field</th>
            <th scope="col" class="end">
              Number
            </th>
            <th scope="col">When {ids.length === 1 ? 'it is' : 'they are'} deleted</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ resource, field, count, effect }) => {
            const collection = collectionOf(resource);
            const isListed =
              collection && !collection.path.includes('{') && collection.filters.some(({ name }) => name === field);
            const label = capital(collection?.label ?? labelOf(resource));
            return (
              <tr>
                <td>
                  {isListed ? <a href={`#${collection.path.slice(4)}${queryOf({ [field]: ids })}`}>{label}</a> : label}
                </td>
                <td>{labelOf(field)}</td>
                <td class="end">{count}</td>
                <td>{EFFECTS[effect] ?? labelOf(effect)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
