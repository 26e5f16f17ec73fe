import { SourceApi } from '../requests.js';
import { isObject } from '../shapes.js';
import { byName, STOCK, unescaped, type Raw, type RawSeat, type SnipeKind } from './raw.js';

/** Default limit of a Snipe-IT for the entries in one response. */
const PAGE = 500;

/** The lists, by their paths. */
const LISTS: Readonly<Record<string, SnipeKind>> = {
  companies: 'companies',
  manufacturers: 'manufacturers',
  suppliers: 'suppliers',
  categories: 'categories',
  statuslabels: 'statuslabels',
  departments: 'departments',
  locations: 'locations',
  models: 'models',
  users: 'users',
  licenses: 'licenses',
  hardware: 'assets',
  maintenances: 'maintenances',
  accessories: 'accessories',
  consumables: 'consumables',
  components: 'components',
};

/** The entries of all lists of a Snipe-IT, as its exports have them. @throws CommandError */
export async function* readApi(url: string): AsyncGenerator<Raw> {
  const api = new SourceApi(url, 'SNIPE_IT_TOKEN');
  for (const [path, kind] of Object.entries(LISTS)) {
    const pathOf = (offset: number): string => `/api/v1/${path}?limit=${PAGE}&offset=${offset}&sort=id&order=asc`;
    for await (const { place, fields = {} } of api.entries(pathOf, ['total', 'rows'])) {
      const raw = rawOf(kind, path, place, fields);
      if (kind === 'licenses') raw.seats = await seatsOf(api, place, raw.fields);
      yield raw;
    }
  }
}

/** The seats of a licence that somebody or something has; undefined if this version does not tell. */
async function seatsOf(
  api: SourceApi,
  licence: string,
  { seats, free_seats_count: free }: Raw['fields'],
): Promise<RawSeat[] | undefined> {
  if (seats !== undefined && seats === free) return [];
  const pathOf = (offset: number): string => `/api/v1/licenses/${licence}/seats?limit=${PAGE}&offset=${offset}`;
  let found: RawSeat[] | undefined;
  for await (const { fields = {} } of api.entries(pathOf, ['total', 'rows'])) {
    // The free ones are listed too.
    found ??= [];
    const { assigned_user: user, assigned_asset: asset } = fields;
    // A seat of an asset that somebody holds is one of the asset.
    const [model, holder] = isObject(asset) ? (['assets', asset] as const) : (['users', user] as const);
    if (!isObject(holder)) continue;
    const list = model === 'assets' ? 'hardware' : 'users';
    found.push({ model, at: `${list} ${String(holder.id)}`, name: textOf(holder.name) ?? '' });
  }
  return found;
}

/** Fields that Snipe-IT computes, or that describe the installation. */
const IGNORED =
  /^(?:id|image|avatar|qr|alt_barcode|age|book_value|created_(?:at|by)|updated_at|available_actions|user_can_checkout|permissions|groups|activated|autoassign_licenses|ldap_import|two_factor_\w+|locale|last_login|children|purchase_cost_numeric|remaining|type|checkin_counter|checkout_counter|requests_counter|default_fieldset_values|color|show_in_nav|default_label|tag_color|item_count|has_eula|eula|use_default_eula|checkin_email|require_acceptance|\w+_count)$/;

/** A value as an export shows it. */
function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value === 'object') {
    const { date, datetime, name } = value as { date?: string; datetime?: string; name?: string };
    return textOf(date ?? datetime ?? name);
  }
  return plain(String(value)) || undefined;
}

/** The API escapes its texts for HTML, and makes HTML of notes. */
const plain = (text: string): string =>
  unescaped(text.replaceAll(/<br\s*\/?>\s*/gi, '\n').replaceAll(/<\/?[a-z][^<>]*>/gi, '')).trim();

function rawOf(kind: SnipeKind, path: string, place: string, entry: Record<string, unknown>): Raw {
  const raw: Raw = { kind, list: path, at: `${path} ${place}`, fields: {}, custom: byName(), changes: [] };
  const put = (field: string, value: unknown): void => {
    const text = textOf(value);
    if (text !== undefined) raw.fields[field] = text;
  };
  for (const [field, value] of Object.entries(entry)) {
    if (field === 'custom_fields') {
      for (const [name, own] of Object.entries(isObject(value) ? value : {})) {
        const text = textOf(isObject(own) ? own.value : own);
        if (text !== undefined) raw.custom[plain(name)] = text;
      }
    } else if (field === 'assigned_to') putHolder(put, value);
    else if (field === 'status_label') {
      put(field, value);
      const { status_type: type } = (value ?? {}) as { status_type?: string };
      if (type !== undefined) put('status_type', type);
    } else if (field === 'remaining' && kind in STOCK) put('remaining_qty', value);
    else if (field === 'min_qty') put('min_amt', value);
    else if (field === 'free_seats_count' || !IGNORED.test(field)) put(field, value);
    // The type of a label, as its list has it.
    if (field === 'type' && kind === 'statuslabels') put('status_type', value);
  }
  return raw;
}

/** The holder of an asset: a person, a place or another asset. */
function putHolder(put: (field: string, value: unknown) => void, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { type, name, username, email } = value as Record<string, unknown>;
  put('checkout_type', type);
  if (type === 'location') put('checkout_location', name);
  else if (type === 'user') {
    put('username', username);
    put('email', email);
    put('full_name', name);
  } else put('assigned_to', name);
}
