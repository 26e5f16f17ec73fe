import type { SnipeKind } from './raw.js';

/** Columns without information about the estate: counts, computed values and Snipe-IT's own keys. */
const IGNORED: ReadonlySet<string> = new Set([
  'id',
  'image',
  'device image',
  'avatar',
  'gravatar',
  'age',
  'book value',
  'current value',
  'diff',
  'fully depreciated',
  'checkouts',
  'checkins',
  'requests',
  'created by',
  'created at',
  'updated at',
  'actions',
  'change',
  'in/out',
  'checkin',
  'checkin/checkout',
  'checkout',
  'assets',
  'licenses',
  'accessories',
  'consumables',
  'components',
  'users',
  'people',
  'items',
  'managed users',
  'managed locations',
  'assigned assets',
  'assigned accessories',
  'current location',
  'remaining',
  'groups',
  'ldap enabled',
  '2fa device enrolled',
  '2fa active',
  'login enabled',
  'activated',
  'auto-assign licenses',
  'last login',
  'language',
  'permissions',
  'show in side nav',
  'default label',
  'chart color',
  'url',
  'eula',
  'acceptance',
  'qty',
]);

/** Names of columns of exports, reports and templates, by Snipe-IT's names of fields. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  name: ['name', 'asset name', 'item name', 'company name', 'location name', 'supplier name', 'model name'],
  asset_tag: ['asset tag', 'tag'],
  serial: ['serial', 'serial number', 'serial no.', 'serial no'],
  model: ['model', 'model name', 'asset model'],
  model_number: ['model no.', 'model no', 'model number', 'model num.', 'model num'],
  category: ['category', 'asset category', 'accessory category', 'consumable category', 'component category'],
  category_type: ['category type', 'type'],
  manufacturer: ['manufacturer'],
  company: ['company'],
  supplier: ['supplier'],
  location: ['location', 'current location'],
  rtd_location: ['default location'],
  status_label: ['status', 'status label', 'status name'],
  status_type: ['status type'],
  purchase_date: ['purchase date', 'purchased', 'date purchased'],
  purchase_cost: ['purchase cost', 'purchase price', 'cost'],
  order_number: ['order number', 'order no.'],
  warranty_months: ['warranty', 'warranty months'],
  warranty_expires: ['warranty expires', 'warranty expiration', 'warranty expiration date'],
  eol: ['eol', 'eol rate', 'eol months'],
  asset_eol_date: ['eol date', 'asset eol date'],
  expected_checkin: ['expected checkin', 'expected checkin date'],
  last_checkout: ['checkout date', 'last checkout', 'last checkout date'],
  last_checkin: ['last checkin', 'last checkin date'],
  last_audit_date: ['last audit', 'last audit date'],
  next_audit_date: ['next audit', 'next audit date'],
  deleted_at: ['deleted', 'deleted at'],
  requestable: ['requestable'],
  byod: ['byod'],
  notes: ['notes', 'asset notes', 'note'],
  model_notes: ['model notes'],
  assigned_to: ['checked out to', 'assigned to', 'checkout to'],
  checkout_type: ['checkout type', 'checkout class', 'type'],
  checkout_location: ['checked out to: location', 'checkout location'],
  username: ['username', 'user name', 'checked out to: username'],
  email: ['email', 'e-mail', 'email address', 'checked out to: email'],
  full_name: ['full name', 'fullname', 'checked out to: full name'],
  first_name: ['first name', 'checked out to: first name'],
  last_name: ['last name', 'lastname', 'checked out to: last name'],
  // Of users
  jobtitle: ['title', 'job title'],
  phone: ['phone', 'phone number', 'telephone', 'telephone number'],
  employee_num: ['employee number', 'employee no.', 'employee num'],
  department: ['department'],
  manager: ['manager', 'managed by', 'manager name', 'manager full name'],
  manager_username: ['manager username'],
  start_date: ['start date'],
  end_date: ['end date'],
  remote: ['remote'],
  vip: ['vip', 'vip user'],
  website: ['website'],
  // Of places
  parent: ['parent', 'parent location'],
  address: ['address'],
  address2: ['address2', 'address 2', 'address line 2'],
  city: ['city'],
  state: ['state'],
  country: ['country'],
  zip: ['zip', 'zip code', 'postal code', 'post code'],
  currency: ['currency'],
  fax: ['fax'],
  ldap_ou: ['ldap ou', 'ldap search ou', 'ou'],
  // Of licences
  // Its importer calls the key a serial number.
  product_key: ['product key', 'license key', 'key', 'serial number', 'serial'],
  expiration_date: ['expiration date', 'expiration', 'expires'],
  termination_date: ['termination date'],
  license_name: ['licensed to name'],
  license_email: ['licensed to email'],
  seats: ['seats', 'total'],
  free_seats_count: ['avail', 'remaining seats', 'remaining'],
  min_amt: ['min qty', 'min. qty', 'min amount', 'minimum quantity', 'minimum amount', 'min quantity'],
  purchase_order: ['purchase order', 'purchase order number'],
  maintained: ['maintained'],
  reassignable: ['reassignable'],
  // Of items that are counted by quantity
  item_no: ['item number', 'item no.', 'item no'],
  qty: ['total', 'qty', 'quantity'],
  remaining_qty: ['avail', 'remaining'],
  checked_out: ['checked out'],
  // Of manufacturers and suppliers
  url: ['url', 'website'],
  support_url: ['support url'],
  support_phone: ['support phone'],
  support_email: ['support email'],
  warranty_lookup_url: ['warranty lookup url'],
  contact: ['contact name', 'contact'],
  fieldset: ['fieldset'],
};

const OF_STOCK = [
  ...[
    'name',
    'category',
    'company',
    'manufacturer',
    'supplier',
    'location',
    'item_no',
    'model_number',
    'serial',
    'qty',
  ],
  ...['remaining_qty', 'checked_out', 'min_amt', 'order_number', 'purchase_date', 'purchase_cost', 'notes'],
] as const;

/** The field of a list for a column, by the first name that fits. Unknown columns are fields of the installation. */
const FIELDS: Partial<Record<SnipeKind, readonly string[]>> = {
  assets: [
    ...['model', 'name', 'asset_tag', 'serial', 'model_number', 'category', 'manufacturer', 'company', 'supplier'],
    ...[
      'location',
      'rtd_location',
      'status_label',
      'purchase_date',
      'purchase_cost',
      'order_number',
      'warranty_months',
    ],
    ...[
      'warranty_expires',
      'eol',
      'asset_eol_date',
      'expected_checkin',
      'next_audit_date',
      'requestable',
      'byod',
      'notes',
    ],
    ...['last_checkout', 'last_checkin', 'last_audit_date', 'deleted_at'],
    ...['model_notes', 'assigned_to', 'checkout_type', 'checkout_location', 'username', 'email', 'full_name'],
    ...['first_name', 'last_name', 'employee_num', 'department', 'manager', 'jobtitle', 'phone'],
  ],
  licenses: [
    ...[
      'name',
      'product_key',
      'expiration_date',
      'license_name',
      'license_email',
      'category',
      'supplier',
      'manufacturer',
    ],
    ...['company', 'seats', 'free_seats_count', 'min_amt', 'purchase_date', 'termination_date', 'purchase_cost'],
    ...['purchase_order', 'order_number', 'maintained', 'reassignable', 'notes', 'username', 'email', 'full_name'],
    ...['first_name', 'last_name'],
  ],
  users: [
    ...['name', 'first_name', 'last_name', 'full_name', 'username', 'email', 'jobtitle', 'phone', 'employee_num'],
    ...[
      'department',
      'location',
      'company',
      'manager',
      'manager_username',
      'notes',
      'start_date',
      'end_date',
      'remote',
    ],
    ...['vip', 'website', 'address', 'city', 'state', 'country', 'zip'],
  ],
  locations: [
    ...[
      'name',
      'parent',
      'address',
      'address2',
      'city',
      'state',
      'country',
      'zip',
      'currency',
      'phone',
      'fax',
      'ldap_ou',
    ],
    ...['manager', 'manager_username', 'company', 'notes'],
  ],
  models: [
    ...['name', 'manufacturer', 'model_number', 'category', 'eol', 'fieldset', 'requestable', 'notes', 'model_notes'],
    'min_amt',
  ],
  companies: ['name', 'phone', 'fax', 'email', 'notes'],
  manufacturers: ['name', 'url', 'support_url', 'support_phone', 'support_email', 'warranty_lookup_url', 'notes'],
  categories: ['name', 'category_type', 'notes'],
  suppliers: [
    ...['name', 'contact', 'email', 'phone', 'fax', 'url', 'address', 'address2', 'city', 'state', 'country', 'zip'],
    'notes',
  ],
  statuslabels: ['name', 'status_type', 'notes'],
  accessories: OF_STOCK,
  consumables: OF_STOCK,
  components: OF_STOCK,
};

