/* Colours by their names: as they are read, and as one is chosen. */

import { useState } from 'preact/hooks';
import type { Common } from './types.js';

/** Those of cables and roles, as NetBox names them too, so that what was moved in has names. */
const COLOURS: readonly (readonly [value: string, name: string])[] = [
  ['#aa1409', 'Dark red'],
  ['#f44336', 'Red'],
  ['#e91e63', 'Pink'],
  ['#9c27b0', 'Purple'],
  ['#3f51b5', 'Indigo'],
  ['#2196f3', 'Blue'],
  ['#00bcd4', 'Cyan'],
  ['#009688', 'Teal'],
  ['#00ffff', 'Aqua'],
  ['#2f6a31', 'Dark green'],
  ['#4caf50', 'Green'],
  ['#cddc39', 'Lime'],
  ['#ffeb3b', 'Yellow'],
  ['#ffc107', 'Amber'],
  ['#ff9800', 'Orange'],
  ['#795548', 'Brown'],
  ['#9e9e9e', 'Grey'],
  ['#111111', 'Black'],
  ['#ffffff', 'White'],
];
const COLOUR = /^#[\da-f]{6}$/i;

const nameOf = (value: string): string => COLOURS.find(([one]) => one === value.toLowerCase())?.[1] ?? value;

/** @param isShort where there is no room for the name, which is then read on hover */
export const Colour = ({ value, isShort = false }: { value: string; isShort?: boolean }) => (
  <>
    {COLOUR.test(value) && <span class="swatch" title={nameOf(value)} style={{ background: value }} />}
    {!isShort && <bdi>{nameOf(value)}</bdi>}
  </>
);

/** One of the named colours, another one, or none. */
export function ColourInput({
  value,
  set,
  common,
  label,
}: {
  value: string | null | undefined;
  set: (value: string | null) => void;
  common: Common;
  label: string;
}) {
  const chosen = (value ?? '').toLowerCase();
  const [isOther, setOther] = useState(chosen !== '' && !COLOURS.some(([one]) => one === chosen));
  const choice = (name: string, isChosen: boolean, choose: () => void, color?: string) => (
    <label key={name} title={name} class={color ? undefined : 'in-words'}>
      <input type="radio" name={common.id} checked={isChosen} aria-label={name} onChange={choose} />
      {color ? <span class="swatch" style={{ background: color }} /> : name}
    </label>
  );
  return (
    <div
      id={common.id}
      class="colours"
      role="radiogroup"
      aria-label={label}
      aria-describedby={common['aria-describedby']}
    >
      {choice('None', chosen === '' && !isOther, () => {
        setOther(false);
        set(null);
      })}
      {COLOURS.map(([one, name]) => choice(name, !isOther && chosen === one, () => (setOther(false), set(one)), one))}
      {choice('Other', isOther, () => setOther(true))}
      {isOther && (
        <input
          type="color"
          aria-label="Other colour"
          value={COLOUR.test(chosen) ? chosen : '#000000'}
          onInput={({ currentTarget: target }) => set(target.value)}
        />
      )}
      {chosen !== '' && <span class="muted">{nameOf(chosen)}</span>}
    </div>
  );
}
