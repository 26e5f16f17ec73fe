/* The navigation: about ten destinations with their lists, and the user menu. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.js';
import { capital, currentProfile, families } from './model.js';
import { Dialog } from './parts.js';
import { PICTURES } from './pictures.js';
import { go } from './route.js';
import { moveInRows } from './row-keys.js';
import { isTyping } from './search.js';
import { CHOICES, choose, chosen } from './theme.js';
import { undoLast } from './toasts.js';

interface Place {
  path: string;
  label: string;
}

/** The destinations with their lists. Other lists, such as new ones, are under their family. */
const DESTINATIONS: readonly {
  label: string;
  key: string;
  icon: IconName;
  families?: readonly string[];
  paths: readonly string[];
}[] = [
  {
    label: 'Incidents and changes',
    key: 'i',
    icon: 'bell-alert',
    families: ['Operations'],
    paths: ['/incidents', '/change-requests', '/change-sets', '/maintenance-windows', '/known-issues', '/runbooks'],
  },
  {
    label: 'On call',
    key: 'o',
    icon: 'phone',
    paths: [
      '/on-call',
      '/pictures/on-call',
      '/on-call-schedules',
      '/on-call/shifts',
      '/on-call/gaps',
      '/on-call/overlaps',
      '/on-call/load',
    ],
  },
  {
    label: 'Sites and racks',
    key: 's',
    icon: 'building-office-2',
    paths: ['/sites', '/locations', '/racks', '/pictures/racks', '/regions', '/power-feeds', '/utilisation'],
  },
  {
    label: 'Devices',
    key: 'd',
    icon: 'server-stack',
    families: ['Network and compute'],
    paths: ['/devices', '/virtual-machines', '/clusters', '/circuits', '/cables'],
  },
  {
    label: 'Addresses',
    key: 'a',
    icon: 'globe-alt',
    paths: ['/prefixes', '/pictures/prefixes', '/ip-addresses', '/vlans', '/vlan-groups', '/vrfs'],
  },
  {
    label: 'Assets',
    key: 'e',
    icon: 'archive-box',
    families: ['Procurement'],
    paths: [
      '/assets',
      '/pictures/desk',
      '/purchase-orders',
      '/bookings',
      '/pictures/bookings',
      '/stocktakes',
      '/stock-items',
    ],
  },
  {
    label: 'Contracts and licences',
    key: 'c',
    icon: 'document-text',
    paths: [
      '/contracts',
      '/software-licences',
      '/software-licences/position',
      '/renewals',
      '/slas',
      '/expirations',
      '/pictures/expirations',
      '/exposure',
      '/pictures/refresh-plan',
      '/vendors',
    ],
  },
  { label: 'People', key: 'p', icon: 'users', families: ['People and tenancy'], paths: ['/people', '/tenant-groups'] },
  { label: 'Change log', key: 'l', icon: 'clock', paths: ['/change-log'] },
  {
    label: 'Settings',
    key: ',',
    icon: 'cog-6-tooth',
    families: ['Access', 'Service'],
    paths: [
      '/device-types',
      '/device-roles',
      '/platforms',
      '/manufacturers',
      '/asset-categories',
      '/cluster-types',
      '/profiles',
      '/tokens',
    ],
  },
];

interface Destination {
  label: string;
  key: string;
  icon: IconName;
  places: Place[];
}

/** The destinations with the lists and pictures that the session may see. */
function destinations(): Destination[] {
  const placed = new Set(DESTINATIONS.flatMap(({ paths }) => paths));
  const all: (Place & { family?: string })[] = [
    ...families().flatMap(({ name, collections }) =>
      collections.map((one) => ({ path: one.path.slice(4), label: capital(one.label), family: name })),
    ),
    ...PICTURES.filter(({ isShown }) => isShown()).map(({ path, label }) => ({ path, label })),
  ];
  const last = DESTINATIONS.at(-1);
  const known = new Set(DESTINATIONS.flatMap((one) => one.families ?? []));
  return DESTINATIONS.map((one) => ({
    label: one.label,
    key: one.key,
    icon: one.icon,
    places: [
      ...one.paths.flatMap((path) => all.find((place) => place.path === path) ?? []),
      ...all.filter(
        ({ path, family }) =>
          !placed.has(path) &&
          family !== undefined &&
          (one.families?.includes(family) || (one === last && !known.has(family))),
      ),
    ],
  })).filter(({ places }) => places.length > 0);
}

const isAt = (path: string, place: Place): boolean => path === place.path || path.startsWith(`${place.path}/`);

