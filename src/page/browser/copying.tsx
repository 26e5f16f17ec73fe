/* Copies a text to the clipboard. */

import { Icon } from './icon.js';
import { capital } from './model.js';
import { say } from './toasts.js';

export async function copy(text: string, said: string): Promise<void> {
  await navigator.clipboard?.writeText(text).then(
    () => say(said),
    () => say('The browser does not let the page copy', { isFault: true }),
  );
}

/** @param label what is copied, in words */
export const Copy = ({ text, label }: { text: string; label: string }) => (
  <button
    type="button"
    class="quiet copy"
    title="Copy"
    aria-label={`Copy ${label}`}
    onClick={() => void copy(text, `${capital(label)} copied`)}
  >
    <Icon name="clipboard" />
  </button>
);
