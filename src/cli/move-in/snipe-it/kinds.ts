import { camelCase, type Known, type Mapping } from '../mapping.js';
import { LeftOut, type Kind, type Row, type SourceObject } from '../model.js';
import { textOf } from '../shapes.js';
import type { SnipeObjects } from './objects.js';
import { STOCK, type RawSeat } from './raw.js';
import { heldStatusOf, statusOf } from './status.js';

/** A list of Snipe-IT: the properties of its records, each from a field or by a few lines of code. */
export interface SnipeItKind extends Kind {
  /** The properties of the record. @throws LeftOut */
  row: (object: Mapping, objects: SnipeObjects) => Row;
}

const notes = (object: Mapping): string | null => object.text('notes');

/** A date of a field that has no counterpart here. */
function addDate(object: Mapping, field: string): void {
  const value = object.text(field);
  if (value !== null) object.custom.push({ key: camelCase(field), type: 'date', value });
}

/** A flag of a field that has no counterpart here. An unset flag is not a value. */
function addFlag(object: Mapping, field: string): void {
  if (object.text(field) === 'true') object.custom.push({ key: camelCase(field), type: 'boolean', value: true });
}

/** The lines of an address. */
function addressOf(object: Mapping): string | null {
  const lines = [
    object.line('address'),
    object.line('address2'),
    [object.line('zip'), object.line('city'), object.line('state')].filter(Boolean).join(' ') || null,
    object.line('country'),
  ].filter((line) => line !== null);
  return lines.length > 0 ? lines.join('\n') : null;
}

function addAddress(object: Mapping): void {
  const address = addressOf(object);
  if (address !== null) object.custom.push({ key: 'address', type: 'text', value: address });
}

/** Site and location of what is at a place. */
function placeOf(
  object: Mapping,
  objects: SnipeObjects,
  field: string,
): { siteId: string | null; locationId: string | null } {
  const place = object.text(field);
  if (place === null) return { siteId: null, locationId: null };
  const root = objects.rootOf(place);
  return {
    siteId: object.referenceTo(field, 'locations', root),
    locationId: place === root ? null : object.referenceTo(field, 'locations', place),
  };
}

/** The manager, as a reference if known, otherwise by name. */
function addManager(object: Mapping): void {
  const manager = object.text('manager');
  const key = object.text('_manager');
  if (key === object.object.pk) return object.changed('manager', 'left out: it is the user itself');
  const id = key === null ? null : object.referenceTo('manager', 'users', key);
  if (id !== null) object.custom.push({ key: 'manager', type: 'reference', target: 'people', value: id });
  else if (manager !== null && key === null) object.changed('manager', `left out: '${manager}' is no user`);
}

const company: SnipeItKind = {
  model: 'companies',
  resource: 'tenant-groups',
  required: ['name'],
  row: (object) => ({ name: object.line('name'), description: notes(object) }),
};

const manufacturer: SnipeItKind = {
  model: 'manufacturers',
  resource: 'manufacturers',
  required: ['name'],
  row: (object) => ({
    name: object.line('name'),
    website: object.line('url'),
    supportUrl: object.line('support_url'),
    supportEmail: object.line('support_email'),
    supportPhone: object.line('support_phone'),
    description: notes(object),
  }),
};

const supplier: SnipeItKind = {
  model: 'suppliers',
  resource: 'vendors',
  required: ['name'],
  row: (object) => {
    addAddress(object);
    return {
      name: object.line('name'),
      accountManager: object.line('contact'),
      email: object.line('email'),
      phone: object.line('phone'),
      website: object.line('url'),
      description: notes(object),
    };
  },
};

/** Categories of licences and others are texts of theirs. */
const category: SnipeItKind = {
  model: 'categories',
  resource: 'asset-categories',
  takes: ({ fields }: SourceObject) => String(fields.category_type ?? 'asset').toLowerCase() === 'asset',
  required: ['name'],
  row: (object) => {
    object.value('category_type');
    return { name: object.line('name'), description: notes(object) };
  },
};

/** A place without a parent is a site. A place with a parent is a location of its site. */
const site: SnipeItKind = {
  model: 'locations',
  resource: 'sites',
  takes: ({ fields }) => fields.parent === undefined,
  required: ['name'],
  row: (object) => {
    object.add('company', 'companies');
    // Users refer to places. Therefore a place has its manager as a name, not as a reference.
    object.value('_manager');
    return { name: object.line('name'), physicalAddress: addressOf(object), description: notes(object) };
  },
};

const location: SnipeItKind = {
  model: 'locations',
  resource: 'locations',
  takes: ({ fields }) => fields.parent !== undefined,
  after: ['parent'],
  required: ['name'],
  row: (object, objects) => {
    const parent = object.text('parent')!;
    const root = objects.rootOf(object.object.pk);
    object.add('company', 'companies');
    object.value('_manager');
    addAddress(object);
    return {
      name: object.line('name'),
      siteId: object.referenceTo('parent', 'locations', root),
      parentId: parent === root ? null : object.referenceTo('parent', 'locations', parent),
      description: notes(object),
    };
  },
};

