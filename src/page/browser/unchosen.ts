/* Typed names that do not stand for a record yet. A form with one cannot be submitted, because the text would be lost. */

import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

type Resolver = () => Promise<boolean>;
const resolvers = new Map<HTMLElement, Resolver>();

/**
 * Registers an input that may have an unresolved text.
 * @param resolve accepts the only possible meaning of the text. False if there is none, or several
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

/** The form that is submitted again, because all its names are resolved. */
let resolved: EventTarget | null = null;

async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  for (const [element, resolve] of inputsOf(form))
    if (!(await resolve())) {
      element.focus();
      return;
    }
  // The choice is in the form after the next drawing.
  setTimeout(() => {
    resolved = form;
    form.requestSubmit(submitter?.isConnected ? submitter : null);
    resolved = null;
  });
}

/** Runs before the handlers of forms. */
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
