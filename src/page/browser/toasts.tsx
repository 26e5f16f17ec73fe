/* Short messages at the edge of the page about what was done, with an undo. */

import { useEffect, useState } from 'preact/hooks';
import type { Fault } from './types.js';

interface Toast {
  id: number;
  text: string;
  /** Address of its subject. */
  address?: string;
  undo?: () => Promise<void>;
  isFault?: boolean;
}

const SHOWN_FOR = 10_000;
let toasts: Toast[] = [];
let count = 0;
const listeners = new Set<(all: Toast[]) => void>();

function change(next: Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener(next);
}
const remove = (id: number): void => change(toasts.filter((one) => one.id !== id));

/** Reverts the action of the last message, if possible. */
export const undoLast = (): void => [...document.querySelectorAll<HTMLElement>('.toasts .undo')].at(-1)?.click();

/** Shows a message for some seconds. An error stays until it is closed. @param undo reverts the action; an error of it is shown too */
export function say(text: string, { undo, address, isFault }: Omit<Toast, 'id' | 'text'> = {}): void {
  const id = ++count;
  change([...toasts, { id, text, address, undo, isFault }].slice(-3));
  const wait = (): unknown =>
    // The message stays while it has the pointer or the focus.
    setTimeout(() => (document.querySelector('.toasts:is(:hover, :focus-within)') ? wait() : remove(id)), SHOWN_FOR);
  if (!isFault) wait();
}

/** Shows why a request failed. */
export const sayRefusal = (refused: unknown): void => say((refused as Fault).message, { isFault: true });

export function Toasts() {
  const [all, setAll] = useState(toasts);
  useEffect(() => {
    listeners.add(setAll);
    return () => void listeners.delete(setAll);
  }, []);
  const takeBack = async ({ id, undo }: Toast): Promise<void> => {
    remove(id);
    try {
      await undo!();
    } catch (refused) {
      say(`It could not be undone: ${(refused as Fault).message}`, { isFault: true });
    }
  };
  return (
    <div class="toasts" role="status">
      {all.map((toast) => (
        <div key={toast.id} class={`toast ${toast.isFault ? 'faulty' : ''}`}>
          {toast.address ? (
            <a href={toast.address}>
              <bdi>{toast.text}</bdi>
            </a>
          ) : (
            <bdi>{toast.text}</bdi>
          )}
          {toast.undo && (
            <button type="button" class="undo" onClick={() => void takeBack(toast)}>
              Undo
            </button>
          )}
          <button type="button" class="quiet" aria-label="Close" onClick={() => remove(toast.id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