const user: SnipeItKind = {
  model: 'users',
  resource: 'people',
  after: ['_manager'],
  required: ['fullName'],
  row: (object, objects) => {
    for (const field of ['first_name', 'last_name', 'full_name']) object.value(field);
    const name = object.line('name');
    if (name === null) object.changed('name', `it has no name, and is called ${object.object.pk}`);
    object.add('company', 'companies');
    addManager(object);
    addAddress(object);
    addDate(object, 'end_date');
    for (const field of ['remote', 'vip']) addFlag(object, field);
    const { siteId, locationId } = placeOf(object, objects, 'location');
    if (locationId !== null)
      object.custom.push({ key: 'location', type: 'reference', target: 'locations', value: locationId });
    return {
      fullName: name ?? object.object.pk,
      email: object.line('email'),
      phone: object.line('phone'),
      jobTitle: object.line('jobtitle'),
      department: object.name('department', 'departments'),
      employeeId: object.line('employee_num'),
      siteId,
      startDate: object.text('start_date'),
      notes: notes(object),
    };
  },
};

/** With two digits after the point, as prices are. */
function priceOf(object: Mapping): string | null {
  const price = object.text('purchase_cost');
  if (price === null) return null;
  const [whole = '0', fraction = ''] = price.split('.');
  if (!/^0*$/.test(fraction.slice(2)))
    object.changed('purchase_cost', `${price} was rounded to ${Number(price).toFixed(2)}`);
  return fraction.length > 2 ? Number(price).toFixed(2) : `${whole}.${fraction.padEnd(2, '0')}`;
}

/** Only categories of assets are records. */
function addCategory(object: Mapping): void {
  const group = object.text('category');
  if (group === null) return;
  const uses: string[] = [];
  const value = object.use('categories', group, 'category', uses);
  if (value !== null) object.custom.push({ key: 'category', type: 'text', value, uses });
}

/** The seats of a licence that have holders. A row of a file has at most one. */
export function seatsOf({ fields }: SourceObject): readonly RawSeat[] {
  const holder = textOf(fields._holder);
  if (fields._seats !== undefined) return fields._seats as RawSeat[];
  return holder === undefined ? [] : [{ model: 'users', pk: holder, name: holder }];
}

const licence: SnipeItKind = {
  model: 'licenses',
  resource: 'software-licences',
  required: ['name'],
  row: (object) => {
    const [seats, free] = [object.number('seats'), object.number('free_seats_count')];
    const key = object.line('product_key');
    const isHidden = key !== null && /^-+$/.test(key);
    if (isHidden) object.changed('product_key', 'left out: the source does not show it');
    const cost = object.text('purchase_cost');
    object.add('company', 'companies');
    object.add('manufacturer', 'manufacturers');
    addCategory(object);
    for (const field of ['purchase_date', 'termination_date']) addDate(object, field);
    for (const field of ['maintained', 'reassignable']) addFlag(object, field);
    // The assignments are written at the end.
    for (const field of ['_holder', '_seats']) object.value(field);
    const used = seats === null || free === null ? null : Math.max(seats - free, 0);
    const known = seatsOf(object.object);
    const ambiguous = object.text('_ambiguous');
    if (ambiguous !== null) object.changed('assigned_to', `left out: several users are called '${ambiguous}'`);
    if (used !== null && used > known.length)
      object.changed(
        'seats',
        `left out: the source does not say who has ${used - known.length} of ${used} seats in use`,
      );
    return {
      name: object.line('name'),
      licenceKey: isHidden ? null : key,
      seats,
      // The service counts those that have holders.
      ...(known.length === 0 && { assignedSeats: used }),
      vendorId: object.reference('supplier', 'suppliers'),
      expiryDate: object.text('expiration_date'),
      cost,
      notes: notes(object),
    };
  },
};

/** The status of an asset by its label, and by whether somebody holds it. */
export function statusOfAsset({ fields }: SourceObject, objects: SnipeObjects): string {
  const label = textOf(fields.status_label);
  const status =
    label === undefined ? 'in_stock' : statusOf(label, objects.get('statuslabels', label)?.fields.status_type);
  return textOf(fields._holder) === undefined ? status : heldStatusOf(status);
}

