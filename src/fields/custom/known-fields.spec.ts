import type { CustomDefinition } from './definition.js';
import { Definitions, knownDefinitions, withDefinitions } from './known-fields.js';

const none = new Definitions([], new Set());
const some = new Definitions([{ id: 'one' } as CustomDefinition], new Set());
const knowing = <T>(definitions: Definitions, run: () => T): T =>
  withDefinitions({ definitions, seesOperations: true }, run);

describe('what work knows of custom fields', () => {
  it('keeps nothing beside it where nobody has defined a field', () => {
    expect(knowing(none, () => knownDefinitions())).toBeUndefined();
  });

  it('has the definitions, and none after it', () => {
    expect(knowing(some, () => knownDefinitions()?.definitions)).toBe(some);
    expect(knownDefinitions()).toBeUndefined();
  });

  it('has none any more where the last one is gone by the time it runs again', () => {
    expect(knowing(some, () => knowing(none, () => knownDefinitions()?.definitions))).toBe(none);
  });
});
