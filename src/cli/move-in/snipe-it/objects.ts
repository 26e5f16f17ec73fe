import type { SourceObject } from '../model.js';
import { Spool } from '../spool.js';
import { STOCK, type Raw, type SnipeKind } from './raw.js';
import { Styles } from './styles.js';

/** Lists whose entries are referenced by others, in the order of these references. They are kept in memory. */
const NAMED: readonly SnipeKind[] = [
  'companies',
  'manufacturers',
  'suppliers',
  'categories',
  'statuslabels',
  'departments',
  'locations',
  'models',
  'users',
];

const lower = (text: string): string => text.toLowerCase();

const fullNameOf = ({ full_name, name, first_name, last_name }: Record<string, string>): string | undefined =>
  full_name ?? (([first_name, last_name].filter(Boolean).join(' ') || undefined) as string | undefined) ?? name;

/**
 * The objects of a Snipe-IT. Its exports have names instead of keys, so objects are identified by unique values: an asset by its tag, a
 * user by the user name, a place or a company by its name. A name without an entry of its own is an object too.
 */
export class SnipeObjects {
  /** Objects that others refer to. */
  readonly named: SourceObject[] = [];
  private readonly keys = new Map<string, Map<string, string>>();
  private readonly byKey = new Map<string, SourceObject>();
  /** Keys of users by email address, by user name and by full name. Several may have one name. */
  private readonly users = {
    email: new Map<string, string>(),
    username: new Map<string, string>(),
    name: new Map<string, string[]>(),
  };
  private readonly assetNames = new Set<string>();
  /** Position of each entry of another list, by its key. */
  private readonly places = new Map<string, string>();
  /** Keys of users and assets that can have seats, by their position. */
  private readonly holders = new Map<string, string>();
  /** The next number for entries with the same key. Thousands of entries may share a key. */
  private readonly repeats = new Map<string, number>();

  /**
   * Reads a source into a spool. Entries that nothing refers to, such as assets, are not kept in memory except for their keys.
   * @param raws may come in any order
   * @param onRead is called for each
   */
  static async read(raws: AsyncIterable<Raw>, spool: Spool, onRead: () => void = () => {}): Promise<SnipeObjects> {
    const objects = new SnipeObjects();
    const given = await Spool.create();
    try {
      const styles = await Styles.create();
      for await (const raw of raws) {
        styles.see(raw);
        if (raw.kind === 'assets')
          for (const name of [raw.fields.asset_tag, raw.fields.name]) if (name) objects.assetNames.add(lower(name));
        await given.add({ model: raw.kind, pk: raw.at, fields: raw });
        onRead();
      }
      await given.complete();
      const read = async function* (kind: string): AsyncGenerator<Raw> {
        for await (const { fields } of given.read(kind)) yield styles.interpret(fields as Raw);
      };
      for (const kind of NAMED) for await (const raw of read(kind)) objects.addRow(raw);
      // Objects that exist only as names come at the end. They refer to nothing.
      for (const object of [...objects.named]) objects.resolve(object);
      for (const object of objects.named) if (object.model === 'locations') objects.cutCircle(object);
      const others = [...given.counts.keys()].filter((kind) => !(NAMED as readonly string[]).includes(kind));
      // Licences come first, because assets may refer to the same users.
      for (const kind of others.toSorted((a, b) => Number(b === 'licenses') - Number(a === 'licenses')))
        for await (const raw of read(kind)) {
          const object = objects.addRow(raw);
          objects.resolve(object);
          await spool.add(object);
        }
    } finally {
      await given.remove();
    }
    for (const object of objects.named) {
      const { model, fields } = object;
      const [, type, name] = /^(license|accessory|consumable|component):(.*)$/s.exec(String(fields.name)) ?? [];
      if (model === 'categories' && type !== undefined) Object.assign(fields, { name, category_type: type });
      await spool.add(object);
    }
    await spool.complete();
    return objects;
  }

  get(model: string, pk: string): SourceObject | undefined {
    return this.byKey.get(`${model}:${pk}`);
  }

