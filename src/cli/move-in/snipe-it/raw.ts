/** Snipe-IT's names of its lists. */
export type SnipeKind =
  | 'assets'
  | 'licenses'
  | 'users'
  | 'locations'
  | 'models'
  | 'companies'
  | 'manufacturers'
  | 'categories'
  | 'suppliers'
  | 'statuslabels'
  | 'departments'
  | 'maintenances'
  | 'accessories'
  | 'consumables'
  | 'components';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The highest code point. */
const LAST_CHARACTER = 0x10ffff;

/** Decodes the HTML entities that Snipe-IT writes in its exports and in its API. An invalid code point stays as it is. */
export const unescaped = (text: string): string =>
  text
    .replaceAll(/&#(\d+);/g, (entity, code: string) =>
      Number(code) <= LAST_CHARACTER ? String.fromCodePoint(Number(code)) : entity,
    )
    .replaceAll(/&(\w+);/g, (entity, name: string) => (Object.hasOwn(ENTITIES, name) ? ENTITIES[name]! : entity));

/** A map without a prototype: users choose the names, and `constructor` is one like any other. */
export const byName = (): Record<string, string> => Object.create(null) as Record<string, string>;

/** Lists of items that are counted by quantity, and Snipe-IT's category type of each. */
export const STOCK: Readonly<Record<string, string>> = {
  accessories: 'accessory',
  consumables: 'consumable',
  components: 'component',
};

/** A seat of a licence that has a holder. */
export interface RawSeat {
  model: 'users' | 'assets';
  /** Position of the holder in the source. */
  at?: string;
  /** Key of the holder, if it is known. */
  pk?: string;
  name: string;
}

/** An entry of a list, as a file or the API has it: texts, by Snipe-IT's own names of fields. */
export interface Raw {
  /** The list; the name of a file whose columns are unknown. */
  kind: SnipeKind | `file:${string}`;
  /** Its file or list. */
  list: string;
  /** Its position in the source, for messages: `assets.csv, row 12`. */
  at: string;
  fields: Record<string, string>;
  /** Values of fields that the installation has defined itself, by their names. */
  custom: Record<string, string>;
  /** Values that were changed while they were read, by field. */
  changes: [field: string, why: string][];
  /** The seats of a licence, if the source lists all of them. */
  seats?: RawSeat[];
}
