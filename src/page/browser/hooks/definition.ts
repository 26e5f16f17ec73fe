/* The form of a webhook, made of choices: kinds of records, what happens to them, their fields, and conditions. */

import { byName } from '../locale.js';
import { capital, customisable, labelOf } from '../model.js';
import { onDemand } from '../on-demand.js';
import type { Field, InputProps, Shape, Values } from '../types.js';
import { DONE } from '../../../fields/labels.js';
import { bodyOf, fieldsOfResource } from './conditions.js';

const Conditions = onDemand<InputProps>(() => import('./conditions-input.js').then((one) => one.ConditionsInput));

const Changed = onDemand<InputProps>(() => import('./conditions-input.js').then((one) => one.ChangedInput));

/** Choices by their words, in the order of these. */
const chosenFrom = (field: Field, words: Readonly<Record<string, string>>): Field => ({
  ...field,
  values: Object.keys(words).toSorted((one, other) => byName(words[one]!, words[other]!)),
  words,
});

function inputOf(field: Field, values: Values): Field {
  const resources = (values.resources ?? []) as string[];
  switch (field.name) {
    case 'resources':
      return {
        ...chosenFrom(
          field,
          Object.fromEntries(Object.entries(customisable()).map(([one, label]) => [one, capital(label)])),
        ),
        label: 'Sends when',
        chips: true,
        description: 'Kinds of records. Any record, if empty',
      };
    case 'actions':
      return {
        ...field,
        label: 'Is',
        words: Object.fromEntries(Object.entries(DONE).map(([action, done]) => [action, capital(done)])),
        description: 'Any of these, if none is ticked',
      };
    case 'fields':
      return {
        ...chosenFrom(
          field,
          Object.fromEntries(resources.flatMap(fieldsOfResource).map((one) => [one.name, labelOf(one)])),
        ),
        label: 'Only if these changed',
        chips: true,
        input: Changed,
        description: 'A change is sent if it changed one of these fields. Any field, if empty',
      };
    case 'where':
      return {
        ...field,
        label: 'And',
        input: Conditions,
        description:
          'All of them must be true. A field becomes a value if the change is about this field; it was the value before the change. ' +
          'Of several values of one field, one is enough',
      };
    default:
      return field;
  }
}

const ORDER = ['name', 'url', 'resources', 'actions', 'where', 'fields'];

/** Fields that become a value are in its condition, and not also among those that must have changed. */
const fieldsFor = (all: Field[], values: Values): Field[] => [
  ...ORDER.flatMap((name) => all.find((one) => one.name === name) ?? []).map((field) => inputOf(field, values)),
  ...all.filter(({ name }) => !ORDER.includes(name)),
];

export const HOOKS: Shape = { fields: fieldsFor, body: bodyOf };

/** The form of a token: the networks that it may be used from are chips. */
export const TOKENS: Shape = {
  fields: (all) => all.map((field) => (field.name === 'allowedNetworks' ? { ...field, chips: true as const } : field)),
  body: (body) => body,
};
