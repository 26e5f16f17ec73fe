import { listenFault } from './listen-fault.js';

const sentence = (code: string, prefix?: string): string =>
  listenFault(Object.assign(new Error('raw'), { code }), { host: '192.0.2.1', port: 80 }, prefix).message;

it.each([
  ['EADDRINUSE', 'Port 80 of 192.0.2.1 is in use. Set METRICS_PORT to a free one'],
  ['EACCES', 'Port 80 of 192.0.2.1 is not permitted to this user. Set METRICS_PORT to another one'],
  ['EADDRNOTAVAIL', "METRICS_HOST must be an address of this machine, not '192.0.2.1'"],
  ['ENOTFOUND', "METRICS_HOST must be an address of this machine, not '192.0.2.1'"],
  ['EMFILE', 'raw'],
])('names the variable to change for %s', (code, expected) => expect(sentence(code, 'METRICS_')).toBe(expected));

it('names those of the API without a prefix', () => expect(sentence('EADDRINUSE')).toContain('Set PORT to'));
