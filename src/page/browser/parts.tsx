/* Pieces that several views show. */

import type { Answer, Fault, Loadable, Crumb } from './types.js';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export const Loading = () => (
  <p class="loading" role="status">
    Loading …
  </p>
);

export function Failure({ error, retry }: { error: Fault; retry?: () => void }) {
  return (
    <div class="failure" role="alert">
      <p>
        {error.message}
        {/[.!?]$/.test(error.message) ? '' : '.'}
      </p>
      {error.details && error.details.length > 0 && (
        <ul>
          {error.details.map(({ field, message }) => (
            <li>
              <strong>{field}</strong> {message}
            </li>
          ))}
        </ul>
      )}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Shows what was loaded with `useGet`. */
export function Loaded({ from, children }: { from: Loadable; children: (answer: Answer) => ComponentChildren }) {
  if (from.error) return <Failure error={from.error} retry={from.reload} />;
  return from.answer ? children(from.answer) : <Loading />;
}

/** Heading of a view, which takes the focus when the view changes, and names the window. */
export function Title({
  text,
  children,
  crumbs = [],
}: {
  text: string;
  children?: ComponentChildren;
  crumbs?: Crumb[];
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${text.slice(0, 80)} · Inventory`;
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [text]);
  return (
    <header class="title">
      {crumbs.length > 0 && (
        <nav class="crumbs" aria-label="Breadcrumb">
          <ol>
            {crumbs.map(([label, address]) => (
              <li>
                {address ? (
                  <a href={address}>
                    <bdi>{label}</bdi>
                  </a>
                ) : (
                  label
                )}
              </li>
            ))}
          </ol>
        </nav>
      )}
      <div class="line">
        <h1 tabindex={-1} ref={heading}>
          <bdi>{text}</bdi>
        </h1>
        {children}
      </div>
    </header>
  );
}

/** A dialog above the page. Escape closes it if it may be closed. */
export function Dialog({
  label,
  close,
  children,
  className,
}: {
  label: string;
  close?: () => void;
  children?: ComponentChildren;
  className?: string;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current!;
    const before = document.activeElement as HTMLElement | null;
    if (!element.open) element.showModal();
    return () => {
      element.close();
      before?.focus();
    };
  }, []);
  const cancel = (event: Event): void => {
    event.preventDefault();
    close?.();
  };
  return (
    <dialog
      ref={dialog}
      class={className}
      aria-label={label}
      onCancel={cancel}
      onClick={(event) => event.target === dialog.current && close?.()}
    >
      <div class="inside">{children}</div>
    </dialog>
  );
}