export function Navigation({ path }: { path: string }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  const all = destinations();
  // The longest path that fits is the place: `/on-call/shifts` and not `/on-call`.
  const places = all.flatMap((one) => one.places).filter((place) => isAt(path, place));
  const [here] = places.toSorted((one, other) => other.path.length - one.path.length);
  return (
    <nav class={`side ${isOpen ? 'open' : ''}`} aria-label="Estate">
      <button type="button" class="opener" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Menu
      </button>
      <ul class="groups">
        <li>
          <a href="#" aria-current={path === '' ? 'page' : undefined}>
            <Icon name="home" />
            Today
          </a>
        </li>
        {all.map(({ label, icon, places: own }) => {
          const isCurrent = here !== undefined && own.includes(here);
          return (
            <li key={label} class={isCurrent ? 'current' : undefined}>
              <a href={`#${own[0]!.path}`} class="destination" aria-current={isCurrent ? 'true' : undefined}>
                <Icon name={icon} />
                {label}
              </a>
              <ul hidden={!isCurrent || own.length < 2}>
                {own.map((place) => (
                  <li key={place.path}>
                    <a href={`#${place.path}`} aria-current={place === here ? 'page' : undefined}>
                      {place.label}
                    </a>
                  </li>
                ))}
              </ul>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** How long `g` waits for the second key, in milliseconds. */
const WAITS = 1500;

/** The keys that work everywhere: `g` and a letter lead to a destination, and `?` names them all. */
export function Keys() {
  const [isHelp, setHelp] = useState(false);
  const began = useRef(0);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]'))
        return;
      if (event.key === '?') setHelp(true);
      else if (['j', 'k', 'x', 'X'].includes(event.key)) moveInRows(event.key);
      else if (event.key === 'z') undoLast();
      else if (event.key === 'g') began.current = Date.now();
      else if (Date.now() - began.current < WAITS) {
        began.current = 0;
        const target = event.key === 't' ? '' : destinations().find(({ key }) => key === event.key)?.places[0]?.path;
        if (target !== undefined) go(target);
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  if (!isHelp) return null;
  return (
    <Dialog label="Keys" close={() => setHelp(false)}>
      <h2>Keys</h2>
      <dl class="keys">
        {[
          ['/', 'Search everything, or say what to do: “new incident”, “hand out AT-9101”'],
          ['g t', 'Today'],
          ...destinations().map(({ key, label }) => [`g ${key}`, label]),
          ['Ctrl Enter', 'Save the form'],
          ['F1', 'Explain the field'],
          ['j k', 'The next and the previous row of a list; Enter opens it'],
          ['x', 'Tick the row; with Shift, all rows from the last one'],
          ['z', 'Undo, while the message is shown'],
          ['arrows', 'Move in a drawing'],
          ['?', 'These keys'],
        ].map(([key, label]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <p class="tools">
        <button type="button" autofocus onClick={() => setHelp(false)}>
          Close
        </button>
      </p>
    </Dialog>
  );
}

const OWN = ['/tokens', '/calendar-feeds', '/webhooks', '/profiles'];

/** The user menu: tokens, feeds, how the page looks, and logging out. */
export function UserMenu({ path, leave }: { path: string; leave: () => void }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const profile = currentProfile()!;
  const close = (): void => {
    menu.current!.open = false;
  };
  useEffect(close, [path]);
  useEffect(() => {
    const press = (event: MouseEvent): void => {
      if (!menu.current?.contains(event.target as Node)) close();
    };
    addEventListener('mousedown', press);
    return () => removeEventListener('mousedown', press);
  }, []);
  const lists = families()
    .flatMap(({ collections }) => collections)
    .filter((one) => OWN.includes(one.path.slice(4)));
  return (
    <details
      class="menu user"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <summary title={`${profile.email}, ${profile.role}`}>
        <span class="avatar" aria-hidden="true">
          {profile.email.slice(0, 2).toUpperCase()}
        </span>
        <span class="hidden">{profile.email}</span>
      </summary>
      <div class="sheet">
        <p class="muted">
          <bdi>{profile.email}</bdi>, {profile.role}
        </p>
        <ul>
          <li>
            <a href="#/account">Your account</a>
          </li>
          {lists.map((one) => (
            <li key={one.path}>
              <a href={`#${one.path.slice(4)}`}>{capital(one.label)}</a>
            </li>
          ))}
          <li>
            <a href="/docs">API</a>
          </li>
        </ul>
        {(['theme', 'density'] as const).map((choice) => (
          <label key={choice}>
            {capital(choice)}
            <select onChange={({ currentTarget: { value } }) => choose(choice, value)}>
              {CHOICES[choice].map((one) => (
                <option key={one} value={one} selected={one === chosen(choice)}>
                  {capital(one)}
                </option>
              ))}
            </select>
          </label>
        ))}
        <button type="button" onClick={leave}>
          Log out
        </button>
      </div>
    </details>
  );
}
