/* The conditions of a webhook: a row for each, and what they mean in a sentence. */

import { Control } from '../inputs.js';
import { Icon } from '../icon.js';
import { TagsInput } from '../tags-input.js';
import { labelOf } from '../model.js';
import type { InputProps } from '../types.js';
import { becomingOf, type Condition, fieldsOfResource, oneValueOf, rowsOf, type When, WHENS } from './conditions.js';
import { Sentence } from './sentence.js';

export function ConditionsInput({ value, set, common, record }: InputProps) {
  const [resource, ...more] = (record.resources ?? []) as string[];
  const fields = fieldsOfResource(more.length > 0 ? undefined : resource);
  const rows = rowsOf(value, record.fields ?? []);
  const change = (at: number, next: Partial<Condition>): void =>
    set({ rows: rows.map((row, index) => (index === at ? { ...row, ...next } : row)) });
  return (
    <div id={common.id} role="group" aria-label="Conditions" aria-describedby={common['aria-describedby']}>
      {rows.map(({ name, when, value: wanted }, at) => {
        const field = fields.find((one) => one.name === name);
        const own = { id: `${common.id}-${at}`, 'aria-describedby': undefined, 'aria-invalid': undefined };
        return (
          <div class="condition" key={`${at} ${name}`} role="group" aria-label={`Condition ${at + 1}`}>
            <select
              aria-label="Field"
              value={name}
              onChange={({ currentTarget }) => change(at, { name: currentTarget.value, value: null })}
            >
              {!field && <option value={name}>{labelOf(name)}</option>}
              {fields.map((one) => (
                <option key={one.name} value={one.name}>
                  {labelOf(one)}
                </option>
              ))}
            </select>
            <select
              aria-label="When"
              value={when}
              onChange={({ currentTarget }) => change(at, { when: currentTarget.value as When })}
            >
              {WHENS.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
            <span>
              <label class="hidden" for={own.id}>
                Value
              </label>
              <Control
                field={oneValueOf(field ?? { name, type: 'string' })}
                value={wanted}
                set={(next) => change(at, { value: next })}
                common={own}
                label="Value"
                parts={{}}
                record={{}}
              />
            </span>
            <button
              type="button"
              class="quiet icon-only"
              aria-label={`Remove condition ${at + 1}`}
              onClick={() => set({ rows: rows.filter((_, index) => index !== at) })}
            >
              <Icon name="x-mark" />
            </button>
          </div>
        );
      })}
      {fields.length === 0 ? (
        <p class="muted">Choose one kind of record above for conditions on its fields.</p>
      ) : (
        <button
          type="button"
          onClick={() => {
            const { name } = fields.find((one) => one.name === 'status') ?? fields[0]!;
            set({ rows: [...rows, { name, when: 'becomes', value: null }] });
          }}
        >
          <Icon name="plus" />
          Add a condition
        </button>
      )}
      <p class="sentence" role="status">
        <Sentence record={{ ...record, where: value }} />
      </p>
    </div>
  );
}

/** The fields that must have changed, without those that become a value: their condition says so. */
export function ChangedInput({ field, value, set, common, record }: InputProps) {
  const becoming = becomingOf(rowsOf(record.where, value ?? []));
  const others = ((value ?? []) as string[]).filter((name) => !becoming.includes(name));
  return (
    <TagsInput
      field={{ ...field, values: (field.values as string[]).filter((name) => !becoming.includes(name)) }}
      value={others}
      set={(next) => set([...becoming, ...next])}
      common={common}
    />
  );
}
