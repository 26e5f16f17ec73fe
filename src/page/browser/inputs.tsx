/* The input for a field, by its declaration. */

import type { TargetedEvent } from 'preact';
import type { Field, FieldFault, Parts, Common, Values } from './types.js';
import { capital, collectionOf, fieldsOf, labelOf, nameOf } from './model.js';
import { InstantInput, Lines, NumberInput, Structured, WordInput } from './value-inputs.js';
import { narrowedBy, PartInput, ReferenceInput, ReferencesInput } from './reference-input.js';

const LONG = 1000;

/** The faults of a field itself, in sentences. */
const faultsAt = (faults: FieldFault[], path: string): FieldFault[] => faults.filter(({ field }) => field === path);

/**
 * @param path of the field as the service names it: `items[0].quantity`
 * @param parts of the record that ids without a list of their own may belong to
 */
export function Input({
  field,
  path = field.name,
  value,
  set,
  faults,
  parts = {},
  record = {},
}: {
  field: Field;
  path?: string;
  value: any;
  set: (value: any) => void;
  faults: FieldFault[];
  parts?: Parts;
  record?: Values;
}) {
  const own = faultsAt(faults, path);
  const several = field.type === 'array' && field.references ? collectionOf(field.references) : undefined;
  const label = several ? capital(several.label) : labelOf(field.name);
  const id = `field-${path.replaceAll(/[^\w]+/g, '-')}`;
  const about =
    field.description && field.description.toLowerCase() !== label.toLowerCase() ? field.description : undefined;
  const described = [about && `${id}-about`, own.length > 0 && `${id}-fault`].filter(Boolean).join(' ') || undefined;
  const common: Common = { id, 'aria-describedby': described, 'aria-invalid': own.length > 0 ? 'true' : undefined };
  const isGroup = field.type === 'array' && field.of;
  const notes = (
    <>
      {' '}
      {about && (
        <p class="hint" id={`${id}-about`}>
          {about}
          {}
        </p>
      )}
      {own.length > 0 && (
        <p class="fault" id={`${id}-fault`}>
          {own.map(({ message }) => capital(message)).join('. ')}
        </p>
      )}
    </>
  );
  if (isGroup)
    return (
      <fieldset class="rows">
        <legend>
          {label}
          {field.required && <Star />}
        </legend>
        {notes}
        <Rows field={field} path={path} value={value ?? []} set={set} faults={faults} parts={parts} />
      </fieldset>
    );
  return (
    <div class={`control ${own.length > 0 ? 'faulty' : ''} ${isLong(field) ? 'wide' : ''}`}>
      <label for={id}>
        {label}
        {field.required && <Star />}
      </label>
      <Control field={field} value={value} set={set} common={common} label={label} parts={parts} record={record} />
      {notes}
    </div>
  );
}

const isLong = (field: Field): boolean =>
  (field.maxLength ?? 0) > LONG ||
  (field.type === 'object' && !field.references) ||
  (field.type === 'array' && !field.values);
const Star = () => (
  <>
    <span class="star" title="Needed" aria-hidden="true">
      {' '}
      *
    </span>
    <span class="hidden"> (needed)</span>
  </>
);

