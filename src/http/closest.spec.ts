import { closest } from './closest.js';

const known = ['status', 'name', 'createdAt', 'assignedToId', 'name__ic', 'id'];

describe('closest', () => {
  it.each([
    ['statsu', 'status'],
    ['Status', 'status'],
    ['stauts', 'status'],
    ['nme', 'name'],
    ['names', 'name'],
    ['created_at', 'createdAt'],
    ['asignedToId', 'assignedToId'],
    ['name_ic', 'name__ic'],
  ])('of %p is %p', (name, expected) => expect(closest(name, known)).toBe(expected));

  it.each(['colour', 'xy', '', 'state of things', '__proto__', 'constructor'])('of %p is nothing', (name) =>
    expect(closest(name, known)).toBeUndefined(),
  );

  it('is the nearest of several', () => expect(closest('stats', ['state', 'stats1', 'stays'])).toBe('state'));

  it('is quick and nothing for a name that is far too long', () =>
    expect(closest('s'.repeat(1_000_000), ['s'.repeat(64)])).toBeUndefined());
});
