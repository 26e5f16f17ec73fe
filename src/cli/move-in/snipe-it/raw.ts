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

/** Lists of what is kept by its number, and what Snipe-IT calls the categories of each. */
export const STOCK: Readonly<Record<string, string>> = {
  accessories: 'accessory',
  consumables: 'consumable',
  components: 'component',
};

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
}
