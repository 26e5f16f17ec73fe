import { password } from './password.field.js';

/** What is stored of a value, or the fault. */
function put(value: unknown): unknown {
  const fault = password.check(value, {});
  if (fault !== undefined) throw new Error(fault);
  return password.normalise ? password.normalise(value as never) : value;
}

describe('password', () => {
  it.each(['twelve chars', '🔑'.repeat(12), 'x'.repeat(1024)])('takes a long enough one', (value) =>
    expect(put(value)).toBe(value),
  );
  it.each(['eleven char', '🔑'.repeat(11), 'x'.repeat(1025), 'twelve chars\0'])('refuses %p', (value) =>
    expect(() => put(value)).toThrow(),
  );
  it('never shows itself in the fault', () => expect(password.check('hunter2', {})).not.toContain('hunter2'));
});
