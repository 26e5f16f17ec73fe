/* Pieces that several views show. */

import type { Against, Answer, Fault, Loadable, Crumb } from './types.js';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Linked } from './names.js';
import { Icon, type IconName } from './icon.js';

const LINES = [1, 2, 3, 4, 5, 6];

/** Lines in place of what is loading. */
export const Loading = () => (
  <div class="loading skeleton" role="status">
    <span class="hidden">Loading …</span>
    {LINES.map((line) => (
      <span key={line} aria-hidden="true" />
    ))}
  </div>
);

/** What is shown in place of a list that has nothing, with what one does first. */
export const Vacant = ({ icon, children }: { icon: IconName; children: ComponentChildren }) => (
  <div class="vacant" role="status">
    <Icon name={icon} />
    {children}
  </div>
);

/** A line of a card: what it is about, what is known at its end, and what else is said, below. */
export const Line = ({
  main,
  note,
  aside,
}: {
  main: ComponentChildren;
  note?: ComponentChildren;
  aside?: ComponentChildren;
}) => (
  <li>
    <span class="main">{main}</span>
    {note && <span class="note">{note}</span>}
    {aside && <span class="aside">{aside}</span>}
  </li>
);

/** Something that was chosen, with a button that takes it away. @param removal what the button is called */
export const Chosen = ({
  removal,
  remove,
  children,
}: {
  removal: string;
  remove: () => void;
  children: ComponentChildren;
}) => (
  <span class="filter">
    {children}
    <button type="button" class="quiet" aria-label={removal} onClick={remove}>
      ×
    </button>
  </span>
);

/** The records that stand against a change. */
export const Standing = ({ count, records }: Against) => (
  <ul>
    {records.map(({ resource, id, name }) => (
      <li key={id}>
        <Linked resource={resource} id={id} name={name ?? 'A record without a name'} />
      </li>
    ))}
    {count > records.length && <li>{count - records.length} more</li>}
  </ul>
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
      {error.against && <Standing {...error.against} />}
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
  meta,
}: {
  text: string;
  children?: ComponentChildren;
  crumbs?: Crumb[];
  /** A muted line below the heading. */
  meta?: ComponentChildren;
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
      {meta && <p class="meta">{meta}</p>}
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
      // The element that opened it may be gone, such as the buttons for ticked rows.
      setTimeout(() => (before?.isConnected ? before : document.querySelector<HTMLElement>('main h1'))?.focus());
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
