import { put } from '../../../test/support/put.js';
import { uuid } from './uuid.js';

describe('uuid', () => {
  const id = '8D0E4B2A-7C35-4F19-9B6E-2A1C3D5E7F90';
  it('stores a uuid in lower case', () => expect(put(uuid, id)).toBe(id.toLowerCase()));
  it.each(['', 'x', id.slice(1), `${id} `, `{${id}}`, id.replaceAll('-', '')])('refuses %p as a uuid', (value) =>
    expect(() => put(uuid, value)).toThrow('must be a uuid'),
  );
});
