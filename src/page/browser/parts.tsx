/* Components that several views use. */

import type { Against, Answer, Fault, Loadable, Crumb } from './types.js';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Linked } from './names.js';
import { Icon, type IconName } from './icon.js';

const LINES = [1, 2, 3, 4, 5, 6];

/** Lines as placeholders while loading. */
export const Loading = () => (
  <div class="loading skeleton" role="status">
    <span class="hidden">Loading …</span>
    {LINES.map((line) => (
      <span key={line} aria-hidden="true" />
    ))}
  </div>
);

/** The text of an empty list, with a first step. */
export const Vacant = ({ icon, children }: { icon: IconName; children: ComponentChildren }) => (
  <div class="vacant" role="status">
    <Icon name={icon} />
    {children}
  </div>
);

/** A line of a card: the subject, the status at its end, and details below. */
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

/** A chosen item with a button that removes it. @param removal label of the button */
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

/** The records that contradict the change. */
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
      {meta && <div class="meta">{meta}</div>}
    </header>
  );
}

/** A modal dialog. Escape closes it if that is allowed. */
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
      // The element that opened it may no longer exist, such as the buttons for ticked rows.
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
