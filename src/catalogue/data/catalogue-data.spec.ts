import {
  AUTOMATION_APIS,
  COMMERCIAL_STATUSES,
  DEVICE_ROLE_TIERS,
  deviceRoles,
  deviceTypes,
  manufacturers,
  platforms,
  REDUNDANCY_LEVELS,
} from './index.js';

/** Fields that are not prose and must fit a column of 255 characters. */
const ONE_LINE_FIELDS = new Set([
  'name',
  'slug',
  'website',
  'supportUrl',
  'supportEmail',
  'supportPhone',
  'nosFamily',
  'commercialStatus',
  'color',
  'tier',
  'redundancy',
  'model',
  'manufacturer',
  'partNumber',
  'sku',
  'slotLabel',
  'connectorType',
  'poeStandard',
  'typicalLocation',
]);
const PROSE_LIMIT = 600;

const lists = { manufacturers, platforms, deviceRoles, deviceTypes };

function duplicates(values: string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

/** Every string of an entry with the path to it, including arrays and modules. */
function strings(value: unknown, path: string, key = ''): { path: string; key: string; text: string }[] {
  if (typeof value === 'string') return [{ path, key, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => strings(item, `${path}[${index}]`, key));
  if (value !== null && typeof value === 'object') {
    return Object.entries(value).flatMap(([name, item]) => strings(item, `${path}.${name}`, name));
  }
  return [];
}

const allStrings = Object.entries(lists).flatMap(([list, entries]) =>
  entries.flatMap((entry) => strings(entry, `${list}/${entry.slug}`)),
);
const allModules = deviceTypes.flatMap((type) =>
  type.modules.map((module) => ({ path: `${type.slug}/${module.sku}`, module })),
);

describe('vendor catalogue', () => {
  it('has the expected number of entries', () => {
    expect(platforms.length).toBeGreaterThanOrEqual(45);
    expect(deviceRoles.length).toBeGreaterThanOrEqual(28);
    expect(deviceTypes.length).toBeGreaterThanOrEqual(34);
    expect(new Set(deviceTypes.map((type) => type.manufacturer)).size).toBeGreaterThanOrEqual(9);
  });

  it.each(Object.entries(lists))('%s: slugs and names are unique, slugs are lower-case ASCII', (_list, entries) => {
    const names = entries.map((entry) => ('name' in entry ? entry.name : `${entry.manufacturer} ${entry.model}`));
    expect(duplicates(names)).toEqual([]);
    expect(duplicates(entries.map((entry) => entry.slug))).toEqual([]);
    expect(entries.map((entry) => entry.slug).filter((slug) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug))).toEqual([]);
  });

  it('refers only to manufacturers that it contains', () => {
    const known = new Set(manufacturers.map((manufacturer) => manufacturer.slug));
    const references = [...platforms, ...deviceTypes].map((entry) => entry.manufacturer);
    expect(references.filter((slug) => slug !== undefined && !known.has(slug))).toEqual([]);
    expect(deviceTypes.filter((type) => !type.manufacturer)).toEqual([]);
  });

  it('covers every tier, and no other', () => {
    const tiers = new Set(deviceRoles.map((role) => role.tier));
    expect(tiers).toEqual(new Set(DEVICE_ROLE_TIERS));
    expect(DEVICE_ROLE_TIERS).toHaveLength(21);
  });

  it('uses only permitted values', () => {
    const wrong: string[] = [];
    const check = (slug: string, permitted: readonly string[], value: string | undefined): void => {
      if (value !== undefined && !permitted.includes(value)) wrong.push(`${slug}: ${value}`);
    };
    for (const platform of platforms) {
      check(platform.slug, COMMERCIAL_STATUSES, platform.commercialStatus);
      for (const api of platform.automationApis ?? []) check(platform.slug, AUTOMATION_APIS, api);
    }
    for (const role of deviceRoles) {
      check(role.slug, REDUNDANCY_LEVELS, role.redundancy);
      if (role.color !== undefined && !/^#[0-9A-F]{6}$/.test(role.color)) wrong.push(`${role.slug}: ${role.color}`);
    }
    expect(wrong).toEqual([]);
  });

  it('has no blank or untrimmed text, and one-line fields fit', () => {
    expect(allStrings.filter(({ text }) => text.trim() === '' || text !== text.trim())).toEqual([]);
    expect(allStrings.filter(({ text }) => /[\r\n\t]/.test(text) || text.includes('\0'))).toEqual([]);
    expect(allStrings.filter(({ key, text }) => ONE_LINE_FIELDS.has(key) && text.length > 255)).toEqual([]);
    expect(allStrings.filter(({ text }) => text.length > PROSE_LIMIT)).toEqual([]);
  });

  it('has no empty or repeating lists', () => {
    const listsOfText = [
      ...platforms.map((platform) => platform.automationApis),
      ...deviceRoles.map((role) => role.complianceBaselines),
      ...allModules.map(({ module }) => module.speeds),
    ].filter((list) => list !== undefined);
    expect(listsOfText.filter((list) => list.length === 0 || duplicates(list).length > 0)).toEqual([]);
  });

  it('has absolute https addresses, plausible mail addresses and phone numbers', () => {
    const addresses = manufacturers.flatMap((entry) => [entry.website, entry.supportUrl]).filter((url) => url);
    expect(addresses.filter((url) => new URL(url!).protocol !== 'https:')).toEqual([]);
    const mails = manufacturers.map((entry) => entry.supportEmail).filter((mail) => mail !== undefined);
    expect(mails.filter((mail) => !/^[^@\s]+@[^@\s]+\.[a-z]+$/.test(mail))).toEqual([]);
    const phones = manufacturers.map((entry) => entry.supportPhone).filter((phone) => phone !== undefined);
    expect(phones.filter((phone) => !/^\+[0-9 ]{7,20}$/.test(phone))).toEqual([]);
  });

  it('gives every device type modules with unique stock numbers, in order', () => {
    expect(deviceTypes.filter((type) => type.modules.length === 0)).toEqual([]);
    for (const type of deviceTypes) {
      expect({ type: type.slug, twice: duplicates(type.modules.map((module) => module.sku)) }).toEqual({
        type: type.slug,
        twice: [],
      });
      const order = type.modules.map((module) => module.sortOrder!);
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      expect(new Set(order).size).toBe(order.length);
    }
  });

  it('calls one stock number by one name and one set of ports, wherever it is used', () => {
    const facts = new Map<string, Set<string>>();
    for (const { module } of allModules) {
      const { name, connectorType, speeds, portCount, poeStandard, poeWatts } = module;
      const fact = JSON.stringify({ name, connectorType, speeds, portCount, poeStandard, poeWatts });
      facts.set(module.sku, (facts.get(module.sku) ?? new Set()).add(fact));
    }
    expect([...facts].filter(([, variants]) => variants.size > 1)).toEqual([]);
  });

  it('has heights in half units and sensible numbers', () => {
    const heights = deviceTypes.flatMap((type) => (type.uHeight === undefined ? [] : [type.uHeight]));
    expect(heights.filter((height) => height <= 0 || height > 50 || !Number.isInteger(height * 2))).toEqual([]);
    const wrong = allModules.filter(({ module }) => {
      const { portCount, poeWatts, poeStandard, speeds } = module;
      return (
        (portCount !== undefined && (!Number.isInteger(portCount) || portCount < 1)) ||
        (poeWatts !== undefined && (!Number.isInteger(poeWatts) || poeWatts < 1 || poeWatts > 100)) ||
        (poeWatts !== undefined && poeStandard === undefined) ||
        (speeds ?? []).some((speed) => !/^(1|2\.5|5|10|25|40|50|100|200|400|800)G$/.test(speed))
      );
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('marks some entries as popular, not most', () => {
    for (const list of [platforms, deviceRoles]) {
      const popular = list.filter((entry) => entry.popular).length;
      expect(popular).toBeGreaterThan(5);
      expect(popular).toBeLessThan(list.length / 2);
    }
  });
});