  /** The key of the user or asset at a position in the source. */
  holderAt(at: string): string | undefined {
    return this.holders.get(at);
  }

  /** The topmost ancestor of a place, which is a site. */
  rootOf(pk: string): string {
    const seen = new Set<string>();
    let place = pk;
    for (;;) {
      const parent = this.get('locations', place)?.fields.parent as string | undefined;
      if (parent === undefined || seen.has(place)) return place;
      seen.add(place);
      place = parent;
    }
  }

  /** Removes the parent of a place that would contain itself. */
  private cutCircle({ pk, fields }: SourceObject): void {
    const { parent } = fields;
    if (parent === undefined || this.rootOf(pk) !== pk) return;
    delete fields.parent;
    const changes = (fields._changes ??= []) as Raw['changes'];
    changes.push(['parent', `left out: locations ${parent} lies within it`]);
  }

  private add(model: string, wanted: string, fields: SourceObject['fields'], raw?: Raw): SourceObject {
    let pk = wanted;
    const first = `${model}:${wanted}`;
    // A duplicate entry is reported. It never overwrites the first one.
    for (let count = this.repeats.get(first) ?? 2; this.places.has(`${model}:${pk}`); count++) {
      pk = `${wanted}#${count}`;
      this.repeats.set(first, count + 1);
    }
    const object: SourceObject = { model, pk, fields };
    if (pk !== wanted && raw && !mayRepeat(raw.kind))
      fields._fault = `'${wanted}' stands twice: ${raw.at} and ${this.places.get(first)}`;
    if (raw) {
      fields._at = raw.at;
      if (raw.changes.length > 0) fields._changes = raw.changes;
      if (raw.seats) fields._seats = raw.seats;
      if (model === 'users' || model === 'assets') this.holders.set(raw.at, pk);
      if (Object.keys(raw.custom).length > 0) fields._custom = raw.custom;
    }
    this.places.set(`${model}:${pk}`, raw?.at ?? 'before');
    if (!(NAMED as readonly string[]).includes(model)) return object;
    this.byKey.set(`${model}:${pk}`, object);
    this.named.push(object);
    let keys = this.keys.get(model);
    if (!keys) this.keys.set(model, (keys = new Map()));
    if (!keys.has(lower(wanted))) keys.set(lower(wanted), pk);
    return object;
  }

  private addRow(raw: Raw): SourceObject {
    const { kind, fields } = raw;
    if (kind === 'users') return this.addUser(fields, raw);
    if (kind === 'models') return this.addModel({ ...fields }, raw);
    return this.add(kind, uniqueOf(raw), { ...fields }, raw);
  }

  private addUser(fields: Record<string, string>, raw?: Raw): SourceObject {
    const { username, email } = fields;
    const name = fullNameOf(fields);
    const object = this.add('users', username ?? email ?? name ?? raw?.at ?? '', { ...fields, name }, raw);
    const { pk } = object;
    if (object.fields._fault !== undefined) return object;
    if (email && !this.users.email.has(lower(email))) this.users.email.set(lower(email), pk);
    if (username && !this.users.username.has(lower(username))) this.users.username.set(lower(username), pk);
    if (name) this.users.name.set(lower(name), [...(this.users.name.get(lower(name)) ?? []), pk]);
    return object;
  }

  /** Several models may have one name. */
  private addModel(fields: Record<string, string>, raw?: Raw): SourceObject {
    const { name, model_number } = fields;
    const object = this.add('models', [name ?? raw?.at, model_number].filter(Boolean).join('/'), fields, raw);
    const keys = this.keys.get('models')!;
    if (name !== undefined && !keys.has(lower(name))) keys.set(lower(name), object.pk);
    return object;
  }

  private modelOf(name: string, number: string | undefined): string {
    const keys = this.keys.get('models');
    const exact = number === undefined ? undefined : keys?.get(lower(`${name}/${number}`));
    const named = keys?.get(lower(name));
    if (exact !== undefined) return exact;
    if (named !== undefined && (number === undefined || this.get('models', named)!.fields.model_number === undefined))
      return named;
    return this.addModel({ name, ...(number !== undefined && { model_number: number }) }).pk;
  }

