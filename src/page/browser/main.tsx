/* The page: who is logged in, the navigation, and the view of the address. */

import type { TargetedEvent } from 'preact';
import type { Fault } from './types.js';
import { render } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { get, reloadAll, send, whenExpired } from './api.js';
import { Action } from './action.js';
import { Creation } from './creation.js';
import { Edit } from './editing.js';
import { Toasts } from './toasts.js';
import { List } from './list.js';
import {
  capital,
  currentProfile,
  families,
  loadDeclarations,
  loginWays,
  operationsOf,
  resolve,
  setProfile,
} from './model.js';
import { Dialog, Failure, Title } from './parts.js';
import { PICTURES } from './pictures.js';
import { Record } from './record.js';
import { useRoute } from './route.js';
import { SearchEverything } from './search.js';
import { Today } from './today.js';

async function readProfile() {
  try {
    setProfile((await get('/api/auth/session')).data);
  } catch (error) {
    if ((error as Fault).status !== 401) throw error;
    setProfile(undefined);
  }
}

function Login({ done, isAgain = false }: { done: () => void; isAgain?: boolean }) {
  const [error, setError] = useState<Fault>();
  const { password, singleSignOn } = loginWays();
  const log = async (event: TargetedEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const body = Object.fromEntries(new FormData(event.currentTarget));
    try {
      await send('POST', '/api/auth/login', { body });
      await readProfile();
      done();
    } catch (refused) {
      setError(refused as Fault);
    }
  };
  const again = async () => {
    await readProfile();
    if (currentProfile()) done();
    else setError({ message: 'There is no session yet' });
  };
  return (
    <div class="login">
      <h1>{isAgain ? 'Your session has ended' : 'Inventory'}</h1>
      <p class="muted">{isAgain ? 'Log in again. What you typed is still there.' : 'Log in to see the estate.'}</p>
      {error && <Failure error={error} />}
      {password && (
        <form onSubmit={log}>
          <label>
            Email <input name="email" type="email" autocomplete="username" required autofocus />
          </label>
          <label>
            Password <input name="password" type="password" autocomplete="current-password" required />
          </label>
          <button class="primary">Log in</button>
        </form>
      )}
      {singleSignOn && (
        <p>
          <a
            class="button"
            href={`/api/auth/oidc/login?returnTo=${encodeURIComponent(`/${isAgain || location.hash.length > 500 ? '' : location.hash}`)}`}
            target={isAgain ? '_blank' : undefined}
          >
            {singleSignOn}
          </a>
        </p>
      )}
      {singleSignOn && isAgain && (
        <p>
          <button type="button" onClick={again}>
            I have logged in
          </button>
        </p>
      )}
    </div>
  );
}

/** The view of an address. */
function View({ path, query }: { path: string; query: URLSearchParams }) {
  if (path === '') return <Today />;
  const picture = PICTURES.find((one) => one.path === path);
  if (picture) return <picture.view key={path} query={query} />;
  const at = `/api${path}`;
  const segments = at.split('/');
  const found = resolve(at);
  if (found?.isRecord) return <Record key={at} path={at} collection={found.collection} query={query} />;
  if (found) return <List key={at} path={at} collection={found.collection} query={query} />;
  const [last, before] = [segments.at(-1), segments.at(-2)];
  if (before === 'do') {
    const outer = segments.slice(0, -2).join('/');
    const of = resolve(outer);
    const operation = of && operationsOf(of.collection).find(({ id }) => id === last);
    if (operation) return <Action key={at} path={outer} collection={of.collection} operation={operation} />;
  }
  const outer = segments.slice(0, -1).join('/');
  const of = resolve(outer);
  if (
    last === 'new' &&
    of &&
    !of.isRecord &&
    operationsOf(of.collection).some(({ method, path: its }) => method === 'post' && its === of.collection.path)
  )
    return <Creation key={at} path={outer} collection={of.collection} query={query} />;
  if (last === 'edit' && of?.isRecord && operationsOf(of.collection).some(({ method }) => method === 'patch'))
    return <Edit key={at} path={outer} collection={of.collection} />;
  return (
    <>
      <Title text="Nothing is here" />
      <p>
        There is nothing at this address that you may see. <a href="#">Today</a>
      </p>
    </>
  );
}

/** Keeps a fault in one view from taking the navigation with it. */
function Guarded(props: { path: string; query: URLSearchParams }) {
  const [error, reset] = useErrorBoundary();
  useEffect(() => {
    if (error) reset();
  }, [props.path]);
  if (error) {
    console.error(error);
    return <Failure error={{ message: 'This view has failed' }} retry={reset} />;
  }
  return <View {...props} />;
}

function Navigation({ path }: { path: string }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  const link = (address: string, label: string) => (
    <li>
      <a
        href={`#${address}`}
        aria-current={path === address || (address !== '' && path.startsWith(`${address}/`)) ? 'page' : undefined}
      >
        {label}
      </a>
    </li>
  );
  return (
    <nav class={`side ${isOpen ? 'open' : ''}`} aria-label="Estate">
      <button type="button" class="opener" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Menu
      </button>
      <div class="groups">
        <ul>
          {link('', 'Today')}
          {PICTURES.filter(({ isShown }) => isShown()).map((picture) => link(picture.path, picture.label))}
        </ul>
        {families().map(({ name, collections }) => (
          <details open={name !== 'Access' && name !== 'Service'}>
            <summary>{name}</summary>
            <ul>{collections.map((one) => link(one.path.slice(4), capital(one.label)))}</ul>
          </details>
        ))}
      </div>
    </nav>
  );
}

function Page() {
  const { path, query } = useRoute();
  const [isExpired, setExpired] = useState(false);
  const [, setTurn] = useState(0);
  useEffect(() => whenExpired(() => currentProfile() && setExpired(true)), []);
  const leave = async () => {
    await send('POST', '/api/auth/logout').catch(() => {});
    setProfile(undefined);
    setTurn((one) => one + 1);
  };
  const profile = currentProfile();
  if (!profile)
    return (
      <main class="front">
        <Login done={() => setTurn((one) => one + 1)} />
      </main>
    );
  return (
    <>
      <a
        class="skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          document.querySelector<HTMLElement>('main h1')?.focus();
        }}
      >
        To the content
      </a>
      <header class="top">
        <a class="brand" href="#">
          Inventory
        </a>
        <SearchEverything path={path} />
        <span class="session">
          <bdi title={`${profile.email}, ${profile.role}`}>{profile.email}</bdi>
          <a href="/docs">API</a>
          <button type="button" class="quiet" onClick={leave}>
            Log out
          </button>
        </span>
      </header>
      <div class="body">
        <Navigation path={path} />
        <main id="content">
          <Guarded path={path} query={query} />
        </main>
      </div>
      <Toasts />
      {isExpired && (
        <Dialog label="Log in again">
          <Login
            isAgain
            done={() => {
              setExpired(false);
              reloadAll();
            }}
          />
        </Dialog>
      )}
    </>
  );
}

const root = document.getElementById('page')!;
try {
  await loadDeclarations();
  await readProfile();
  root.replaceChildren();
  render(<Page />, root);
} catch (error) {
  root.textContent = `${(error as Error).message}. Reload the page to try again.`;
}
