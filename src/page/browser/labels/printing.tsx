/* Labels as they will be printed: sheets to cut, or one label on each page of a label printer. */

import { queryOf } from '../api.js';
import { Icon } from '../icon.js';
import { keep, kept } from '../kept.js';
import { Title } from '../parts.js';
import { addressWith, changed, go } from '../route.js';

/** Labels of one sheet at most. */
const MOST = 100;

const CHOICES = {
  paper: {
    label: 'Paper',
    options: { a4: 'A4', letter: 'US Letter', 'label-62': 'Labels of 62 × 29 mm', 'label-89': 'Labels of 89 × 36 mm' },
  },
  code: { label: 'Code', options: { qr: 'QR code', code128: 'Code 128' } },
  content: {
    label: 'Content',
    options: { url: 'Address of the asset', assetTag: 'Inventory tag', serialNumber: 'Serial number' },
  },
} as const;
type Choice = keyof typeof CHOICES;
const NAMES = Object.keys(CHOICES) as Choice[];

const KEPT = 'labels';

export function Labels({ query }: { query: URLSearchParams }) {
  const ids = query.getAll('id');
  const usual = kept<Partial<Record<Choice, string>>>(KEPT, {});
  const chosen = (name: Choice): string => {
    const { options } = CHOICES[name];
    return [query.get(name), usual[name]].find((one) => one && one in options) ?? Object.keys(options)[0]!;
  };
  const set = (name: Choice, value: string): void => {
    keep(KEPT, { ...usual, [name]: value });
    go(addressWith('/pictures/labels', changed(query, { [name]: value })));
  };
  const paper = chosen('paper');
  const drawn = { code: chosen('code'), content: chosen('content') };
  const pages = paper.startsWith('label')
    ? ids.map((id) => `/api/assets/${id}/label.svg${queryOf(drawn)}`)
    : Array.from(
        { length: Math.ceil(ids.length / MOST) },
        (_, sheet) => `/api/assets/labels.svg${queryOf({ id: ids.slice(sheet * MOST, (sheet + 1) * MOST), ...drawn })}`,
      );
  return (
    <>
      <Title text={ids.length === 1 ? 'One label' : `${ids.length} labels`} crumbs={[['Assets', '#/assets']]}>
        <span class="tools">
          {ids.length > 0 && (
            <button type="button" class="primary" onClick={() => print()}>
              <Icon name="printer" />
              Print
            </button>
          )}
        </span>
      </Title>
      {ids.length === 0 && <p class="empty">Tick assets in their list, and choose Print labels there.</p>}
      <div class="bar">
        {NAMES.map((name) => (
          <label key={name} class="control">
            {CHOICES[name].label}
            <select value={chosen(name)} onChange={({ currentTarget: { value } }) => set(name, value)}>
              {Object.entries(CHOICES[name].options).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
      {pages.map((address, index) => (
        <img key={address} class={`paper ${paper}`} src={address} alt={`Page ${index + 1} of ${pages.length}`} />
      ))}
    </>
  );
}
