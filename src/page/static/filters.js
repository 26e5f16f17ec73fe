/* The filters of a list, from the declarations. */

import { useState } from './hooks.js';
import { html } from './html.js';
import { Reference } from './format.js';
import { collectionOf, fieldsOf, labelOf } from './model.js';
import { ReferenceInput } from './reference-input.js';

const OPERATORS = {
  '': 'is',
  n: 'is not',
  ic: 'contains',
  isw: 'begins with',
  ie: 'equals, in any case',
  empty: 'is empty',
  gte: 'is at least',
  lte: 'is at most',
  gt: 'is more than',
  lt: 'is less than',
};

const partsOf = (name) => name.split('__');
const isFilter = (collection, name) => collection.filters.some((filter) => filter.name === partsOf(name)[0]);

/** A filter with what its field declares. */
const fieldOf = (collection, name) => {
  const filter = collection.filters.find((one) => one.name === partsOf(name)[0]);
  return { ...fieldsOf(collection.type).find((field) => field.name === filter.name), ...filter };
};

/** The filters that are on, each with a button that takes it away, and a form to add one. */
export function Filters({ collection, query, set }) {
  const [isOpen, setOpen] = useState(false);
  const active = [...query].filter(([name]) => isFilter(collection, name));
  const without = (name, value) => {
    const left = query.getAll(name).filter((one) => one !== value);
    set({ [name]: left, page: undefined });
  };
  if (collection.filters.length === 0) return null;
  return html`<div class="filters">
    ${active.map(([name, value]) => {
      const [base, operator = ''] = partsOf(name);
      const field = fieldOf(collection, name);
      return html`<span class="filter">
        ${labelOf(base)}${' '}${operator === 'empty' ? (value === 'true' ? 'is empty' : 'is not empty') : OPERATORS[operator]}${' '}
        ${operator !== 'empty' && html`<strong>${field.references && collectionOf(field.references) ? html`<${Reference} resource=${field.references} id=${value} />` : html`<bdi>${value}</bdi>`}</strong>`}
        <button
          type="button"
          class="quiet"
          aria-label=${`Remove the filter ${labelOf(base)}`}
          onClick=${() => without(name, value)}
        >
          ×
        </button>
      </span>`;
    })}
    <button type="button" class="quiet" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>
      ${isOpen ? 'Close' : '+ Filter'}
    </button>
    ${
      isOpen &&
      html`<${NewFilter}
        collection=${collection}
        add=${(name, value) => {
          setOpen(false);
          set({ [name]: name.endsWith('__empty') ? value : [...query.getAll(name), value], page: undefined });
        }}
      />`
    }
  </div>`;
}

function NewFilter({ collection, add }) {
  const choices = collection.filters.filter(({ name }) => name !== 'id');
  const first = choices.find(({ name }) => name === 'status') ?? choices[0];
  const [name, setName] = useState(first.name);
  const [operator, setOperator] = useState('');
  const [value, setValue] = useState('');
  const field = fieldOf(collection, name);
  const operators = ['', ...(field.operators ?? [])];
  const submit = (event) => {
    event.preventDefault();
    const given = operator === 'empty' ? value || 'true' : value;
    if (given === '') return;
    const isTime = field.format === 'date-time' || name === 'from' || name === 'to' || name === 'at';
    add(
      operator ? `${name}__${operator}` : name,
      isTime && !given.endsWith('Z') && operator !== 'empty' ? new Date(given).toISOString() : given,
    );
  };
  return html`<form class="new-filter" onSubmit=${submit}>
    <label
      >Field
      <select
        value=${name}
        onChange=${({ target }) => {
          setName(target.value);
          setOperator('');
          setValue('');
        }}
      >
        ${choices.map((one) => html`<option value=${one.name}>${labelOf(one.name)}</option>`)}
      </select>
    </label>
    ${
      operators.length > 1 &&
      html`<label
        >Comparison
        <select
          value=${operator}
          onChange=${({ target }) => {
            setOperator(target.value);
            setValue('');
          }}
        >
          ${operators.map((one) => html`<option value=${one}>${OPERATORS[one] ?? one}</option>`)}
        </select>
      </label>`
    }
    <${FilterValue} key=${`${name} ${operator}`} field=${field} operator=${operator} value=${value} set=${setValue} />
    <button class="primary">Add</button>
  </form>`;
}

function FilterValue({ field, operator, value, set }) {
  const choose = (options) =>
    html`<label
      >Value
      <select value=${value} onChange=${({ target }) => set(target.value)}>
        <option value="" disabled>Choose</option>
        ${options.map(([one, label]) => html`<option value=${one}>${label}</option>`)}
      </select>
    </label>`;
  if (operator === 'empty')
    return choose([
      ['true', 'Yes'],
      ['false', 'No'],
    ]);
  if (field.type === 'boolean')
    return choose([
      ['true', 'Yes'],
      ['false', 'No'],
    ]);
  if (field.values && ['', 'n'].includes(operator)) return choose(field.values.map((one) => [one, labelOf(one)]));
  if (field.references && collectionOf(field.references))
    return html`<${ReferenceInput}
      label="Value"
      resource=${field.references}
      value=${value || null}
      set=${(id) => set(id ?? '')}
    />`;
  const isTime = field.format === 'date-time' || ['from', 'to', 'at'].includes(field.name);
  const type = isTime ? 'datetime-local' : field.format === 'date' ? 'date' : 'text';
  const list = field.known ? `known-${field.name}` : undefined;
  return html`<label
    >Value
    <input type=${type} value=${value} list=${list} onInput=${({ target }) => set(target.value)} required />
    ${list && html`<datalist id=${list}>${field.known.map((one) => html`<option value=${one} />`)}</datalist>`}
  </label>`;
}
