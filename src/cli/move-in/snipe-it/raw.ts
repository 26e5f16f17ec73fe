/** What Snipe-IT calls its lists. */
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

/** The highest number of a character. */
const LAST_CHARACTER = 0x10ffff;

/** Snipe-IT escapes its texts for HTML, in its exports and in its API. What is no character stays as it is. */
export const unescaped = (text: string): string =>
  text
    .replaceAll(/&#(\d+);/g, (entity, code: string) =>
      Number(code) <= LAST_CHARACTER ? String.fromCodePoint(Number(code)) : entity,
    )
    .replaceAll(/&(\w+);/g, (entity, name: string) => (Object.hasOwn(ENTITIES, name) ? ENTITIES[name]! : entity));

/** Values by names that somebody has chosen: `constructor` is one like any other. */
export const byName = (): Record<string, string> => Object.create(null) as Record<string, string>;

/** Lists of what is kept by its number, and what Snipe-IT calls the categories of each. */
export const STOCK: Readonly<Record<string, string>> = {
  accessories: 'accessory',
  consumables: 'consumable',
  components: 'component',
};

/** A seat of a licence that has a holder. */
export interface RawSeat {
  model: 'users' | 'assets';
  /** Where the holder stands in the source. */
  at?: string;
  /** Key of the holder, if it is known. */
  pk?: string;
  name: string;
}

/** An entry of a list, as a file or the API has it: texts, by Snipe-IT's own names of fields. */
export interface Raw {
  /** The list; the name of a file whose columns are unknown. */
  kind: SnipeKind | `file:${string}`;
  /** The file or list that it stands in. */
  list: string;
  /** Its position in the source, for messages: `assets.csv, row 12`. */
  at: string;
  fields: Record<string, string>;
  /** Values of fields that the installation has defined itself, by their names. */
  custom: Record<string, string>;
  /** What was changed while it was read, by field. */
  changes: [field: string, why: string][];
  /** Who has the seats of a licence, if the source tells of all of them. */
  seats?: RawSeat[];
}
