/* Inputs for times and dates: a text as one writes it, and the calendar of the browser. */

import { useRef, useState } from 'preact/hooks';
import { Icon } from './icon.js';
import { LOCALE } from './locale.js';
import { readersTime, toLocal } from './times.js';
import { clockTime, typedDate, typedTime, writtenTime } from './typed-times.js';
import type { Common } from './types.js';
import { useUnchosen } from './unchosen.js';
import { instantIn, READERS } from './zones.js';

interface Written {
  common: Partial<Common>;
  /** As a clock shows it: `2026-12-24T22:00`, or `2026-12-24`; empty for none. */
  local: string;
  /** Gets what a text means, and the text itself; undefined for a text that is no time. */
  set: (local: string | undefined, text: string) => void;
  /** What a text means, or undefined. */
  read: (text: string) => string | undefined;
  isDate?: boolean;
}

const SAID = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;

/** A time in words, for who has typed `tomorrow`. */
const saidOf = (local: string): string =>
  new Intl.DateTimeFormat(LOCALE, { ...SAID, ...(local.length > 10 && { hour: '2-digit', minute: '2-digit' }) }).format(
    clockTime(local),
  );

function WrittenTime({ common, local, set, read, isDate = false }: Written) {
  const input = useRef<HTMLInputElement>(null);
  const calendar = useRef<HTMLInputElement>(null);
  /** The text, while it is typed or if it means nothing, and the time that it gave. It ends when something else sets the time. */
  const [draft, setDraft] = useState<{ text: string; gave: string }>();
  const [isLeft, setLeft] = useState(false);
  const typed = draft?.gave === local ? draft.text : undefined;
  const isMeant = typed === undefined || typed.trim() === '' || local !== '';
  const give = (text: string): string => {
    const meant = read(text);
    setLeft(false);
    set(meant, text);
    return meant ?? '';
  };
  const type = (text: string): void => setDraft({ text, gave: give(text) });
  const take = (text: string): void => {
    setDraft(undefined);
    give(text);
  };
  // A time that is pasted replaces the text.
  const paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData('text') ?? '';
    if (read(text) === undefined) return;
    event.preventDefault();
    take(text);
  };
  const leave = (): void => (isMeant ? setDraft(undefined) : setLeft(true));
  useUnchosen(input, () => {
    leave();
    return Promise.resolve(isMeant);
  });
  const refused = isLeft && !isMeant ? typed : undefined;
  const said = typed !== undefined && local !== '' && typed !== writtenTime(local) ? saidOf(local) : undefined;
  return (
    <>
      <input
        ref={input}
        type="text"
        {...common}
        aria-invalid={refused === undefined ? common['aria-invalid'] : 'true'}
        autocomplete="off"
        placeholder={isDate ? 'Date, or “tomorrow”' : 'Time, or “tomorrow 22:00”'}
        value={typed ?? writtenTime(local)}
        onInput={({ currentTarget: target }) => type(target.value)}
        onPaste={paste}
        onBlur={leave}
      />
      <span class="calendar">
        <button
          type="button"
          class="quiet icon-only"
          tabindex={-1}
          aria-label="Calendar"
          onClick={() => calendar.current!.showPicker()}
        >
          <Icon name="calendar" />
        </button>
        {/* The browser places its calendar at this input. */}
        <input
          ref={calendar}
          class="hidden"
          type={isDate ? 'date' : 'datetime-local'}
          tabindex={-1}
          aria-hidden="true"
          value={local}
          onChange={({ currentTarget: target }) => take(target.value)}
        />
      </span>
      {said !== undefined && (
        <span class="muted meant" role="status">
          {said}
        </span>
      )}
      {refused !== undefined && (
        <span class="fault" role="alert">
          “<bdi>{refused.slice(0, 60)}</bdi>” is no {isDate ? 'date' : 'time'}. Write it as{' '}
          {writtenTime(isDate ? '2026-12-24' : '2026-12-24T22:00')}.
        </span>
      )}
    </>
  );
}

/** A time by the clocks of a zone. Empty for a text that is no time. */
export const LocalInput = ({
  local,
  set,
  common,
  zone,
}: {
  local: string;
  set: (local: string) => void;
  common: Partial<Common>;
  zone?: string;
}) => (
  <span class="line instant">
    <WrittenTime
      common={common}
      local={local}
      set={(next) => set(next ?? '')}
      read={(text) => typedTime(text, zone ?? READERS)}
    />
    {zone && <span class="muted">{zone}</span>}
  </span>
);

interface TimeProps {
  value: any;
  set: (value: any) => void;
  common: Partial<Common>;
}

export const DateInput = ({ value, set, common }: TimeProps) => (
  <span class="line instant">
    <WrittenTime
      isDate
      common={common}
      local={(value ?? '').slice(0, 10)}
      set={(next) => set(next ?? null)}
      read={(text) => typedDate(text, READERS)}
    />
  </span>
);

/** An instant, by the clocks of the reader. If they show a time twice, the one nearer to the former instant counts. */
export function InstantInput({ value, set, common }: TimeProps) {
  const read = (text: string): string | undefined => {
    const local = typedTime(text, READERS);
    // Clocks that go forward skip an hour.
    return local !== undefined && instantIn(local, READERS) !== undefined ? local : undefined;
  };
  return (
    <span class="line instant">
      <WrittenTime
        common={common}
        local={toLocal(value)}
        set={(next, text) => set(next === undefined ? null : (readersTime(text, value) ?? readersTime(next, value)))}
        read={read}
      />
      <button
        type="button"
        class="quiet"
        onClick={() => set(new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString())}
      >
        Now
      </button>
      <span class="muted">{READERS}</span>
    </span>
  );
}