const asset: SnipeItKind = {
  model: 'assets',
  resource: 'assets',
  required: ['name'],
  row: (object, objects) => {
    if (object.text('deleted_at') !== null) throw new LeftOut('it is deleted at the source');
    const modelName = object.text('model') === null ? undefined : object.known.nameOf('models', object.text('model')!);
    const own = object.line('name');
    const tag = object.line('asset_tag');
    const name = own ?? modelName ?? tag ?? object.line('serial');
    if (own === null && name !== null) object.changed('name', `it has no name, and is called ${name}`);
    object.add('model', 'models');
    object.add('company', 'companies');
    object.add('supplier', 'suppliers');
    for (const field of [
      'asset_eol_date',
      'expected_checkin',
      'next_audit_date',
      'last_checkout',
      'last_checkin',
      'last_audit_date',
    ])
      addDate(object, field);
    for (const field of ['requestable', 'byod']) addFlag(object, field);
    const label = object.text('status_label');
    // Handed out in the end.
    object.value('_holder');
    const ambiguous = object.text('_ambiguous');
    if (ambiguous !== null) object.changed('assigned_to', `left out: several users are called '${ambiguous}'`);
    if (label !== null) object.use('statuslabels', label, 'status_label');
    const bought = object.text('purchase_date');
    const usual = object.text('rtd_location');
    if (usual !== null && object.object.fields.location !== undefined && usual !== object.object.fields.location)
      object.custom.push({ key: 'defaultLocation', type: 'text', value: usual });
    return {
      name,
      assetTag: tag,
      serialNumber: object.line('serial'),
      status: statusOfAsset(object.object, objects),
      categoryId: object.reference('category', 'categories'),
      manufacturerId: object.reference('manufacturer', 'manufacturers'),
      ...placeOf(object, objects, object.object.fields.location === undefined ? 'rtd_location' : 'location'),
      purchasedAt: bought,
      warrantyUntil: warrantyOf(object, bought),
      purchasePrice: priceOf(object),
      notes: notes(object),
    };
  },
};

/** The date that many months later. The day is limited to the last day of that month. */
function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))).toISOString().slice(0, 10);
}

/** The end of the warranty. Snipe-IT may only have the number of months. */
function warrantyOf(object: Mapping, bought: string | null): string | null {
  const until = object.text('warranty_expires');
  const months = Number.parseInt(object.text('warranty_months') ?? '', 10);
  if (until !== null) return until;
  if (!(months > 0)) return null;
  if (bought !== null) return addMonths(bought, months);
  object.custom.push({ key: 'warrantyMonths', type: 'text', value: String(months) });
  return null;
}

/** The number of units of an entry that are in stock, not handed out. Null if the source does not have it. */
export function remainingOf({ fields }: SourceObject): number | null {
  const [left, total, out] = [fields.remaining_qty, fields.qty, fields.checked_out].map((text) =>
    text === undefined || text === '' ? undefined : Number(text),
  );
  const remaining = left ?? (total === undefined ? undefined : total - (out ?? 0));
  return remaining !== undefined && Number.isInteger(remaining) ? Math.max(remaining, 0) : null;
}

/** An item that is counted by quantity. Its units are counted at the end. */
const stock = (model: string): SnipeItKind => ({
  model,
  resource: 'stock-items',
  required: ['name'],
  row: (object, objects) => {
    const total = object.number('qty');
    for (const field of ['remaining_qty', 'checked_out']) object.number(field);
    const remaining = remainingOf(object.object);
    if (remaining === null && object.text('qty') !== null) object.changed('qty', 'left out: it is no whole number');
    if (total !== null && remaining !== null && remaining < total)
      object.changed('checked_out', `left out: ${total - remaining} of ${total} are handed out`);
    object.add('company', 'companies');
    object.add('supplier', 'suppliers');
    addCategory(object);
    addDate(object, 'purchase_date');
    placeOf(object, objects, 'location');
    return {
      name: object.line('name'),
      sku: object.line(object.object.fields.item_no === undefined ? 'model_number' : 'item_no'),
      manufacturerId: object.reference('manufacturer', 'manufacturers'),
      minimum: object.number('min_amt'),
      notes: notes(object),
    };
  },
});

/** Where the units of an entry are. */
export function placeOfStock({ fields }: SourceObject, objects: SnipeObjects, known: Known): Row {
  const place = textOf(fields.location);
  if (place === undefined) return {};
  const root = objects.rootOf(place);
  const idOf = (pk: string): string | null => (known.has('locations', pk) ? known.ids.of('locations', pk) : null);
  return { siteId: idOf(root), locationId: place === root ? null : idOf(place) };
}

/** All lists that have a home, in the order in which records refer to each other. */
export const KINDS: readonly SnipeItKind[] = [
  company,
  manufacturer,
  supplier,
  category,
  site,
  location,
  user,
  licence,
  asset,
  ...Object.keys(STOCK).map(stock),
];

/** Lists whose entries are only values of others. */
export const VALUES: ReadonlySet<string> = new Set(['categories', 'departments', 'models', 'statuslabels']);

/** Why a list has no home here. */
export const REASONS: Readonly<Record<string, string>> = {
  maintenances: 'there is no maintenance of assets',
};
