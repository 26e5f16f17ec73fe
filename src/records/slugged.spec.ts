import { slugOf } from './slugged.service.js';

describe('slugOf', () => {
  it.each([
    ['Cisco NX-OS', 'cisco-nx-os'],
    ['  Junos  Evolved ', 'junos-evolved'],
    ['Zürich / Köln', 'zuerich-koeln'],
    ['SONiC', 'sonic'],
    ['a__b', 'a-b'],
    ['100G QSFP28', '100g-qsfp28'],
  ])('of %p is %p', (name, slug) => expect(slugOf(name, 'platforms')).toBe(slug));

  it.each(['日本語', '!!!', '🙂'])('of %p, which has nothing to write in ASCII, is the fallback', (name) =>
    expect(slugOf(name, 'platforms')).toBe('platforms'),
  );

  it('is lower-case ASCII with hyphens and no longer than a line, for whatever name', () => {
    for (const name of [
      'a'.repeat(255),
      `${'ab '.repeat(85)}`,
      'İstanbul',
      'ﬀ ligature',
      'Ærø & Søn',
      '-- --x-- --',
      'ß'.repeat(255),
    ]) {
      const slug = slugOf(name, 'sites');
      expect(slug).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
      expect(slug.length).toBeLessThanOrEqual(255);
    }
  });
});
