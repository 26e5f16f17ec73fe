/* The frame of a form: heading, faults, inputs, and the row of buttons. */

import type { ComponentChildren, Ref } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { AtOnce } from './at-once.js';
import { labelOf } from './model.js';
import { Failure, Title } from './parts.js';
import { guard } from './route.js';
import { LocalInput } from './time-inputs.js';
import type { Crumb, Fault } from './types.js';

/** Ctrl+Enter in any input activates the button of its form, if it is enabled. */
export function saveByKey(event: KeyboardEvent): void {
  const form = (event.target as HTMLElement).closest('form');
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || (event.target as HTMLElement).closest('a')) return;
  event.preventDefault();
  // A choice by this key is in the form only after the next drawing.
  setTimeout(() => form?.querySelector<HTMLButtonElement>('button.primary')?.click());
}

/** The state of a task. */
export interface Doing {
  /** The refusal of the service. */
  error: Fault | undefined;
  /** The same in the words of the form. */
  said: Fault | undefined;
  refuse: (error: Fault | undefined) => void;
  isBusy: boolean;
  submit: (event: Event) => void;
  /** Marks the task as begun, if it does not notice input itself. */
  touch: (() => void) | undefined;
}

export const LEAVING = 'Leave without saving what you typed?';

interface Task {
  /** Translates a refusal to the words of the form. */
  named?: (error: Fault) => Fault;
  /** Whether leaving would lose input; by default after any input. */
  isTouched?: boolean;
  /** What is asked then. */
  question?: string;
}

/** What is said above the faults of some fields. */
export const anotherLook = (count: number): string =>
  `${count === 1 ? 'One field needs' : `${count} fields need`} another look.`;

/** Faults by the labels of their fields, instead of the paths of the body. */
const labelled = ({ message, status, details = [], against }: Fault): Fault => ({
  message: details.some(({ field }) => message.startsWith(`${field} `)) ? anotherLook(details.length) : message,
  status,
  against,
  details: details.map(({ field, message: why }) => ({ field: labelOf(field), message: why })),
});

/** @param perform submits the values, and throws Refused. It returns `stays` if the form is still needed */
export function useTask(
  perform: () => Promise<void | 'stays'>,
  { named = labelled, isTouched, question = LEAVING }: Task = {},
): Doing {
  const [{ error, said }, setError] = useState<Pick<Doing, 'error' | 'said'>>({ error: undefined, said: undefined });
  const [isBusy, setBusy] = useState(false);
  const release = useRef(() => {});
  // Does not draw, because a checkbox that is drawn between its events would not change.
  const touch = (): void => void (release.current = guard(() => confirm(question)));
  useEffect(() => {
    if (isTouched) touch();
    return () => release.current();
  }, [isTouched]);
  const refuse = (refused: Fault | undefined): void => setError({ error: refused, said: refused && named(refused) });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    refuse(undefined);
    try {
      // There is nothing to lose any more. The view hears later of the next address.
      if ((await perform()) !== 'stays') return void guard(undefined);
    } catch (refused) {
      // The login dialog shows the reason, and the form stays the same.
      if ((refused as Fault).status !== 401) refuse(refused as Fault);
    }
    setBusy(false);
  };
  return {
    error,
    said,
    refuse,
    isBusy,
    submit: (event) => void submit(event),
    touch: isTouched === undefined ? touch : undefined,
  };
}

export interface FrameProps {
  doing: Pick<Doing, 'isBusy' | 'submit'> & Partial<Pick<Doing, 'said' | 'touch'>>;
  /** What the button says. */
  label: ComponentChildren;
  /** The address or function that cancels the form. */
  cancel: string | (() => void);
  isReady?: boolean;
  /** Whether it is recorded in the open change set instead of being carried out. */
  isPlanned?: boolean;
  /** Heading of a view of its own. */
  title?: string;
  crumbs?: Crumb[];
  meta?: string;
  className?: string;
  /** Replaces the message of the service. */
  faults?: ComponentChildren;
  /** The service reports the faults of inputs, not the browser. */
  novalidate?: boolean;
  element?: Ref<HTMLFormElement>;
  children: ComponentChildren;
}

export function Frame({
  doing: { said, isBusy, submit, touch },
  label,
  cancel,
  isReady = true,
  isPlanned = false,
  title,
  crumbs,
  meta,
  className = '',
  faults = said && <Failure error={said} />,
  novalidate,
  element,
  children,
}: FrameProps) {
  return (
    <>
      {title !== undefined && <Title text={title} crumbs={crumbs} meta={meta} />}
      <form
        class={`form ${className}`}
        ref={element}
        novalidate={novalidate}
        aria-busy={isBusy}
        onSubmit={submit}
        onInput={touch}
        onKeyDown={saveByKey}
      >
        {faults}
        {children}
        <p class="tools submit">
          <button class="primary" disabled={isBusy || !isReady}>
            {label}
          </button>
          {typeof cancel === 'string' ? (
            <a class="button" href={cancel}>
              Cancel
            </a>
          ) : (
            <button type="button" onClick={cancel}>
              Cancel
            </button>
          )}
          {!isPlanned && <AtOnce />}
        </p>
      </form>
    </>
  );
}

interface TextProps {
  id: string;
  label: string;
  value: string;
  set: (value: string) => void;
}

export const TextInput = ({ id, label, value, set }: TextProps) => (
  <div class="control">
    <label for={id}>{label}</label>
    <input
      id={id}
      autocomplete="off"
      dir="auto"
      value={value}
      onInput={({ currentTarget: input }) => set(input.value)}
    />
  </div>
);

/** A time by the clocks of a zone. */
export const TimeInput = ({ id, label, value, set, zone }: TextProps & { zone: string }) => (
  <div class="control">
    <label for={id}>{label}</label>
    <LocalInput local={value} set={set} common={{ id }} zone={zone} />
  </div>
);
