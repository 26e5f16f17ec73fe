import { ansibleHostNameOf, hostNameOf } from './host-name.js';

const of63 = 'a'.repeat(63);

describe('a host name', () => {
  it.each([
    ['sw-01', 'sw-01'],
    ['SW-01.Example.NET', 'SW-01.Example.NET'],
    ['sw-01.example.net.', 'sw-01.example.net'],
    ['7', '7'],
    ['10.0.0.1', '10.0.0.1'],
    [of63, of63],
    [`${`${of63}.`.repeat(3)}${'a'.repeat(61)}`, `${`${of63}.`.repeat(3)}${'a'.repeat(61)}`],
    [`${`${of63}.`.repeat(3)}${'a'.repeat(61)}.`, `${`${of63}.`.repeat(3)}${'a'.repeat(61)}`],
    [`${`${of63}.`.repeat(3)}${'a'.repeat(62)}`, undefined],
    [`${of63}a`, undefined],
    ['a'.repeat(300), undefined],
    ['', undefined],
    ['.', undefined],
    ['sw-01..', undefined],
    ['.sw-01', undefined],
    ['a..b', undefined],
    ['-a', undefined],
    ['a-', undefined],
    ['a.b-.c', undefined],
    ['a_b', undefined],
    ['a b', undefined],
    ['a\n', undefined],
    ['a\nb', undefined],
    ['a.example.net\n$INCLUDE /etc/passwd', undefined],
    ['"a"', undefined],
    ['{{ a }}', undefined],
    ['*.example.net', undefined],
    ['münchen', undefined],
    ['switch-😀', undefined],
    // The Kelvin sign and the long s are letters whose other case is in ASCII.
    ['\u212A', undefined],
    ['\u017F', undefined],
  ])('%j is %j', (text, name) => expect(hostNameOf(text)).toBe(name));
});

it('may have underscores for Ansible', () => {
  expect(['sw_01', '_a', 'a_.b', 'a-', 'a b', '\u212A'].map(ansibleHostNameOf)).toEqual([
    'sw_01',
    '_a',
    'a_.b',
    undefined,
    undefined,
    undefined,
  ]);
});
