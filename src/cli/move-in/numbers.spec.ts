import * as fc from 'fast-check';
import { Numbers } from './numbers.js';

it('says what was last set for each kind and key, whatever the key is', () => {
  const key = fc.oneof(fc.nat(300).map(String), fc.constantFrom('', '007', '-1', '1e3', '16777215', '16777216', 'a:b'));
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'a:a'), key, fc.nat(9))), (entries) => {
      const numbers = new Numbers();
      const expected = new Map<string, number>();
      for (const [model, pk, value] of entries) {
        numbers.set(model, pk, value);
        expected.set(JSON.stringify([model, pk]), value);
      }
      for (const [model, pk] of entries) expect(numbers.get(model, pk)).toBe(expected.get(JSON.stringify([model, pk])));
      expect(numbers.get('b', '1')).toBe(0);
    }),
  );
});
