/* The form of a custom field. Its inputs depend on the type. */

import { byName } from '../locale.js';
import { capital, collectionOf, customisable } from '../model.js';
import type { Field, Shape, Values } from '../types.js';

const TYPE_WORDS: Readonly<Record<string, string>> = {
  text: 'Text',
  integer: 'Whole number',
  decimal: 'Decimal number',
  boolean: 'Yes or no',
  date: 'Date',
  dateTime: 'Date and time',
  url: 'Web address',
  choice: 'One of several choices',
  tags: 'Tags',
  reference: 'Another record',
};

/** The settings that a type has, besides those that all have. */
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  text: ['pattern', 'default', 'required', 'unique', 'searched'],
  integer: ['minimum', 'maximum', 'default', 'required', 'unique'],
  decimal: ['minimum', 'maximum', 'default', 'required', 'unique'],
  boolean: ['default', 'required'],
  date: ['minimum', 'maximum', 'default', 'required', 'unique'],
  dateTime: ['minimum', 'maximum', 'default', 'required', 'unique'],
  url: ['pattern', 'default', 'required', 'unique', 'searched'],
  choice: ['choices', 'default', 'required', 'unique', 'searched'],
  tags: ['choices', 'default', 'required', 'searched'],
  reference: ['target', 'default', 'unique'],
};

/** The inputs for the values of a type. */
const VALUES: Readonly<Record<string, Partial<Field>>> = {
  text: { type: 'string' },
  integer: { type: 'integer' },
  decimal: { type: 'string', decimal: true },
  boolean: { type: 'boolean', nullable: true },
  date: { type: 'string', format: 'date' },
  dateTime: { type: 'string', format: 'date-time' },
  url: { type: 'string', format: 'uri' },
  choice: { type: 'string', nullable: true },
  tags: { type: 'array' },
  reference: { type: 'string', format: 'uuid' },
};

const ORDER = ['label', 'key', 'type', 'choices', 'target', 'resources', 'required', 'unique', 'default'];
const ORDERED = [...ORDER, 'minimum', 'maximum', 'pattern', 'searched', 'description', 'position'];
const ALWAYS = ['label', 'key', 'type', 'resources', 'description', 'position'];
const FIXED = ['key', 'type', 'target'];

/** The key of a field, derived from its label: `costCentre`. */
const keyOf = (label: string): string => {
  const words = label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[^A-Za-z\d]+/)
    .filter((word) => word !== '');
  return words.map((word, at) => (at === 0 ? word.toLowerCase() : capital(word.toLowerCase()))).join('');
};

function inputOf(field: Field, values: Values): Field {
  const words = Object.fromEntries(Object.entries(customisable()).map(([name, label]) => [name, capital(label)]));
  const resources = Object.keys(words).toSorted((a, b) => byName(words[a]!, words[b]!));
  const ofValue = { ...field, ...VALUES[values.type as string], nullable: true as const };
  const choices = (values.choices ?? []) as string[];
  switch (field.name) {
    case 'key':
      return {
        ...field,
        required: values.label ? undefined : true,
        hint: keyOf(values.label ?? ''),
        description: 'Name in files, filters and programs; cannot be changed later',
      };
    case 'type':
      return { ...field, words: TYPE_WORDS, description: 'Cannot be changed later' };
    case 'resources':
      return {
        ...field,
        label: 'Records',
        values: resources,
        words,
        description: 'Lists whose records have the field',
      };
    case 'target':
      return {
        ...field,
        label: 'List',
        values: resources.filter((one) => collectionOf(one) !== undefined),
        words,
        required: true,
        description: 'List of the other record; cannot be changed later',
      };
    case 'choices':
      return values.type === 'choice'
        ? { ...field, required: true, description: 'The allowed values' }
        : { ...field, description: 'The allowed words; any word, if empty' };
    case 'required':
      return {
        ...field,
        description: 'Every record must have a value. If there are records already, fill it in first',
      };
    case 'searched':
      return { ...field, description: 'The search over everything finds records by its values' };
    case 'description':
      return { ...field, description: 'Is shown beside the input' };
    case 'minimum':
    case 'maximum':
      return ofValue;
    case 'default':
      if (values.type === 'reference') return { ...ofValue, references: values.target ?? undefined };
      if (values.type !== 'choice' && values.type !== 'tags') return ofValue;
      return {
        ...ofValue,
        values: choices.length > 0 || values.type === 'choice' ? choices : undefined,
        words: Object.fromEntries(choices.map((one) => [one, one])),
      };
    default:
      return field;
  }
}

function fieldsFor(all: Field[], values: Values): Field[] {
  const asked = [...ALWAYS, ...(SETTINGS[values.type as string] ?? [])];
  return ORDERED.flatMap((name) => {
    const field = asked.includes(name) ? all.find((one) => one.name === name) : undefined;
    return field ? [inputOf(field, values)] : [];
  });
}

/** An empty list means that there are no choices. */
const withoutEmpty = (body: Values): Values =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, Array.isArray(value) && value.length === 0 ? null : value]),
  );

export const DEFINING: Shape = {
  fields: fieldsFor,
  body: (body, { key, label }) => withoutEmpty({ ...body, key: key || keyOf(label ?? '') }),
};

export const REDEFINING: Shape = {
  fields: (all, values) => fieldsFor(all, values).filter(({ name }) => !FIXED.includes(name)),
  body: withoutEmpty,
};
