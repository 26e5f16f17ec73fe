import { camelCase, Mapping, type Known, type Moved } from '../mapping.js';
import { LeftOut, type Kind, type SourceObject } from '../model.js';
import type { Counted, Holding, Link, Source } from '../source.js';
import type { Spool } from '../spool.js';
import { readApi } from './api.js';
import { readFolder } from './folder.js';
import { KINDS, placeOfStock, REASONS, remainingOf, statusOfAsset, VALUES, type SnipeItKind } from './kinds.js';
import { SnipeObjects } from './objects.js';
import { STOCK, type Raw } from './raw.js';
import { heldStatusOf, statusOf } from './status.js';

/** The objects of a Snipe-IT. */
export class SnipeItSource implements Source {
  readonly kinds = KINDS;
  readonly values = VALUES;
  private readonly shown = new Set<string>();

  private constructor(private readonly objects: SnipeObjects) {}

  /**
   * @param at a folder of exports, or the address of a Snipe-IT
   * @param onRead is called for each entry
   * @param encoding of the exports, if it is not to be told by what they look like
   * @throws CommandError if there are no exports, or one cannot be read
   */
  static async read(
    at: string,
    spool: Spool,
    onRead: () => void = () => {},
    encoding?: string,
  ): Promise<SnipeItSource> {
    const raws = /^https?:/i.test(at) ? readApi(at) : readFolder(at, encoding);
    return new SnipeItSource(await SnipeObjects.read(raws, spool, onRead));
  }

  reasonOf(model: string): string {
    return (
      REASONS[model] ??
      (model.startsWith('file:') ? 'its columns are not those of an export' : 'there is no such resource')
    );
  }

  nameOf(model: string, pk: string): string | undefined {
    const name: unknown = this.objects.get(model, pk)?.fields.name;
    return name === undefined ? undefined : String(name);
  }

  map(kind: Kind, object: SourceObject, known: Known): Moved {
    const { _fault, _changes, _custom } = object.fields;
    if (_fault !== undefined) throw new LeftOut(String(_fault));
    const mapping = new Mapping(object, known);
    for (const [field, why] of (_changes ?? []) as Raw['changes']) mapping.changed(field, why);
    const row = (kind as SnipeItKind).row(mapping, this.objects);
    mapping.addRest();
    for (const [label, value] of Object.entries((_custom ?? {}) as Record<string, string>))
      mapping.custom.push({ key: keyOf(label), type: 'text', value, definition: { label } });
    this.showStatus(object, known);
    return { object, row, custom: mapping.custom, uses: mapping.uses };
  }

  async *links(): AsyncGenerator<Link> {
    // Assets are handed out, and nothing else is a link.
  }

  async *holdings(spool: Spool, known: Known): AsyncGenerator<Holding> {
    for await (const object of spool.read('assets')) {
      if (!known.has('assets', object.pk)) continue;
      const holder: unknown = object.fields._holder;
      const held = { object, assetId: known.ids.of('assets', object.pk), status: statusOfAsset(object, this.objects) };
      if (holder === undefined) yield { ...held, personId: null };
      else if (known.has('users', String(holder))) yield { ...held, personId: known.ids.of('users', String(holder)) };
      else known.report.line('assets', object.pk, 'assigned_to', `left out: users ${holder} was not moved`);
    }
  }

  async *counted(spool: Spool, known: Known): AsyncGenerator<Counted> {
    for (const model of Object.keys(STOCK))
      for await (const object of spool.read(model)) {
        const quantity = remainingOf(object);
        if (!quantity || !known.has(model, object.pk)) continue;
        const place = placeOfStock(object, this.objects, known);
        yield { object, itemId: known.ids.of(model, object.pk), quantity, place };
      }
  }

  /** The table of labels: a line for each, when its first asset has it. */
  private showStatus({ model, fields }: SourceObject, { report }: Known): void {
    if (model !== 'assets' || fields.status_label === undefined || this.shown.has(fields.status_label)) return;
    this.shown.add(fields.status_label);
    const status = statusOf(
      fields.status_label,
      this.objects.get('statuslabels', fields.status_label)?.fields.status_type,
    );
    const held = heldStatusOf(status);
    report.line(
      'statuslabels',
      fields.status_label,
      'status',
      held === status ? `becomes ${status}` : `becomes ${status}, and ${held} where somebody holds the asset`,
    );
  }
}

/** A key for the name of a field: `MAC Address` is `macAddress`. */
function keyOf(label: string): string {
  const words = label.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return camelCase(words.replace(/^[^a-z\d]+|(?<![^a-z\d])[^a-z\d]+$/g, '')) || 'field';
}
