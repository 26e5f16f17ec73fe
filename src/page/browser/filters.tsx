/* The filters of a list, from the declarations. */

import { DateInput, InstantInput } from './time-inputs.js';
import type { Collection, Field } from './types.js';
import { useState } from 'preact/hooks';
import { Day, Time } from './format.js';
import { Icon } from './icon.js';
import { collectionOf, fieldsOf, labelOf } from './model.js';
import { Reference } from './names.js';
import { Chosen } from './parts.js';
import { ReferenceInput } from './reference-input.js';

const OPERATORS: Readonly<Record<string, string>> = {
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

/** Wording for lists, such as tags. */
const OF_LISTS: Readonly<Record<string, string>> = { '': 'has', n: 'has not', all: 'has also' };

const saidOf = ({ type }: Field, operator: string): string =>
  (type === 'array' ? OF_LISTS[operator] : undefined) ?? OPERATORS[operator] ?? operator;

const partsOf = (name: string): string[] => name.split('__');
const isFilter = (collection: Collection, name: string): boolean =>
  collection.filters.some((filter) => filter.name === partsOf(name)[0]);

const isDay = ({ day, format }: Field): boolean => day === true || format === 'date';
const isTime = (field: Field): boolean =>
  !isDay(field) && (field.format === 'date-time' || ['from', 'to', 'at'].includes(field.name));

/** A filter with what its field declares. */
const fieldOf = (collection: Collection, name: string): Field & { operators?: string[] } => {
  const filter = collection.filters.find((one) => one.name === partsOf(name)[0])!;
  return { ...fieldsOf(collection.type).find((field) => field.name === filter.name), ...filter };
};

/** The active filters, each with a button that removes it, and a form to add one. */
export function Filters({
  collection,
  query,
  set,
}: {
  collection: Collection;
  query: URLSearchParams;
  set: (value: any) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const active = [...query].filter(([name]) => isFilter(collection, name));
  const without = (name: string, value: string): void => {
    const left = query.getAll(name).filter((one) => one !== value);
    set({ [name]: left, page: undefined });
  };
  if (collection.filters.length === 0) return null;
  return (
    <div class="filters">
      {active.map(([name, value]) => {
        const [, operator = ''] = partsOf(name);
        const field = fieldOf(collection, name);
        return (
          <Chosen removal={`Remove the filter ${labelOf(field)}`} remove={() => without(name, value)}>
            {labelOf(field)}{' '}
            {operator === 'empty' ? (value === 'true' ? 'is empty' : 'is not empty') : saidOf(field, operator)}{' '}
            {operator !== 'empty' && (
              <strong>
                <Given field={field} value={value} />
              </strong>
            )}
          </Chosen>
        );
      })}
      <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="funnel" />
        {isOpen ? 'Close' : 'Filter'}
      </button>
      {isOpen && (
        <NewFilter
          collection={collection}
          add={(name, value) => {
            setOpen(false);
            set({ [name]: name.endsWith('__empty') ? value : [...query.getAll(name), value], page: undefined });
          }}
        />
      )}
    </div>
  );
}

/** The value of a filter, as that of a record. */
function Given({ field, value }: { field: Field; value: string }) {
  if (field.references && collectionOf(field.references)) return <Reference resource={field.references} id={value} />;
  if (field.type === 'boolean') return <>{value === 'true' ? 'Yes' : 'No'}</>;
  if (isDay(field)) return <Day value={value.slice(0, 10)} />;
  return field.format === 'date-time' ? <Time value={value} /> : <bdi>{value}</bdi>;
}

function NewFilter({ collection, add }: { collection: Collection; add: (name: string, value: string) => void }) {
  const choices = collection.filters.filter(({ name }) => name !== 'id');
  const first = choices.find(({ name }) => name === 'status') ?? choices[0]!;
  const [name, setName] = useState(first.name);
  const [operator, setOperator] = useState('');
  const [value, setValue] = useState('');
  const field = fieldOf(collection, name);
  const operators = ['', ...(field.operators ?? [])];
  const submit = (event: Event): void => {
    event.preventDefault();
    const given = operator === 'empty' ? value || 'true' : value;
    if (given === '') return;
    add(operator ? `${name}__${operator}` : name, given);
  };
  return (
    <form class="new-filter" onSubmit={submit}>
      <label>
        Field
        <select
          value={name}
          onChange={({ currentTarget: target }) => {
            setName(target.value);
            setOperator('');
            setValue('');
          }}
        >
          {choices.map((one) => (
            <option value={one.name}>{labelOf(fieldOf(collection, one.name))}</option>
          ))}
        </select>
      </label>
      {operators.length > 1 && (
        <label>
          Comparison
          <select
            value={operator}
            onChange={({ currentTarget: target }) => {
              setOperator(target.value);
              setValue('');
            }}
          >
            {operators.map((one) => (
              <option value={one}>{saidOf(field, one)}</option>
            ))}
          </select>
        </label>
      )}
      <FilterValue key={`${name} ${operator}`} field={field} operator={operator} value={value} set={setValue} />
      <button class="primary">Add</button>
    </form>
  );
}

function FilterValue({
  field,
  operator,
  value,
  set,
}: {
  field: Field;
  operator: string;
  value: any;
  set: (value: any) => void;
}) {
  const choose = (options: [string, string][]) => (
    <label>
      Value
      <select value={value} onChange={({ currentTarget: target }) => set(target.value)}>
        <option value="" disabled>
          Choose
        </option>
        {options.map(([one, label]) => (
          <option value={one}>{label}</option>
        ))}
      </select>
    </label>
  );
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
  if (field.values && ['', 'n', 'all'].includes(operator))
    return choose(field.values.map((one) => [String(one), field.custom ? String(one) : labelOf(String(one))]));
  if (field.references && collectionOf(field.references))
    return (
      <ReferenceInput label="Value" resource={field.references} value={value || null} set={(id) => set(id ?? '')} />
    );
  if (isTime(field) || isDay(field)) {
    const When = isTime(field) ? InstantInput : DateInput;
    return (
      <div class="control">
        <label for="filter-value">Value</label>
        <When value={value || null} set={(one) => set(one ?? '')} common={{ id: 'filter-value' }} />
      </div>
    );
  }
  const list = field.known ? `known-${field.name}` : undefined;
  return (
    <label>
      Value
      <input
        type="text"
        value={value}
        list={list}
        onInput={({ currentTarget: target }) => set(target.value)}
        required
      />
      {list && (
        <datalist id={list}>
          {field.known?.map((one) => (
            <option value={one} />
          ))}
        </datalist>
      )}
    </label>
  );
}
