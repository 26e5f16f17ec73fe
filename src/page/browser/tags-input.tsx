/* The input for several words, such as tags: chips, and a text field with completion. */

import { useState } from 'preact/hooks';
import { get, queryOf } from './api.js';
import { byName } from './locale.js';
import { collectionOf } from './model.js';
import { Chosen } from './parts.js';
import type { Common, Field, Row } from './types.js';

/** Number of recently changed records whose tags are offered. */
const MOST = 50;

/** The words of other records, which are offered where there are no allowed ones. */
async function offeredOf({ name, custom }: Field): Promise<string[]> {
  const path = collectionOf(custom ?? '')?.path;
  if (!path || path.includes('{')) return [];
  const asked = { [`${name}__empty`]: false, sort: 'updatedAt', order: 'desc', pageSize: MOST };
  const { data } = await get(`${path}${queryOf(asked)}`);
  return [...new Set((data as Row[]).flatMap((row) => row[name] as string[]))].toSorted(byName);
}

export function TagsInput({
  field,
  value,
  set,
  common,
}: {
  field: Field;
  value: string[];
  set: (value: string[]) => void;
  common: Common;
}) {
  const [text, setText] = useState('');
  const [ofOthers, setOffered] = useState<string[]>();
  const offered = (field.values as string[] | undefined) ?? ofOthers;
  const saidOf = (one: string): string => field.words?.[one] ?? one;
  /** The value of a displayed word. An unknown one is sent unchanged, so that the service reports it. */
  const meant = (said: string): string =>
    (offered ?? []).find((one) => saidOf(one).toLowerCase() === said.toLowerCase()) ?? said;
  const add = (given: string): void => {
    const words = given
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
    setText('');
    if (words.length > 0) set([...new Set([...value, ...words.map(meant)])]);
  };
  const ask = (): void => {
    if (offered) return;
    setOffered([]);
    offeredOf(field).then(setOffered, () => {});
  };
  return (
    <span class="tags">
      {value.map((one) => (
        <Chosen key={one} removal={`Remove ${saidOf(one)}`} remove={() => set(value.filter((other) => other !== one))}>
          <bdi>{saidOf(one)}</bdi>
        </Chosen>
      ))}
      <input
        {...common}
        list={`${common.id}-offered`}
        dir="auto"
        autocomplete="off"
        placeholder={value.length === 0 ? 'Enter after each' : undefined}
        value={text}
        onFocus={ask}
        onInput={({ currentTarget: target, inputType }) => {
          // A word that was chosen from the list is complete.
          if (target.value.includes(',') || inputType === 'insertReplacementText') add(target.value);
          else setText(target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && text.trim() !== '') {
            event.preventDefault();
            add(text);
          } else if (event.key === 'Backspace' && text === '') set(value.slice(0, -1));
        }}
        onBlur={() => add(text)}
      />
      <datalist id={`${common.id}-offered`}>
        {offered
          ?.filter((one) => !value.includes(one))
          .map((one) => (
            <option key={one} value={saidOf(one)} />
          ))}
      </datalist>
    </span>
  );
}
