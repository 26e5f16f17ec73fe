/* Names that were typed and stand for nothing yet. A form is not sent while it has one: what was typed would vanish. */

import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

type Resolver = () => Promise<boolean>;
const resolvers = new Map<HTMLElement, Resolver>();

/**
 * Says that an input may have a text that nobody has chosen.
 * @param resolve takes what the text can only mean. False if it means nothing, or several
 */
export function useUnchosen(input: RefObject<HTMLElement | null>, resolve: Resolver): void {
  const latest = useRef(resolve);
  latest.current = resolve;
  useEffect(() => {
    const element = input.current!;
    resolvers.set(element, () => latest.current());
    return () => void resolvers.delete(element);
  }, []);
}

/** The inputs of a form, and those that stand beside all forms. */
const inputsOf = (form: EventTarget | null): [HTMLElement, Resolver][] =>
  [...resolvers].filter(([element]) => {
    const own = element.closest('form');
    return own === form || (own === null && element.closest('main')?.contains(form as Node));
  });

/** The form that is sent again, because all its names are chosen. */
let resolved: EventTarget | null = null;

async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  for (const [element, resolve] of inputsOf(form))
    if (!(await resolve())) {
      element.focus();
      return;
    }
  // What was chosen is in the form once it has been drawn.
  setTimeout(() => {
    resolved = form;
    form.requestSubmit(submitter?.isConnected ? submitter : null);
    resolved = null;
  });
}

/** Before any form hears of it. */
export const chooseBeforeSending = (): void =>
  addEventListener(
    'submit',
    (event) => {
      if (event.target === resolved || inputsOf(event.target).length === 0) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      void send(event.target as HTMLFormElement, event.submitter);
    },
    true,
  );
