import { put } from '../../../test/support/put.js';
import { password, passwordFault } from './password.field.js';

describe('password', () => {
  it.each(['twelve chars', '🔑'.repeat(12), 'x'.repeat(1024)])('takes a long enough one', (value) =>
    expect(put(password, value)).toBe(value),
  );
  it.each(['eleven char', '🔑'.repeat(11), 'x'.repeat(1025), 'twelve chars\0'])('refuses %p', (value) =>
    expect(() => put(password, value)).toThrow(),
  );
  it('never shows itself in the fault', () => expect(passwordFault('hunter2')).not.toContain('hunter2'));
});
