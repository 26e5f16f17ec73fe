/* The input for a field, by its declaration. */

import type { TargetedEvent } from 'preact';
import type { Field, FieldFault, Parts, Common, Values } from './types.js';
import { useRef, useState } from 'preact/hooks';
import { labelOfValue } from '../../fields/labels.js';
import { capital, collectionOf, fieldsOf, isBlank, labelOf, nameOf } from './model.js';
import { DateInput, InstantInput, LocalInput } from './time-inputs.js';
import { Lines, NumberInput, Structured, WordInput, ZoneInput } from './value-inputs.js';
import { ColourInput } from './colours.js';
import { Icon } from './icon.js';
import { helpOf } from './words.js';
import { TagsInput } from './tags-input.js';
import { narrowedBy, PartInput, ReferenceInput, ReferencesInput } from './reference-input.js';

/** Texts of more characters than an address has lines. */
const LONG = 2048;
/** Up to this number of values, each has a checkbox. With more, the user types. */
const MOST_BOXES = 8;

/** The id of the input of a field. */
export const idOf = (path: string): string => `field-${path.replaceAll(/[^\w]+/g, '-')}`;

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
  const label = several ? capital(several.label) : labelOf(field);
  const id = idOf(path);
  const about = helpOf(label, field.description);
  const [isExplained, setExplained] = useState(false);
  const explain = (): void => setExplained((before) => !before);
  const described = [about && `${id}-about`, own.length > 0 && `${id}-fault`].filter(Boolean).join(' ') || undefined;
  const common: Common = { id, 'aria-describedby': described, 'aria-invalid': own.length > 0 ? 'true' : undefined };
  const isGroup = field.type === 'array' && field.of;
  const notes = (
    <>
      {' '}
      {about && (
        <p class="hint" id={`${id}-about`} hidden={!isExplained}>
          {about}
        </p>
      )}
      {own.length > 0 && (
        <p class="fault" id={`${id}-fault`}>
          {own.map(({ message }) => capital(message)).join('. ')}
        </p>
      )}
    </>
  );
  // Readers of the screen hear the text with the input, and keys open it from there, so this is for pointers only.
  const help = about && (
    <button type="button" class="help" tabindex={-1} aria-hidden="true" title="Help (F1)" onClick={explain}>
      ?
    </button>
  );
  const pressed = (event: KeyboardEvent): void => {
    if (event.key !== 'F1' || !about) return;
    event.preventDefault();
    explain();
  };
  if (isGroup)
    return (
      <fieldset class="rows" onKeyDown={pressed}>
        <legend>
          {label}
          {field.required && <Star />}
          {help}
        </legend>
        {notes}
        <Rows field={field} path={path} value={value ?? []} set={set} faults={faults} parts={parts} />
      </fieldset>
    );
  return (
    <div class={`control ${own.length > 0 ? 'faulty' : ''} ${isLong(field) ? 'wide' : ''}`} onKeyDown={pressed}>
      <label for={id}>
        {label}
        {field.required && <Star />}
      </label>
      {help}
      <Control field={field} value={value} set={set} common={common} label={label} parts={parts} record={record} />
      {notes}
    </div>
  );
}

const isLong = (field: Field): boolean =>
  (field.maxLength ?? 0) > LONG ||
  (field.type === 'object' && !field.references) ||
  (field.type === 'array' && (!field.values || field.chips === true));
const Star = () => (
  <>
    <span class="star" title="Needed" aria-hidden="true">
      {' '}
      *
    </span>
    <span class="hidden"> (needed)</span>
  </>
);

/** An allowed value in words. The installation's own values stay as they were given. */
export const wordOf = ({ custom, words }: Field, value: unknown): string =>
  custom ? String(value) : (words?.[String(value)] ?? labelOfValue(String(value)));

