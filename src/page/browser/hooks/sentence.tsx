/* When a webhook sends, in a sentence. */

import { Fragment, type ComponentChildren } from 'preact';
import { wordOf } from '../inputs.js';
import { labelOf, lower, oneOf } from '../model.js';
import { Reference } from '../names.js';
import type { PanelProps, Values } from '../types.js';
import { DONE } from '../../../fields/labels.js';
import { becomingOf, fieldsOfResource, grouped, type Held, rowsOf } from './conditions.js';

/** All that a webhook sends. */
const ACTIONS = ['create', 'update', 'delete'];

/** `a, b or c` */
const listed = (parts: readonly ComponentChildren[], last: 'and' | 'or'): ComponentChildren =>
  parts.map((part, at) => (
    <Fragment key={at}>
      {at > 0 && (at === parts.length - 1 ? ` ${last} ` : ', ')}
      {part}
    </Fragment>
  ));

const withArticle = (word: string): string => `${/^(?:[aeiou]|IP|SLA|MAC)/.test(word) ? 'an' : 'a'} ${word}`;

export function Sentence({ record: { resources = [], actions = [], fields = [], where } }: { record: Values }) {
  const known = fieldsOfResource(resources[0]);
  const fieldOf = (name: string) => known.find((field) => field.name === name) ?? { name };
  const labelled = (name: string): string => `its ${lower(labelOf(fieldOf(name)))}`;
  const said = (name: string, value: unknown): ComponentChildren => {
    const field = fieldOf(name);
    if (value === null) return 'empty';
    if (field.references) return <Reference resource={field.references} id={String(value)} />;
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    return <strong>{field.values || field.known ? wordOf(field, value) : String(value)}</strong>;
  };
  const done = (actions.length === 0 ? ACTIONS : actions) as string[];
  const rows = rowsOf(where as Held, fields as string[]);
  const becoming = becomingOf(rows);
  const others = (fields as string[]).filter((name) => !becoming.includes(name));
  const hasOthers = others.length > 0 && done.includes('update');
  const conditions = grouped(rows).map((same) => {
    const { name, when } = same[0]!;
    const values = same.map(({ value }) => said(name, value));
    return (
      <>
        {labelled(name)} {when} {listed(values, 'or')}
      </>
    );
  });
  const things = (resources as string[]).map((one) => withArticle(oneOf(one)));
  return (
    <>
      Sends when {things.length === 0 ? 'any record' : listed(things, 'or')} is{' '}
      {listed(
        done.map((one) => DONE[one]),
        'or',
      )}
      {hasOthers && <> (if changed: {listed(others.map(labelled), 'or')})</>}
      {conditions.length > 0 && <>, and {listed(conditions, 'and')}</>}.
    </>
  );
}

/** Above the fields of a webhook. */
export const SendsWhen = ({ record }: PanelProps) => (
  <p class="sentence">
    <Sentence record={record} />
  </p>
);
