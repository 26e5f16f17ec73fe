/* Custom fields in a form whose other inputs are hand-written. */

import { Input } from './inputs.js';
import { fieldsOf, isBlank } from './model.js';
import type { Fault, Field, FieldFault, Values } from './types.js';

export const ownFieldsOf = (type: string): Field[] => fieldsOf(type).filter(({ custom }) => custom !== undefined);

/** Their values in a body. A default that the user has removed is null. */
export const ownBody = (fields: Field[], values: Values): Values =>
  Object.fromEntries(
    fields
      .filter(({ name, default: usual }) => usual !== undefined || !isBlank(values[name]))
      .map(({ name }) => [name, isBlank(values[name]) ? null : values[name]]),
  );

const isOf = ({ name }: Field, path: string): boolean => path === name || path.endsWith(`.${name}`);

/** The field that the path of a fault leads to. */
export const ownFieldAt = (fields: Field[], path: string): Field | undefined => fields.find((one) => isOf(one, path));

/** The first fault of each field, wherever in the body it is. */
const faultsIn = (fields: Field[], error: Fault | undefined): FieldFault[] =>
  fields.flatMap((field) => {
    const found = error?.details?.find((fault) => isOf(field, fault.field));
    return found ? [{ field: field.name, message: found.message }] : [];
  });

export function OwnInputs({
  title = 'Custom fields',
  fields,
  values,
  set,
  error,
}: {
  title?: string;
  fields: Field[];
  values: Values;
  set: (values: Values) => void;
  /** As the service has refused the body. */
  error: Fault | undefined;
}) {
  const faults = faultsIn(fields, error);
  if (fields.length === 0) return null;
  return (
    <section class="section">
      <h2>{title}</h2>
      <div class="inputs">
        {fields.map((field) => (
          <Input
            key={field.name}
            field={field}
            value={values[field.name]}
            set={(value) => set({ ...values, [field.name]: value })}
            faults={faults}
          />
        ))}
      </div>
    </section>
  );
}
