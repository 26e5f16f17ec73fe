/* What an empty inventory begins with: single records, a file, or the data of another system. */

import { collectionAt, currentProfile, may, mayCreate } from './model.js';
import { Copyable } from './secret.js';

const STEPS: readonly { list: string; title: string; about: string }[] = [
  { list: '/sites', title: 'Add a site', about: 'A data centre, an office, or a room that has something in it.' },
  { list: '/racks', title: 'Add a rack', about: 'It shows the devices and the free units.' },
  { list: '/devices', title: 'Add a device', about: 'A switch, a server, or anything else with ports and addresses.' },
  { list: '/people', title: 'Add your colleagues', about: 'They can be on call, and have assets handed out to them.' },
];

/** Lists that people usually have in a spreadsheet. */
const IN_FILES = ['/sites', '/devices', '/assets', '/people', '/ip-addresses'];

const MOVES: readonly { from: string; source: string; about: string }[] = [
  { from: 'NetBox', source: 'netbox dump.json.gz', about: 'a dump, or its address and a token of it' },
  {
    from: 'Snipe-IT',
    source: 'snipe-it exports',
    about: 'a folder with its CSV exports, or its address and a token of it',
  },
];

export function FirstSteps() {
  const steps = STEPS.filter(({ list }) => mayCreate(collectionAt(`/api${list}`)));
  return (
    <div class="first">
      <section class="card" aria-label="First steps">
        <h2>First steps</h2>
        <p class="muted about">
          Welcome, {currentProfile()?.email}. There is nothing here yet.{' '}
          {steps.length > 0 && 'This is a good order to begin in.'}
        </p>
        <ol class="steps">
          {steps.map(({ list, title, about }, index) => (
            <li key={list}>
              <span>
                <strong>{title}</strong>
                <br />
                <span class="muted">{about}</span>
              </span>
              <a class={`button ${index === 0 ? 'primary' : ''}`} href={`#${list}/new`}>
                {title}
              </a>
            </li>
          ))}
        </ol>
      </section>
      <Files />
      {currentProfile()?.role === 'admin' && <Moving />}
    </div>
  );
}

function Files() {
  const lists = IN_FILES.flatMap((list) => collectionAt(`/api${list}`) ?? []).filter((one) => may(one.import));
  if (lists.length === 0) return null;
  return (
    <section class="card" aria-label="Import a file">
      <h2>Import a file</h2>
      <p class="muted about">
        A CSV, or the cells of a spreadsheet. You choose what each column means, and see what would change before
        anything is written. References are found by their names.
      </p>
      <div class="tools">
        {lists.map(({ path, label }) => (
          <a key={path} class="button" href={`#${path.slice(4)}/import`}>
            Import {label}
          </a>
        ))}
      </div>
    </section>
  );
}

const Moving = () => (
  <section class="card" aria-label="Move in from NetBox or Snipe-IT">
    <h2>Move in from NetBox or Snipe-IT</h2>
    <p class="muted about">
      A command, on a machine with this program, reads everything from there. With <code>--dry-run</code> it writes
      nothing, and its report lists what each object would become and what would be left out. Without it, the records
      are created. You can run it again: it changes only what has changed there.
    </p>
    {MOVES.map(({ from, source, about }) => (
      <div key={from}>
        <Copyable
          label={from}
          value={`npm run move-in -- ${source} --url ${location.origin} --dry-run --report report.jsonl`}
        />
        <p class="muted">It needs {about}, and a token of an administrator of this service in INVENTORY_TOKEN.</p>
      </div>
    ))}
  </section>
);
