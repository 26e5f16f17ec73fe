import { escapedXml } from '../http/svg.js';
import { isObject } from '../http/json-body.js';
import { byPath, same } from './operation-values.js';
import type { Preview } from './preview.js';
import type { Values } from './operation-store.js';

const STYLE =
  'body{font:14px/1.4 sans-serif;margin:2em;max-width:60em}table{border-collapse:collapse;width:100%;margin:.5em 0 1.5em}' +
  'th,td{border:1px solid #999;padding:.2em .5em;text-align:left;vertical-align:top}h2,h3{margin:1.2em 0 .2em}' +
  '.conflict{background:#fde8e8}@media print{body{margin:0}table{break-inside:avoid}}';

const OPS: Record<string, string> = { create: 'New', update: 'Changed', delete: 'Deleted' };

/** The effects of a change set as one printable page. */
export class DiffPage {
  /** @param names of records by their ids */
  constructor(
    private readonly title: string,
    private readonly preview: Preview,
    private readonly names: ReadonlyMap<string, string>,
  ) {}

  get html(): string {
    const { operations, conflicts } = this.preview;
    const title = escapedXml(this.title);
    const found =
      conflicts.length === 0
        ? '<p>No conflicts.</p>'
        : `<h2>Conflicts</h2>${table(
            ['Record', 'Field', 'When written down', 'Now', 'Proposed', 'Changed by', 'What is wrong'],
            conflicts.map((conflict) => [
              conflict.resource === undefined
                ? 'A record that you may not read'
                : this.record(conflict.resource, conflict.recordId),
              conflict.field === null || conflict.field === undefined ? '' : wordsOf(conflict.field),
              ...[conflict.base, conflict.current, conflict.proposed].map((value) => this.value(value)),
              [conflict.changedBy, conflict.changedAt].filter(Boolean).join(', '),
              conflict.message ?? '',
            ]),
            ' class="conflict"',
          )}`;
    const changes = operations.map(({ op, resource, recordId, before, after }) => {
      const [was, is] = [byPath(valuesOf(before)), byPath(valuesOf(after))];
      const paths = [...new Set([...was.keys(), ...is.keys()])].filter((path) => isShown(path, was, is));
      const rows = paths.map((path) => [wordsOf(path), this.value(was.get(path)), this.value(is.get(path))]);
      const heading = `<h3>${OPS[op]}: ${escapedXml(this.record(resource, recordId))}</h3>`;
      return heading + (rows.length === 0 ? '<p>Nothing that you may read.</p>' : table(['', 'Before', 'After'], rows));
    });
    return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>${STYLE}</style></head><body><h1>${title}</h1>${found}<h2>Changes</h2>${changes.join('')}</body></html>`;
  }

  private record(resource: string, id: string): string {
    return `${resource} ${this.names.get(id) ?? id}`;
  }

  private value(value: unknown): string {
    if (value === null || value === undefined) return '';
    if (typeof value === 'string') return this.names.get(value) ?? value;
    if (Array.isArray(value)) return value.map((entry) => this.value(entry)).join(', ');
    if (isObject(value))
      return Object.entries(value)
        .filter(([name, own]) => own !== null && name !== 'id')
        .map(([name, own]) => `${wordsOf(name)}: ${this.value(own)}`)
        .join('; ');
    return JSON.stringify(value);
  }
}

const valuesOf = (state: unknown): Values | null => (isObject(state) ? (state as Values) : null);

const TIMES = new Set(['id', 'createdAt', 'updatedAt']);

function isShown(path: string, was: ReadonlyMap<string, unknown>, is: ReadonlyMap<string, unknown>): boolean {
  return !TIMES.has(path) && !same(was.get(path), is.get(path));
}

/** `rackPosition` as `Rack position`. A reference has the name of its target. */
function wordsOf(path: string): string {
  const words = path
    .replace(/^customFields\./, '')
    .replace(/Id$/, '')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function table(headers: readonly string[], rows: readonly (readonly string[])[], kind = ''): string {
  const row = (cells: readonly string[], tag: string): string =>
    `<tr>${cells.map((cell) => `<${tag}>${escapedXml(cell)}</${tag}>`).join('')}</tr>`;
  return `<table${kind}><thead>${row(headers, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table>`;
}
