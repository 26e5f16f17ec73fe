import { escapedXml } from '../../http/svg.js';
import {
  RESULT_LISTS,
  type ResultList,
  type StocktakeCounts,
  type StocktakeEntry,
  type StocktakePlace,
} from './stocktake.models.js';

/** The data in the head of a printed result. */
export interface PrintedStocktake {
  name: string;
  status: string;
  /** Names of the counted place and category. */
  site: string | null;
  location: string | null;
  category: string | null;
  /** Instants as responses have them. */
  begun: string;
  closed: string | null;
  closedBy: string | null;
}

/** Lists that need action come first. */
const PRINTED: readonly (readonly [ResultList, string])[] = [
  ['missing', 'Missing'],
  ['misplaced', 'Misplaced'],
  ['unexpected', 'Unexpected'],
  ['unknown', 'Unknown codes'],
  ['ambiguous', 'Ambiguous codes'],
  ['found', 'Found'],
];

const STYLE = `body{font:13px/1.4 system-ui,sans-serif;color:#111;background:#fff;margin:2rem auto;max-width:60rem;padding:0 1rem}
h1{font-size:1.6rem;margin:0}h2{font-size:1.1rem;margin:1.6rem 0 .4rem;break-after:avoid}
table{border-collapse:collapse;width:100%}caption{text-align:left}th,td{border-bottom:1px solid #bbb;padding:.25rem .5rem;text-align:left;vertical-align:top}
tr{break-inside:avoid}thead{display:table-header-group}.n{text-align:right;font-variant-numeric:tabular-nums}.counts{width:auto}
@page{margin:15mm}@media print{body{margin:0;max-width:none;padding:0}}`;

const cell = (text: string | null): string => `<td>${escapedXml(text ?? '')}</td>`;

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** An instant for people. */
const time = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;

const nameOf = (place: StocktakePlace | null): string =>
  place === null ? '' : [place.siteName, place.locationName].filter((name) => name !== null).join(', ') || 'No place';

function rowOf({ asset, assetTag, serialNumber, code, candidates, recorded, seen, changed }: StocktakeEntry): string {
  const name = asset?.name ?? candidates.map((candidate) => candidate.name).join(', ');
  const codes = asset ? [assetTag, serialNumber] : [code, null];
  const cells = [name, ...codes, nameOf(recorded), nameOf(seen), changed ? 'yes' : ''];
  return `<tr>${cells.map(cell).join('')}</tr>`;
}

const HEAD = `<thead><tr>${['Asset', 'Tag or code', 'Serial number', 'Recorded', 'Seen', 'Changed since']
  .map((title) => `<th scope="col">${title}</th>`)
  .join('')}</tr></thead>`;

function section(title: string, entries: readonly StocktakeEntry[], total: number): string {
  if (total === 0) return '';
  const rest = total - entries.length;
  const more = rest > 0 ? `<p>And ${rest} more.</p>` : '';
  return `<h2>${title} (${total})</h2><table>${HEAD}<tbody>${entries.map(rowOf).join('')}</tbody></table>${more}`;
}

/** The result of a stocktake as a page to print: one file without a script. */
export function printedResult(
  { name, status, site, location, category, begun, closed, closedBy }: PrintedStocktake,
  counts: StocktakeCounts,
  lists: Partial<Record<ResultList, StocktakeEntry[]>>,
): string {
  const counted = [site, location, category].filter((part) => part !== null).join(', ') || 'All assets';
  const end =
    closed === null ? `Begun ${time(begun)}, ${status}` : `Begun ${time(begun)}, closed ${time(closed)} by ${closedBy}`;
  const numbers = RESULT_LISTS.map(
    (list) => `<tr><th scope="row">${capital(list)}</th><td class="n">${counts[list]}</td></tr>`,
  );
  const sections = PRINTED.map(([list, title]) => section(title, lists[list] ?? [], counts[list]));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapedXml(name)}</title><style>${STYLE}</style></head>
<body><h1>${escapedXml(name)}</h1><p>${escapedXml(counted)}<br>${escapedXml(end)}</p>
<table class="counts"><tbody>${numbers.join('')}</tbody></table>
${sections.join('\n')}
</body></html>
`;
}
