/* The input for a field, by its declaration. */

import { useState } from './hooks.js';
import { html } from './html.js';
import { collectionOf, fieldsOf, labelOf, nameOf } from './model.js';
import { ReferenceInput } from './reference-input.js';

/** A time as the reader's clock shows it, for an input, and back. */
export const toLocal = (time) => {
  if (!time) return '';
  const date = new Date(time);
  return new Date(date.getTime() - 60_000 * date.getTimezoneOffset()).toISOString().slice(0, 19).replace(/:00$/, '');
};
const fromLocal = (text) => (text === '' ? null : new Date(text).toISOString());

const LONG = 1000;

const same = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/**
 * The text of an input that reads something else from it. What somebody types stays as it is, as long as it means the value.
 * @returns the text, and what takes another one
 */
function useDraft(value, set, { write, read }) {
  const [draft, setDraft] = useState(() => write(value));
  const type = ({ target }) => {
    setDraft(target.value);
    set(read(target.value));
  };
  return [same(read(draft), value) ? draft : write(value), type];
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
/** What is no number goes as text, so that the service names the fault. */
const NUMBERS = {
  write: (value) => (value === null || value === undefined ? '' : String(value)),
  read: (text) => (text.trim() === '' ? null : NUMBER.test(text.trim()) ? Number(text.trim()) : text),
};

const linesOf = (items) => ({
  write: (value) => (value ?? []).join('\n'),
  read: (text) =>
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => (items === 'integer' || items === 'number' ? NUMBERS.read(line) : line.trim())),
});

/** The faults of a field itself, in sentences. */
const faultsAt = (faults, path) => faults.filter(({ field }) => field === path);

/**
 * @param path of the field as the service names it: `items[0].quantity`
 * @param parts of the record that ids without a list of their own may belong to
 */
export function Input({ field, path = field.name, value, set, faults, parts = {}, record = {} }) {
  const own = faultsAt(faults, path);
  const label = labelOf(field.name);
  const id = `field-${path.replaceAll(/[^\w]+/g, '-')}`;
  const about =
    field.description && field.description.toLowerCase() !== label.toLowerCase() ? field.description : undefined;
  const described = [about && `${id}-about`, own.length > 0 && `${id}-fault`].filter(Boolean).join(' ') || undefined;
  const common = { id, 'aria-describedby': described, 'aria-invalid': own.length > 0 ? 'true' : undefined };
  const isGroup = field.type === 'array' && field.of;
  const notes = html` ${about && html`<p class="hint" id=${`${id}-about`}>${about}${field.format === 'date-time' && !field.day ? '. In your time zone' : ''}</p>`}
  ${own.length > 0 && html`<p class="fault" id=${`${id}-fault`}>${own.map(({ message }) => capitalised(message)).join('. ')}</p>`}`;
  if (isGroup)
    return html`<fieldset class="rows">
      <legend>${label}${field.required && html`<${Star} />`}</legend>
      ${notes}<${Rows} field=${field} path=${path} value=${value ?? []} set=${set} faults=${faults} parts=${parts} />
    </fieldset>`;
  return html`<div class=${`control ${own.length > 0 ? 'faulty' : ''} ${isLong(field) ? 'wide' : ''}`}>
    <label for=${id}>${label}${field.required && html`<${Star} />`}</label>
    <${Control}
      field=${field}
      value=${value}
      set=${set}
      common=${common}
      label=${label}
      parts=${parts}
      record=${record}
    />
    ${notes}
  </div>`;
}

const isLong = (field) =>
  field.maxLength > LONG || (field.type === 'object' && !field.references) || (field.type === 'array' && !field.values);
const Star = () =>
  html`<span class="star" title="Needed" aria-hidden="true"> *</span><span class="hidden"> (needed)</span>`;
