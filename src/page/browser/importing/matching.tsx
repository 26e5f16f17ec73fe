import type { Target } from './columns.js';
import type { FileTable } from './file.js';

/** Rows of a file that are shown before it is imported. */
const SHOWN = 5;

/** A row for each column of the file, with its field and its first values. */
export function Matching({
  table,
  targets,
  columns,
  match,
}: {
  table: FileTable;
  targets: readonly Target[];
  columns: readonly (string | undefined)[];
  match: (choice: { at: number; name: string }) => void;
}) {
  const rows = table.rows.slice(0, SHOWN);
  return (
    <div class="scroll" tabindex={0} role="region" aria-label="Columns of the file">
      <table>
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">Is imported as</th>
            {rows.map((_, at) => (
              <th scope="col" key={at}>
                Row {at + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.header.map((column, at) => (
            <tr key={at}>
              <th scope="row">
                <bdi>{column || `Column ${at + 1}`}</bdi>
              </th>
              <td>
                <select
                  aria-label={`${column || `Column ${at + 1}`} is imported as`}
                  value={columns[at] ?? ''}
                  onChange={({ currentTarget }) => match({ at, name: currentTarget.value })}
                >
                  <option value="">Nothing</option>
                  {targets.map(({ name, label, required }) => (
                    <option key={name} value={name}>
                      {label}
                      {required ? ' *' : ''}
                    </option>
                  ))}
                </select>
              </td>
              {rows.map(({ cells }, place) => (
                <td key={place}>
                  <bdi>{cells[at] ?? ''}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
