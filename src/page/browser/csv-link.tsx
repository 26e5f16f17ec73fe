/* A list as a CSV that spreadsheets read right. */

import type { ComponentChildren } from 'preact';
import { say } from './toasts.js';

/** Without a byte-order mark, Excel assumes the encoding of its country. API clients get no mark. */
const MARK = '\uFEFF';

/** The link is that of the API, so that it can be copied. */
export const CsvLink = ({ address, children }: { address: string; children: ComponentChildren }) => (
  <a
    href={address}
    download
    onClick={(event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      void save(address);
    }}
  >
    {children}
  </a>
);

async function save(address: string): Promise<void> {
  try {
    const response = await fetch(address);
    if (!response.ok) {
      const { error } = (await response.json()) as { error: string };
      return say(error, { isFault: true });
    }
    const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'list.csv';
    const url = URL.createObjectURL(new Blob([MARK, await response.blob()], { type: 'text/csv' }));
    const link = Object.assign(document.createElement('a'), { href: url, download: name });
    link.click();
    // By then the browser has begun to read it.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  } catch {
    say('The file could not be read to its end. Try again', { isFault: true });
  }
}
