import { getMetadataStorage, IsInt, IsString, validateSync } from 'class-validator';
import { rememberRules } from './remembered-rules.js';

it('finds the rules of a class and of those that it extends once, and again when a rule was added', () => {
  const storage = getMetadataStorage();
  const find = jest.spyOn(storage, 'getTargetValidationMetadatas');
  rememberRules(storage);
  class Base {
    name: unknown = 1;
  }
  class Body extends Base {
    size: unknown = 'large';
  }
  IsString()(Base.prototype, 'name');
  const faults = (): string[] => validateSync(new Body()).map(({ property }) => property);
  expect(faults()).toEqual(['name']);
  expect(faults()).toEqual(['name']);
  expect(find).toHaveBeenCalledTimes(1);
  IsInt()(Body.prototype, 'size');
  expect(faults().toSorted()).toEqual(['name', 'size']);
  expect(find).toHaveBeenCalledTimes(2);
});
