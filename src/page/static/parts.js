/* Pieces that several views show. */

import { useEffect, useRef } from './hooks.js';
import { html } from './html.js';

export const Loading = () => html`<p class="loading" role="status">Loading …</p>`;

export function Failure({ error, retry }) {
  return html`<div class="failure" role="alert">
    <p>${error.message}${/[.!?]$/.test(error.message) ? '' : '.'}</p>
    ${
      error.details?.length > 0 &&
      html`<ul>
        ${error.details.map(({ field, message }) => html`<li><strong>${field}</strong> ${message}</li>`)}
      </ul>`
    }
    ${retry && html`<button type="button" onClick=${retry}>Try again</button>`}
  </div>`;
}

/** Shows what was loaded with `useGet`. */
export function Loaded({ from, children }) {
  if (from.error) return html`<${Failure} error=${from.error} retry=${from.reload} />`;
  return from.answer ? children(from.answer) : html`<${Loading} />`;
}

/** Heading of a view, which takes the focus when the view changes, and names the window. */
export function Title({ text, children, crumbs = [] }) {
  const heading = useRef();
  useEffect(() => {
    document.title = `${text.slice(0, 80)} · Inventory`;
    heading.current.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [text]);
  return html`<header class="title">
    ${
      crumbs.length > 0 &&
      html`<nav class="crumbs" aria-label="Breadcrumb">
        <ol>
          ${crumbs.map(([label, address]) => html`<li>${address ? html`<a href=${address}><bdi>${label}</bdi></a>` : label}</li>`)}
        </ol>
      </nav>`
    }
    <div class="line">
      <h1 tabindex="-1" ref=${heading}><bdi>${text}</bdi></h1>
      ${children}
    </div>
  </header>`;
}

/** A dialog above the page. Escape closes it if it may be closed. */
export function Dialog({ label, close, children, className }) {
  const dialog = useRef();
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    if (!element.open) element.showModal();
    return () => {
      element.close();
      before?.focus?.();
    };
  }, []);
  const cancel = (event) => {
    event.preventDefault();
    close?.();
  };
  return html`<dialog
    ref=${dialog}
    class=${className}
    aria-label=${label}
    onCancel=${cancel}
    onClick=${(event) => event.target === dialog.current && close?.()}
  >
    <div class="inside">${children}</div>
  </dialog>`;
}
