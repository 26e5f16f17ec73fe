import { assertDecodable } from './request-target.js';

it.each(['/api/racks', '/api/racks?', '/api/racks?name=a%20b&search=%C3%A9'])('accepts %s', (url) =>
  expect(() => assertDecodable(url)).not.toThrow(),
);

it.each(['/api/racks?name=%', '/api/racks?name=%zz', '/api/racks?%ff=1', '/api/racks?name=%C3'])('refuses %s', (url) =>
  expect(() => assertDecodable(url)).toThrow('The query string must be UTF-8, percent-encoded'),
);
