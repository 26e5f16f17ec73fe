import { defanged, sentenceOf } from './text-message.js';

const change = { actor: 'ada@example.com', action: 'update', kind: 'device', name: 'core-1' };

it('says who did what to which record, from what to what, with a link', () => {
  const fields = [
    { label: 'status', from: 'planned', to: 'active' },
    { label: 'site', from: 'Amsterdam 1', to: 'nothing' },
  ];
  const link = 'https://inventory.example.com/api/devices/1';
  expect(sentenceOf({ ...change, fields, link })).toBe(
    'ada@example.com changed device core-1: status from planned to active, site from Amsterdam 1 to nothing. https://inventory.example.com/api/devices/1',
  );
  expect(sentenceOf({ ...change, action: 'delete', fields: [] })).toBe('ada@example.com deleted device core-1.');
  expect(sentenceOf({ ...change, action: 'create', kind: 'IP address', name: '10.0.0.1', fields: [] })).toBe(
    'ada@example.com created IP address 10.0.0.1.',
  );
});

it('says what a cable joins', () => {
  const cable = { ...change, kind: 'cable', between: ['leaf-01 Ethernet1', 'server-01 eth0'], fields: [] } as const;
  expect(sentenceOf({ ...cable, action: 'create', name: 'C-0001' })).toBe(
    'ada@example.com created cable C-0001 between leaf-01 Ethernet1 and server-01 eth0.',
  );
  expect(sentenceOf({ ...cable, action: 'delete', name: undefined })).toBe(
    'ada@example.com deleted a cable between leaf-01 Ethernet1 and server-01 eth0.',
  );
});

it.each([
  ['<!channel> & <@U123>', '‹!channel› ＆ ‹＠U123›'],
  ['@everyone @here', '＠everyone ＠here'],
  ['*bold* _italic_ ~gone~ `code`', '∗bold∗ ＿italic＿ ∼gone∼ ˋcodeˋ'],
  ['[click](https://evil.example)', '［click］(https∶//evil․example)'],
  ['evil.example.com and 10.0.0.1/24', 'evil․example․com and 10.0.0.1/24'],
  [':rotating_light: in_stock', '∶rotating_light: in_stock'],
  ['two\nlines\r\u2028and\ttabs', 'two lines and tabs'],
  ['\u202Ebackwards\u200B', 'backwards'],
  ['# heading | cell', '＃ heading ∣ cell'],
])('makes plain text of %j', (text, plain) => expect(defanged(text)).toBe(plain));

it('has at most 300 characters and no line break, whatever the names are', () => {
  const long = '😀\n<@here>'.repeat(100);
  const fields = Array.from({ length: 40 }, (_, index) => ({ label: `field ${index}`, from: long, to: long }));
  const link = `https://inventory.example.com/api/devices/${'8'.repeat(36)}`;
  for (const sentence of [
    sentenceOf({ actor: long, action: 'update', kind: 'device', name: long, fields, link }),
    sentenceOf({ ...change, name: long, fields: fields.slice(0, 1) }),
    sentenceOf({ ...change, name: long, fields: [], link: `https://example.com/${'a'.repeat(400)}` }),
    sentenceOf({ ...change, fields: fields.map((field) => ({ ...field, from: 'a', to: 'b' })) }),
  ]) {
    expect([...sentence].length).toBeLessThanOrEqual(300);
    expect(sentence).not.toMatch(/[\n\r]|@here|</);
  }
  const many = fields.map((field) => ({ ...field, from: 'a', to: 'b' }));
  expect(sentenceOf({ ...change, fields: many })).toMatch(/field 0 from a to b, .*, \d+ more\.$/);
});
