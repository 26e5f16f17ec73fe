/* A secret that the service shows once, when it has issued it. */

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { labelOf } from './model.js';
import { Title } from './parts.js';
import { go, guard } from './route.js';
import type { Collection, Field, Row } from './types.js';
import { fieldsOf } from './model.js';

/** The properties of a response that the record does not have: what is shown once. */
export const secretsOf = (response: string | undefined, collection: Collection): Field[] => {
  const known = new Set(fieldsOf(collection.type).map(({ name }) => name));
  return response === collection.type ? [] : fieldsOf(response).filter(({ name }) => !known.has(name));
};

/** @param back address of the record, without `#` */
export function Issued({
  title,
  record,
  secrets,
  back,
}: {
  title: string;
  record: Row;
  secrets: Field[];
  back: string;
}) {
  const [isStored, setStored] = useState(false);
  // Set during drawing, because `useEffect` runs after the secret is shown. A user who leaves before that would not be asked.
  useLayoutEffect(
    () => guard(isStored ? undefined : () => confirm('Leave without storing it? It is not shown again.')),
    [isStored],
  );
  const leave = (): void => {
    guard(undefined);
    go(back);
  };
  return (
    <>
      <Title text={title} />
      <p class="notice">
        <strong>Store it now.</strong> It is shown only once and cannot be read again.
      </p>
      {secrets.map(({ name, format }) => {
        const value = String(record[name]);
        return (
          <Copyable
            key={name}
            label={labelOf(name)}
            // Other programs need the whole address, which the service may not know.
            value={format === 'uri-reference' ? new URL(value, location.origin).href : value}
            copied={() => setStored(true)}
          />
        );
      })}
      <p class="tools">
        <button type="button" class="primary" onClick={leave}>
          I have stored it
        </button>
      </p>
    </>
  );
}

/** A text to copy. */
export function Copyable({ label, value, copied }: { label: string; value: string; copied?: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    input.current!.select();
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      // Without TLS browsers have no clipboard for scripts, and copy a selection only.
      if (!document.execCommand('copy')) return;
    }
    setCopied(true);
    copied?.();
  };
  return (
    <div class="control once">
      <label for={`once-${label}`}>{label}</label>
      <span class="line">
        <input
          id={`once-${label}`}
          ref={input}
          readOnly
          class="code"
          value={value}
          onFocus={() => input.current!.select()}
        />
        <button type="button" onClick={() => void copy()}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
      </span>
    </div>
  );
}