const normal = (header: string): string => header.normalize('NFKC').trim().toLowerCase().replaceAll(/\s+/g, ' ');

/** Which field the columns of a file hold, by position: null for what is not read, undefined for a field of the installation. */
export function fieldsOf(kind: SnipeKind, header: readonly string[]): (string | null | undefined)[] {
  const known = FIELDS[kind] ?? ['name'];
  const names = header.map(normal);
  return names.map((name) => {
    // `Model` is the number where `Model Name` is the name.
    if (name === 'model' && names.includes('model name')) return 'model_number';
    const field = known.find((candidate) => ALIASES[candidate]!.includes(name));
    if (field !== undefined) return field;
    return name === '' || FIELDS[kind] === undefined || IGNORED.has(name) ? null : undefined;
  });
}

/** The list to which the columns of a file belong; undefined if there is none. */
export function kindOf(header: readonly string[], file: string): SnipeKind | undefined {
  const names = new Set(header.map(normal));
  const has = (...any: string[]): boolean => any.some((name) => names.has(name));
  if (has('asset maintenance type', 'maintenance type')) return 'maintenances';
  if (has('product key', 'licensed to name', 'licensed to email', 'seats', 'license key', 'reassignable'))
    return 'licenses';
  if (has('asset tag')) return 'assets';
  if (has('qty', 'quantity', 'total', 'min. qty', 'min amount')) {
    if (has('accessory category', 'avail', 'checked out')) return 'accessories';
    if (has('item number', 'item no.')) return 'consumables';
    if (has('serial', 'serial number')) return 'components';
    if (/consum/i.test(file)) return 'consumables';
    if (/compon/i.test(file)) return 'components';
    if (has('name', 'item name')) return 'accessories';
  }
  if (has('fieldset', 'eol rate') || (has('eol') && has('category'))) return 'models';
  if (has('model', 'model name') && has('status', 'serial', 'serial number', 'warranty', 'checkout type'))
    return 'assets';
  if (has('username') && !has('item name')) return 'users';
  if (has('status type', 'chart color', 'show in side nav')) return 'statuslabels';
  if (has('support url', 'support phone', 'support email', 'warranty lookup url')) return 'manufacturers';
  if (has('contact name', 'supplier name')) return 'suppliers';
  if (has('category type', 'eula', 'acceptance')) return 'categories';
  if (has('company name')) return 'companies';
  if (has('location name', 'parent', 'parent location', 'ldap ou', 'ldap search ou', 'manager username', 'currency'))
    return 'locations';
  if (has('name') && has('address', 'city', 'zip', 'postal code')) return 'locations';
  if (has('name') && has('users', 'assets') && has('licenses', 'components')) return 'companies';
  if (has('email') && has('first name', 'last name', 'full name')) return 'users';
  return undefined;
}
