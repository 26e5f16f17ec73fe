import { ValidateBy, type ValidationOptions } from 'class-validator';

type OwnConstraint = (options?: ValidationOptions) => PropertyDecorator;

/** A constraint on texts that class-validator has no decorator for. Options with another sentence may be given where it is used. */
export const textConstraint = (name: string, accepts: (text: string) => boolean, message = ''): OwnConstraint =>
  ownConstraint(name, (value) => typeof value === 'string' && accepts(value), message);

/** The same on values of any type. */
export const ownConstraint =
  (name: string, accepts: (value: unknown) => boolean, message = ''): OwnConstraint =>
  (options = { message }) =>
    ValidateBy({ name, validator: { validate: accepts } }, options);

/** Options of a constraint on every entry of a list. The message begins with the index of the first refused entry, such as `[1]`. */
export const eachEntry = (sentence: string, accepts: (entry: unknown) => boolean): ValidationOptions => ({
  each: true,
  message: ({ value }) => `[${(value as unknown[]).findIndex((entry) => !accepts(entry))}] ${sentence}`,
});

/** Splits such a message into the index and the sentence. The index of other messages is empty. */
export function entryIn(message: string): [entry: string, sentence: string] {
  const found = /^(\[\d+\]) (.*)$/s.exec(message);
  return found ? [found[1]!, found[2]!] : ['', message];
}
