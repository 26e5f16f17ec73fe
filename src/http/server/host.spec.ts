import { assertOneHost } from './request-target.js';

it.each([
  ['1.1', ['Host', 'a']],
  ['1.1', ['Accept', 'host', 'host', 'a']],
  ['1.0', []],
  ['1.0', ['HOST', 'a']],
])('accepts HTTP/%s with the headers %p', (httpVersion, rawHeaders) =>
  expect(() => assertOneHost({ httpVersion, rawHeaders })).not.toThrow(),
);

it.each([
  ['1.1', []],
  ['1.1', ['Accept', 'Host']],
  ['1.1', ['Host', 'a', 'host', 'a']],
  ['1.0', ['Host', 'a', 'Host', 'b']],
])('refuses HTTP/%s with the headers %p', (httpVersion, rawHeaders) =>
  expect(() => assertOneHost({ httpVersion, rawHeaders })).toThrow('The request must have one Host header'),
);

it('refuses HTTP/0.9', () =>
  expect(() => assertOneHost({ httpVersion: '0.9', rawHeaders: ['Host', 'a'] })).toThrow('not valid HTTP'));