export function Control({
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
  const Own = field.input;
  if (Own) return <Own field={field} value={value} set={set} common={common} record={record} />;
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
  if (type === 'array' && (field.chips || (values ? values.length > MOST_BOXES : field.custom)))
    return <TagsInput field={field} value={value ?? []} set={set} common={common} />;
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
            {wordOf(field, one)}
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
          <option value={String(one)}>{wordOf(field, one)}</option>
        ))}
      </select>
    );
  if (type === 'integer' || type === 'number')
    return <NumberInput isWhole={type === 'integer'} value={value} set={set} common={common} />;
  if (format === 'date-time-local')
    return <LocalInput local={(value ?? '').slice(0, 19)} set={(one) => set(one || null)} common={common} />;
  if (field.day || format === 'date') return <DateInput value={value} set={set} common={common} />;
  if (format === 'date-time') return <InstantInput value={value} set={set} common={common} />;
  if (type === 'object') return <Structured value={value} set={set} common={common} />;
  if (field.writeOnly)
    return <input type="password" {...common} autocomplete="new-password" value={value ?? ''} onInput={text} />;
  if (format === 'uri')
    return <input type="url" {...common} dir="ltr" placeholder="https://" value={value ?? ''} onInput={text} />;
  if ((field.maxLength ?? 0) > LONG)
    return (
      <textarea
        {...common}
        rows={field.custom ? 1 : 3}
        class="growing"
        dir="auto"
        value={value ?? ''}
        onInput={text}
      ></textarea>
    );
  if (field.zone) return <ZoneInput value={value} set={set} common={common} />;
  if (field.name === 'color') return <ColourInput value={value} set={set} common={common} label={label} />;
  if (known) return <WordInput known={known} field={field} value={value} set={set} common={common} label={label} />;
  return (
    <input
      type={format === 'email' ? 'email' : 'text'}
      {...common}
      list={undefined}
      dir="auto"
      autocomplete="off"
      placeholder={field.hint}
      value={value ?? ''}
      onInput={text}
    />
  );
}

/** The objects of a list as a table. Typing into the empty last row adds an object. */
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
  const fields = fieldsOf(field.of).filter(
    ({ readOnly, name, format, references, referencesBy }) =>
      !readOnly &&
      name !== 'sortOrder' &&
      (format !== 'uuid' || references !== undefined || referencesBy !== undefined || parts[name] !== undefined),
  );
  const rows = [...value, {}] as Values[];
  // A row keeps its inputs and their contents when a row before it is removed.
  const keys = useRef<{ next: number; ofRows: number[] }>({ next: 0, ofRows: [] }).current;
  while (keys.ofRows.length < rows.length) keys.ofRows.push(keys.next++);
  const change = (index: number, next: Values): void => {
    const all = rows.map((row, at) => (at === index ? next : row));
    // An empty last row is not part of the list.
    while (all.length > 0 && Object.values(all.at(-1)!).every(isBlank)) all.pop();
    set(all);
  };
  const label = labelOf(field);
  return (
    <div class="scroll" tabindex={0} role="region" aria-label={label}>
      <table class="entry-rows">
        <thead>
          <tr>
            {fields.map((one) => (
              <th scope="col" key={one.name} title={helpOf(labelOf(one), one.description)}>
                {labelOf(one)}
                {one.required && <Star />}
              </th>
            ))}
            <th scope="col">
              <span class="hidden">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keys.ofRows[index]} aria-label={`${label} ${index + 1}`}>
              {fields.map((one) => {
                const at = `${path}[${index}].${one.name}`;
                const own = faultsAt(faults, at);
                const id = idOf(at);
                return (
                  <td key={one.name} class={own.length > 0 ? 'faulty' : undefined}>
                    <label class="hidden" for={id}>
                      {labelOf(one)}
                    </label>
                    <Control
                      field={one}
                      value={row[one.name]}
                      set={(next) => change(index, { ...row, [one.name]: next })}
                      common={{
                        id,
                        'aria-describedby': own.length > 0 ? `${id}-fault` : undefined,
                        'aria-invalid': own.length > 0 ? 'true' : undefined,
                      }}
                      label={labelOf(one)}
                      parts={parts}
                      record={row}
                    />
                    {own.length > 0 && (
                      <p class="fault" id={`${id}-fault`}>
                        {own.map(({ message }) => capital(message)).join('. ')}
                      </p>
                    )}
                  </td>
                );
              })}
              <td>
                {index < value.length && (
                  <button
                    type="button"
                    class="quiet icon-only"
                    aria-label={`Remove ${label.toLowerCase()} ${index + 1}`}
                    onClick={() => {
                      keys.ofRows.splice(index, 1);
                      set(value.filter((_: unknown, at: number) => at !== index));
                    }}
                  >
                    <Icon name="x-mark" />
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
