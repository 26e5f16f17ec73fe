/* The references to a record. */

import type { Row } from './types.js';
import { capital, collectionOf, labelOf } from './model.js';

const EFFECTS: Readonly<Record<string, string>> = {
  cleared: 'The reference is cleared',
  deleted: 'Deleted with it',
  refused: 'It cannot be deleted because of these',
};

/** The numbers of records that refer to a record, with links to their lists. */
export function ReferenceCounts({ rows, id }: { rows: Row[]; id: string }) {
  if (rows.length === 0) return <p class="empty">Nothing refers to it.</p>;
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
            <th scope="col">When it is deleted</th>
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
                <td>{isListed ? <a href={`#${collection.path.slice(4)}?${field}=${id}`}>{label}</a> : label}</td>
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