const capitalised = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function Control({ field, value, set, common, label, parts, record }) {
  const { type, format, values, known } = field;
  const references = field.references ?? record[field.referencesBy];
  const text = ({ target }) => set(target.value === '' && (field.nullable || !field.required) ? null : target.value);
  const collection = references && collectionOf(references);
  if (collection && type === 'string' && !collection.path.includes('{'))
    return html`<${ReferenceInput}
      key=${references}
      id=${common.id}
      label=${label}
      resource=${references}
      value=${value ?? null}
      set=${set}
      describedBy=${common['aria-describedby']}
      invalid=${common['aria-invalid']}
    />`;
  if (format === 'uuid' && parts[field.name])
    return html`<select ...${common} value=${value ?? ''} onChange=${text}>
      <option value="">Choose</option>
      ${parts[field.name].map((one) => html`<option value=${one.id}>${nameOf({ type: '' }, one)}</option>`)}
    </select>`;
  if (type === 'boolean')
    return field.nullable
      ? html`<select
          ...${common}
          value=${value === null || value === undefined ? '' : String(value)}
          onChange=${({ target }) => set(target.value === '' ? null : target.value === 'true')}
        >
          <option value="">–</option>
          <option value="true">Yes</option>
          <option value="false">No</option>
        </select>`
      : html`<input
          type="checkbox"
          ...${common}
          checked=${Boolean(value)}
          onChange=${({ target }) => set(target.checked)}
        />`;
  if (type === 'array' && values)
    return html`<span id=${common.id} role="group" aria-label=${label} class="choices"
      >${values.map((one) => html`<label><input type="checkbox" checked=${(value ?? []).includes(one)} onChange=${({ target }) => set(values.filter((each) => (each === one ? target.checked : (value ?? []).includes(each))))} /> ${labelOf(String(one))}</label>`)}</span
    >`;
  if (type === 'array') return html`<${Lines} items=${field.items} value=${value} set=${set} common=${common} />`;
  if (values)
    return html`<select ...${common} value=${value ?? ''} onChange=${text}>
      ${(field.nullable || value === undefined || value === null) && html`<option value="">–</option>`}${values.map((one) => html`<option value=${one}>${capitalised(String(one).replaceAll('_', ' '))}</option>`)}
    </select>`;
  if (type === 'integer' || type === 'number')
    return html`<${NumberInput} isWhole=${type === 'integer'} value=${value} set=${set} common=${common} />`;
  if (field.day) return html`<input type="date" ...${common} value=${(value ?? '').slice(0, 10)} onInput=${text} />`;
  if (format === 'date-time-local')
    return html`<input
      type="datetime-local"
      step="1"
      ...${common}
      value=${(value ?? '').slice(0, 19)}
      onInput=${text}
    />`;
  if (format === 'date-time')
    return html`<input
      type="datetime-local"
      step="1"
      ...${common}
      value=${toLocal(value)}
      onInput=${({ target }) => set(fromLocal(target.value))}
    />`;
  if (format === 'date') return html`<input type="date" ...${common} value=${value ?? ''} onInput=${text} />`;
  if (type === 'object') return html`<${Structured} value=${value} set=${set} common=${common} />`;
  if (field.maxLength > LONG)
    return html`<textarea ...${common} rows="4" dir="auto" value=${value ?? ''} onInput=${text}></textarea>`;
  const list = known && `${common.id}-known`;
  return html`<input
      type=${field.writeOnly ? 'password' : format === 'email' ? 'email' : 'text'}
      ...${common}
      dir="auto"
      autocomplete=${field.writeOnly ? 'new-password' : 'off'}
      list=${list}
      value=${value ?? ''}
      onInput=${text}
    />
    ${list && html`<datalist id=${list}>${known.map((one) => html`<option value=${one} />`)}</datalist>`}`;
}

function NumberInput({ isWhole, value, set, common }) {
  const [text, type] = useDraft(value, set, NUMBERS);
  return html`<input
    inputmode=${isWhole ? 'numeric' : 'decimal'}
    autocomplete="off"
    ...${common}
    value=${text}
    onInput=${type}
  />`;
}

function Lines({ items, value, set, common }) {
  const [text, type] = useDraft(value, set, linesOf(items));
  return html`<textarea
    ...${common}
    rows="3"
    dir="auto"
    placeholder="One on each line"
    value=${text}
    onInput=${type}
  ></textarea>`;
}

/** A value with a shape of its own, as JSON. What is no JSON goes as text, so that the service names the fault. */
function Structured({ value, set, common }) {
  const read = ({ target }) => {
    try {
      set(target.value.trim() === '' ? null : JSON.parse(target.value));
      target.setCustomValidity('');
    } catch {
      target.setCustomValidity('This must be JSON');
    }
  };
  return html`<textarea
    ...${common}
    rows="3"
    class="code"
    spellcheck="false"
    defaultValue=${value === null || value === undefined ? '' : JSON.stringify(value, null, 2)}
    onInput=${read}
  ></textarea>`;
}

/** The objects of a list, each with its own inputs. */
function Rows({ field, path, value, set, faults, parts }) {
  const fields = fieldsOf(field.of).filter(({ readOnly }) => !readOnly);
  const change = (index, next) => set(value.map((row, at) => (at === index ? next : row)));
  return html` ${value.map(
      (row, index) =>
        html`<div class="row" key=${index} role="group" aria-label=${`${labelOf(field.name)} ${index + 1}`}>
          <div class="inputs">
            ${fields.map((one) => html`<${Input} field=${one} path=${`${path}[${index}].${one.name}`} value=${row[one.name]} set=${(next) => change(index, { ...row, [one.name]: next })} faults=${faults} parts=${parts} record=${row} />`)}
          </div>
          <button type="button" class="quiet" onClick=${() => set(value.filter((_, at) => at !== index))}>
            Remove
          </button>
        </div>`,
    )}
    <button type="button" onClick=${() => set([...value, {}])}>Add</button>`;
}