  /** The key of a named object, which is created if it does not exist. */
  private keyOf(model: SnipeKind, name: string): string {
    return this.keys.get(model)?.get(lower(name)) ?? this.add(model, name, { name }).pk;
  }

  /** Keys in place of names. */
  private resolve(object: SourceObject): void {
    const { model, fields } = object;
    for (const [field, list] of [
      ['company', 'companies'],
      ['manufacturer', 'manufacturers'],
      ['supplier', 'suppliers'],
      ['location', 'locations'],
      ['rtd_location', 'locations'],
      ['parent', 'locations'],
      ['department', 'departments'],
    ] as const)
      if (typeof fields[field] === 'string' && isKept(model)) fields[field] = this.keyOf(list, fields[field]);
    if (model === 'users' || model === 'locations') this.resolveManager(object);
    if ((model === 'assets' || model === 'models') && fields.category)
      fields.category = this.keyOf('categories', fields.category);
    const type = model === 'licenses' ? 'license' : STOCK[model];
    if (type !== undefined && fields.category) fields.category = this.keyOf('categories', `${type}:${fields.category}`);
    if (model === 'assets') this.resolveAsset(object);
    if (model === 'licenses') this.resolveHolder(object);
  }

  private resolveManager({ fields }: SourceObject): void {
    const username: unknown = fields.manager_username;
    const found =
      (typeof username === 'string' ? this.users.username.get(lower(username)) : undefined) ??
      (typeof fields.manager === 'string' ? this.userOf(fields.manager) : undefined);
    delete fields.manager_username;
    if (found !== undefined) fields._manager = found;
    else if (fields.manager === undefined && username !== undefined) fields.manager = username;
  }

  private resolveAsset(object: SourceObject): void {
    const { fields } = object;
    if (fields.status_label) {
      const { label, meta } = labelOf(String(fields.status_label));
      fields.status_label = this.keyOf('statuslabels', label);
      const status = this.get('statuslabels', fields.status_label)!;
      if (meta !== undefined && meta !== 'deployed') status.fields.status_type ??= meta;
    }
    if (fields.model) {
      fields.model = this.modelOf(String(fields.model), fields.model_number as string | undefined);
      const model = this.get('models', fields.model)!.fields;
      for (const field of ['category', 'manufacturer', 'model_number'])
        if (model[field] && fields[field] === undefined) fields[field] = model[field];
    }
    this.resolveHolder(object);
  }

  /** The holder of an asset or a licence, or the place of an asset. */
  private resolveHolder({ model, fields }: SourceObject): void {
    const type = lower(String(fields.checkout_type ?? ''));
    const to = fields.assigned_to as string | undefined;
    const at = (fields.checkout_location ?? (type === 'location' ? (to ?? fields.full_name) : undefined)) as
      string | undefined;
    const given = {
      username: fields.username as string | undefined,
      email: fields.email as string | undefined,
      full_name: (fields.full_name ?? [fields.first_name, fields.last_name].filter(Boolean).join(' ')) as string,
    };
    const isNamed = Boolean(given.username ?? given.email ?? given.full_name);
    for (const field of [
      'checkout_type',
      'assigned_to',
      'checkout_location',
      'username',
      'email',
      'full_name',
      'first_name',
      'last_name',
    ])
      delete fields[field];
    if (type === 'location' || (at !== undefined && !isNamed && to === undefined)) {
      if (at !== undefined) fields.location = this.keyOf('locations', at);
      return;
    }
    if (type === 'asset') {
      if (to !== undefined) fields.checked_out_to = to;
      return;
    }
    if (isNamed) this.holdBy(fields, given);
    else if (to !== undefined) this.holdByText(model, fields, to);
  }