function Control({
  field,
  value,
  set,
  common,
  label,
  parts,
  record,
}: {
  field: Field;
  value: any;
  set: (value: any) => void;
  common: Common;
  label: string;
  parts: Parts;
  record: Values;
}) {
  const { type, format, values, known } = field;
  const references = field.references ?? (field.referencesBy ? record[field.referencesBy] : undefined);
  const text = ({
    currentTarget: target,
  }: TargetedEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>): void =>
    set(target.value === '' && (field.nullable || !field.required) ? null : target.value);
  const collection = references && collectionOf(references);
  if (collection && references) {
    const given = {
      key: references,
      id: common.id,
      label,
      resource: references,
      describedBy: common['aria-describedby'],
      invalid: common['aria-invalid'],
      within: narrowedBy(collection, record),
    };
    if (type === 'array') return <ReferencesInput {...given} value={value ?? []} set={set} />;
    if (collection.path.includes('{')) return <PartInput {...given} value={value ?? null} set={set} record={record} />;
    return <ReferenceInput {...given} value={value ?? null} set={set} />;
  }
  if (format === 'uuid' && parts[field.name])
    return (
      <select {...common} value={value ?? ''} onChange={text}>
        <option value="">Choose</option>
        {parts[field.name].map((one) => (
          <option value={one.id}>{nameOf({ type: '' }, one)}</option>
        ))}
      </select>
    );
  if (type === 'boolean')
    return field.nullable ? (
      <select
        {...common}
        value={value === null || value === undefined ? '' : String(value)}
        onChange={({ currentTarget: target }) => set(target.value === '' ? null : target.value === 'true')}
      >
        <option value="">–</option>
        <option value="true">Yes</option>
        <option value="false">No</option>
      </select>
    ) : (
      <input
        type="checkbox"
        {...common}
        checked={Boolean(value)}
        onChange={({ currentTarget: target }) => set(target.checked)}
      />
    );
  if (type === 'array' && values)
    return (
      <span id={common.id} role="group" aria-label={label} class="choices">
        {values.map((one) => (
          <label>
            <input
              type="checkbox"
              checked={(value ?? []).includes(one)}
              onChange={({ currentTarget: target }) =>
                set(values.filter((each) => (each === one ? target.checked : (value ?? []).includes(each))))
              }
            />{' '}
            {labelOf(String(one))}
          </label>
        ))}
      </span>
    );
  if (type === 'array') return <Lines items={field.items} value={value} set={set} common={common} />;
  if (values)
    return (
      <select {...common} value={value ?? ''} onChange={text}>
        {(field.nullable || value === undefined || value === null) && <option value="">–</option>}
        {values.map((one) => (
          <option value={String(one)}>{capital(String(one).replaceAll('_', ' '))}</option>
        ))}
      </select>
    );
  if (type === 'integer' || type === 'number')
    return <NumberInput isWhole={type === 'integer'} value={value} set={set} common={common} />;
  if (field.day) return <input type="date" {...common} value={(value ?? '').slice(0, 10)} onInput={text} />;
  if (format === 'date-time-local')
    return <input type="datetime-local" step="1" {...common} value={(value ?? '').slice(0, 19)} onInput={text} />;
  if (format === 'date-time') return <InstantInput value={value} set={set} common={common} />;
  if (format === 'date') return <input type="date" {...common} value={value ?? ''} onInput={text} />;
  if (type === 'object') return <Structured value={value} set={set} common={common} />;
  if (field.writeOnly)
    return <input type="password" {...common} autocomplete="new-password" value={value ?? ''} onInput={text} />;
  if ((field.maxLength ?? 0) > LONG)
    return <textarea {...common} rows={4} dir="auto" value={value ?? ''} onInput={text}></textarea>;
  if (known) return <WordInput known={known} field={field} value={value} set={set} common={common} label={label} />;
  return (
    <input
      type={format === 'email' ? 'email' : 'text'}
      {...common}
      list={undefined}
      dir="auto"
      autocomplete="off"
      value={value ?? ''}
      onInput={text}
    />
  );
}

/** The objects of a list, each with its own inputs. */
function Rows({
  field,
  path,
  value,
  set,
  faults,
  parts,
}: {
  field: Field;
  path: string;
  value: any;
  set: (value: any) => void;
  faults: FieldFault[];
  parts: Parts;
}) {
  const fields = fieldsOf(field.of).filter(({ readOnly }) => !readOnly);
  const change = (index: number, next: Values): void =>
    set(value.map((row: Values, at: number) => (at === index ? next : row)));
  return (
    <>
      {' '}
      {value.map((row: Values, index: number) => (
        <div class="row" key={index} role="group" aria-label={`${labelOf(field.name)} ${index + 1}`}>
          <div class="inputs">
            {fields.map((one) => (
              <Input
                field={one}
                path={`${path}[${index}].${one.name}`}
                value={row[one.name]}
                set={(next) => change(index, { ...row, [one.name]: next })}
                faults={faults}
                parts={parts}
                record={row}
              />
            ))}
          </div>
          <button
            type="button"
            class="quiet"
            onClick={() => set(value.filter((_: unknown, at: number) => at !== index))}
          >
            Remove
          </button>
        </div>
      ))}
      <button type="button" onClick={() => set([...value, {}])}>
        Add
      </button>
    </>
  );
}
