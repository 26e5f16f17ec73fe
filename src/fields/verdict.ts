import { getMetadataStorage } from 'class-validator';
import { onceFor } from '../http/once.js';
import type { Class } from './field.js';

/** The arguments that a constraint gets, as class-validator gives them. */
interface Judged {
  targetName: string;
  property: string;
  object: object;
  value: unknown;
  constraints: unknown[];
}

type Accepts = (object: object, value: unknown) => boolean;

/** The declarations of a property. */
interface Property {
  name: string;
  /** Whether the property is validated at all. */
  conditions: readonly Accepts[];
  constraints: readonly Accepts[];
  /** Whether its objects have declarations of their own. */
  isNested: boolean;
}

/**
 * Whether class-validator finds no fault in an instance. Its `validateSync` collects the declarations of all classes each time and
 * creates an error for each property. This reads them once per class. If there is a fault, `validateSync` reports it.
 */
export const isFaultless = (instance: object): boolean =>
  propertiesOf(instance.constructor as Class).every(({ name, conditions, constraints, isNested }) => {
    const value = (instance as Record<string, unknown>)[name];
    return (
      !conditions.every((holds) => holds(instance, value)) ||
      (constraints.every((accepts) => accepts(instance, value)) && (!isNested || areFaultless(value)))
    );
  });

/** The same of an object, or of each in a list. */
const areFaultless = (value: unknown): boolean =>
  value === undefined ||
  (Array.isArray(value) ? value.every(areFaultless) : value instanceof Object && isFaultless(value));

const propertiesOf = onceFor((target: Class): readonly Property[] => {
  const storage = getMetadataStorage();
  const declared = storage.getTargetValidationMetadatas(target, '', false, false);
  return Object.entries(storage.groupByPropertyName(declared)).map(([name, all]) => ({
    name,
    conditions: all
      .filter(({ type }) => type === 'conditionalValidation')
      .map(({ constraints: [holds] }) => holds as Accepts),
    constraints: all.flatMap(({ constraintCls, constraints, each, validateIf }) =>
      storage.getTargetValidatorConstraints(constraintCls).map(({ instance }): Accepts => {
        const accepts = (object: object, value: unknown): boolean => {
          const judged: Judged = { targetName: target.name, property: name, object, value, constraints };
          const judge = (one: unknown): boolean => instance.validate(one, judged) === true;
          return each && Array.isArray(value) ? value.every(judge) : judge(value);
        };
        return validateIf ? (object, value) => !validateIf(object, value) || accepts(object, value) : accepts;
      }),
    ),
    isNested: all.some(({ type }) => type === 'nestedValidation'),
  }));
});
