/* Counting a place: a field for a scanner, the current result, and a button to close the count. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { useGet } from '../api.js';
import { labelOf, may, operationsOf, typed } from '../model.js';
import { Failure, Loaded } from '../parts.js';
import { ReferenceInput } from '../reference-input.js';
import type { components } from '../../../../sdk/typescript/schema.js';
import type { PanelProps } from '../types.js';
import { Camera, hasCamera } from './camera.js';
import { Closing } from './closing.js';
import { Entries, LISTS, type ListName } from './entries.js';
import { type Sender, useSender } from './sending.js';

type Counts = components['schemas']['StocktakeCounts'];

/** Number of codes below the field. */
const SHOWN = 8;
/** Milliseconds between reads of the numbers, because others may count too. */
const OTHERS = 15_000;

export function Counting({ path, collection, record }: PanelProps) {
  const stocktake = typed<'Stocktake'>(record);
  const sender = useSender(path);
  const result = useGet(`${path}/result`);
  const [list, setList] = useState<ListName>('missing');
  const [isClosing, setClosing] = useState(false);
  const isOpen = stocktake.status === 'open';
  const isWritable = operationsOf(collection).some(({ id }) => id === 'scanStocktake') && may(collection);
  useEffect(() => {
    if (!isOpen) return undefined;
    const timer = setInterval(() => document.visibilityState === 'visible' && result.reload(), OTHERS);
    return () => clearInterval(timer);
  }, [isOpen]);
  useEffect(() => {
    if (sender.arrivals > 0) result.reload();
  }, [sender.arrivals]);
  const waiting = sender.queue.codes.length;
  return (
    <>
      {(isOpen || waiting > 0) && isWritable && <Scanning sender={sender} isOpen={isOpen} />}
      <section class="card" aria-label="Result">
        <h2>
          {isOpen ? 'So far' : 'Result'}
          <span class="end tools">
            <a href={`${path}/result?format=html`} target="_blank" rel="noopener">
              Page to print
            </a>
            {isOpen && isWritable && (
              <button type="button" disabled={waiting > 0} onClick={() => setClosing(true)}>
                Close the stocktake
              </button>
            )}
          </span>
        </h2>
        <Loaded from={result}>
          {({ data }) => (
            <>
              <div class="tiles" role="group" aria-label="Lists of the result">
                {LISTS.map((name) => (
                  <button key={name} type="button" aria-pressed={list === name} onClick={() => setList(name)}>
                    <strong>{(data.counts as Counts)[name]}</strong> {labelOf(name)}
                  </button>
                ))}
              </div>
              <Entries key={list} path={path} list={list} counts={data.counts as Counts} />
            </>
          )}
        </Loaded>
      </section>
      {isClosing && <Closing path={path} record={record} close={() => setClosing(false)} />}
    </>
  );
}

function Scanning({ sender, isOpen }: { sender: Sender; isOpen: boolean }) {
  const [locationId, setLocation] = useState<string | null>(null);
  const [isFilming, setFilming] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const waiting = sender.queue.codes;
  const scan = (event: Event): void => {
    event.preventDefault();
    sender.scan(field.current!.value, locationId);
    field.current!.value = '';
    field.current!.focus();
  };
  return (
    <section class="card scanning" aria-label="Scan">
      <h2>Scan</h2>
      {isOpen && (
        <>
          <form class="line" onSubmit={scan}>
            <label class="control">
              Tag or serial number
              <input
                ref={field}
                autocomplete="off"
                autocapitalize="off"
                spellcheck={false}
                dir="auto"
                // Handled here, because submitting the form waits for name look-ups, and a scanner does not wait.
                onKeyDown={(event) => event.key === 'Enter' && scan(event)}
              />
            </label>
            <button>Count</button>
            {hasCamera && (
              <button type="button" aria-pressed={isFilming} onClick={() => setFilming(!isFilming)}>
                Camera
              </button>
            )}
          </form>
          {isFilming && <Camera scan={(code) => sender.scan(code, locationId)} />}
          <ReferenceInput
            label="Seen at, if not where the stocktake counts"
            resource="locations"
            value={locationId}
            set={setLocation}
          />
        </>
      )}
      {sender.stopped && (
        <>
          <Failure error={sender.stopped} retry={() => sender.again()} />
          <p class="muted">These codes are not counted. They stay in this browser: {waiting.join(', ')}</p>
          <button
            type="button"
            class="danger"
            onClick={() => confirm(`Forget ${waiting.length} scanned codes?`) && sender.forget()}
          >
            Forget them
          </button>
        </>
      )}
      <p class={sender.isLate ? 'fault' : 'muted'} role="status">
        {waiting.length === 0
          ? 'Every scan has arrived.'
          : `${waiting.length} ${waiting.length === 1 ? 'scan waits' : 'scans wait'} in this browser.`}
        {sender.isLate && ' The service cannot take them now. They are sent again by themselves.'}
      </p>
      {sender.seen.length > 0 && (
        <ul class="lines" aria-label="Last scans">
          {sender.seen.slice(0, SHOWN).map(({ code, outcome, times, why }) => (
            <li key={code}>
              <span class="main">
                <bdi>{code}</bdi>
              </span>
              <span class="aside">
                {times > 1 && `scanned ${times} times, counts once · `}
                <span class={['found', 'waiting'].includes(outcome) ? '' : 'alarm'}>
                  {outcome === 'found' ? 'counted' : outcome} {why}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
