/* The fullest prefixes and racks, where none is nearly full. */

import type { components } from '../../../../sdk/typescript/schema.js';
import { useGet } from '../api.js';
import { Meter } from '../format.js';
import { LOCALE } from '../locale.js';
import { capital, collectionOf } from '../model.js';
import { Linked } from '../names.js';
import { Line, Loaded } from '../parts.js';

type Entry = components['schemas']['UtilisationEntry'];

const said = (number: string): string => Number(number).toLocaleString(LOCALE);

export function Fullest() {
  const loaded = useGet('/api/utilisation?atLeast=0&pageSize=10');
  return (
    <section class="card" aria-label="The fullest">
      <h2>The fullest</h2>
      <p class="muted about">No prefix or rack is nearly full. These are the fullest.</p>
      <Loaded from={loaded}>
        {({ data }) => (
          <ol class="lines">
            {(data as Entry[]).map((one) => (
              <Line
                key={one.id}
                main={<Linked {...one} />}
                note={`${capital(collectionOf(one.resource)?.one ?? '')}, ${said(one.used)} of ${said(one.size)} in use`}
                aside={<Meter value={one.utilisation} />}
              />
            ))}
          </ol>
        )}
      </Loaded>
    </section>
  );
}