  private holdByText(model: string, fields: SourceObject['fields'], to: string): void {
    const [name, username] = withoutLastBrackets(to);
    const place = this.keys.get('locations')?.get(lower(to));
    const isUser = this.isUser(to) || (username !== undefined && this.isUser(username));
    if (!isUser && place !== undefined) fields.location = place;
    else if (
      !isUser &&
      model === 'assets' &&
      [to, name, username].some((text) => text && this.assetNames.has(lower(text)))
    )
      fields.checked_out_to = to;
    else if (to.includes('@')) this.holdBy(fields, { email: to });
    else if (username === undefined)
      this.holdBy(fields, this.users.username.has(lower(to)) ? { username: to } : { full_name: to });
    else this.holdBy(fields, { username, full_name: name });
  }

  private isUser(text: string): boolean {
    return [this.users.email, this.users.username, this.users.name].some((known) => known.has(lower(text)));
  }

  private userOf(name: string): string | undefined {
    const found = this.users.name.get(lower(name)) ?? [];
    return found.length === 1 ? found[0] : this.users.username.get(lower(name));
  }

  /** Looks up a user by email address, then user name, then full name. An unknown user is created. */
  private holdBy(
    fields: SourceObject['fields'],
    { email, username, full_name }: { email?: string; username?: string; full_name?: string },
  ): void {
    const byName = full_name ? (this.users.name.get(lower(full_name)) ?? []) : [];
    const known =
      (email && this.users.email.get(lower(email))) ||
      (username && this.users.username.get(lower(username))) ||
      (byName.length === 1 ? byName[0] : undefined);
    if (known) {
      fields._holder = known;
      return;
    }
    if (byName.length > 1 && !email && !username) {
      fields._ambiguous = full_name;
      return;
    }
    const user = Object.fromEntries(
      Object.entries({ email, username, full_name }).filter(([, value]) => value),
    ) as Record<string, string>;
    for (const field of ['employee_num', 'department', 'jobtitle', 'phone'] as const) {
      if (typeof fields[field] === 'string')
        user[field] = field === 'department' ? this.keyOf('departments', fields[field]) : fields[field];
      delete fields[field];
    }
    fields._holder = this.addUser(user).pk;
  }
}

/** The value of an entry that is unique in Snipe-IT. */
function uniqueOf({ kind, fields, at }: Raw): string {
  const { name = at } = fields;
  if (kind === 'assets') return fields.asset_tag ?? fields.serial ?? fields.name ?? fields.model ?? at;
  if (kind === 'licenses') return [name, fields.product_key].filter(Boolean).join('/');
  if (kind in STOCK) return [name, fields.item_no ?? fields.model_number ?? fields.serial].filter(Boolean).join('/');
  const type = kind === 'categories' ? lower(fields.category_type ?? 'asset') : 'asset';
  return type === 'asset' ? name : `${type}:${name}`;
}

const isKept = (model: string): boolean =>
  ['assets', 'licenses', 'users', 'locations', 'models', ...Object.keys(STOCK)].includes(model);

/** Lists of which several entries may have one name. */
const mayRepeat = (kind: string): boolean => kind === 'licenses' || kind in STOCK;

/** A label in a report has its kind behind it: `Ready to Deploy (Deployed)`. */
function labelOf(text: string): { label: string; meta?: string } {
  const kind = /\((deployed|deployable|pending|archived|undeployable)\)$/i.exec(text) ?? /\s(deployed)$/i.exec(text);
  const label = text.slice(0, kind?.index).trimEnd();
  return kind && label ? { label, meta: lower(kind[1]!) } : { label: text };
}

/** `Ada Lovelace (ada)` as the text before its last brackets, and what is in them. */
function withoutLastBrackets(text: string): [before: string, inside?: string] {
  const open = text.lastIndexOf('(');
  const inside = text.slice(open + 1, -1);
  const isBracketed = open >= 0 && text.endsWith(')') && inside !== '' && !inside.includes(')');
  return isBracketed ? [text.slice(0, open).trimEnd(), inside] : [text];
}
