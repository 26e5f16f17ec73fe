import { camelCase, Mapping, type Known, type Moved } from '../mapping.js';
import { LeftOut, type Ids, type Kind, type SourceObject } from '../model.js';
import type { Counted, Holding, Link, Parts, Source } from '../source.js';
import type { Spool } from '../spool.js';
import { readApi } from './api.js';
import { readFolder } from './folder.js';
import {
  KINDS,
  placeOfStock,
  REASONS,
  remainingOf,
  seatsOf,
  statusOfAsset,
  VALUES,
  type SnipeItKind,
} from './kinds.js';
import { SnipeObjects } from './objects.js';
import { STOCK, type Raw, type RawSeat } from './raw.js';
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

  /** Seats of licences, whose holders are records. */
  async *links(spool: Spool, known: Known): AsyncGenerator<Link> {
    for await (const object of spool.read('licenses')) {
      if (!known.has('licenses', object.pk)) continue;
      const holders = new Set<string>();
      for (const { model, pk, name } of this.seatsOf(object)) {
        const why =
          pk === undefined || !known.has(model, pk)
            ? 'was not moved'
            : holders.has(`${model}:${pk}`)
              ? 'has a seat of the licence already'
              : undefined;
        if (why === undefined)
          yield {
            object,
            field: 'seats',
            path: seatsPath(object, known.ids),
            row: { id: seatId(object, known.ids, model, pk!), [HOLDERS[model]]: known.ids.of(model, pk!) },
          };
        else known.report.line('licenses', object.pk, 'seats', `left out: ${model} ${pk ?? `'${name}'`} ${why}`);
        holders.add(`${model}:${pk}`);
      }
    }
  }

  /** Licences of which the source lists all seats. A row of a file has at most one seat. */
  async *whole(spool: Spool, ids: Ids): AsyncGenerator<Parts> {
    for await (const object of spool.read('licenses')) {
      if (object.fields._seats === undefined) continue;
      const known = this.seatsOf(object).flatMap(({ model, pk }) =>
        pk === undefined ? [] : [seatId(object, ids, model, pk)],
      );
      yield { path: seatsPath(object, ids), ids: new Set(known) };
    }
  }

  private seatsOf(object: SourceObject): RawSeat[] {
    return seatsOf(object).map((seat) => ({
      ...seat,
      pk: seat.pk ?? (seat.at === undefined ? undefined : this.objects.holderAt(seat.at)),
    }));
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

  /** Status labels as a table: one report line for each label, at its first asset. */
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

/** The property of a seat that names its holder. */
const HOLDERS = { users: 'personId', assets: 'assetId' } as const;

const seatsPath = ({ pk }: SourceObject, ids: Ids): string => `software-licences/${ids.of('licenses', pk)}/seats`;

/** The same id as long as the seat has the same holder. */
const seatId = ({ pk }: SourceObject, ids: Ids, model: string, holder: string): string =>
  ids.of('licenses', `${pk}/seats/${model}:${holder}`);

/** A key for the name of a field: `MAC Address` is `macAddress`. */
function keyOf(label: string): string {
  const words = label.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return camelCase(words.replace(/^[^a-z\d]+|(?<![^a-z\d])[^a-z\d]+$/g, '')) || 'field';
}
