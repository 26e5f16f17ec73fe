/* The page: login, navigation, and the view of the address. */

import type { TargetedEvent } from 'preact';
import type { Fault } from './types.js';
import { render } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { get, reloadAll, send, whenExpired, whenReloaded } from './api.js';
import { PlanBar } from './delta/bar.js';
import { Keys, Navigation, UserMenu } from './navigation.js';
import { Toasts } from './toasts.js';
import {
  currentProfile,
  loadDeclarations,
  loadOwnDeclarations,
  loginWays,
  operationsOf,
  resolve,
  setProfile,
} from './model.js';
import { onDemand } from './on-demand.js';
import { Dialog, Failure, Title } from './parts.js';
import { PICTURES } from './pictures.js';
import { useRoute } from './route.js';
import { leaveKeysToComposing } from './composing.js';
import { SearchEverything } from './search.js';
import { Today } from './today.js';
import { chooseBeforeSending } from './unchosen.js';

/** The address of the icon of the page, which `bundle.ts` puts in. */
declare const ICON: string;

const Account = onDemand(() => import('./account.js').then((one) => one.Account));
const Action = onDemand(() => import('./action.js').then((one) => one.Action));
const Creation = onDemand(() => import('./creation.js').then((one) => one.Creation));
const Deleted = onDemand(() => import('./deleted.js').then((one) => one.Deleted));
const Edit = onDemand(() => import('./editing.js').then((one) => one.Edit));
const Importing = onDemand(() => import('./importing/importing.js').then((one) => one.Importing));
const List = onDemand(() => import('./list.js').then((one) => one.List));
const Record = onDemand(() => import('./record.js').then((one) => one.Record));
const Results = onDemand(() => import('./results.js').then((one) => one.Results));

async function readProfile() {
  try {
    const { data } = await get('/api/auth/session');
    await loadOwnDeclarations();
    setProfile(data);
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
  if (path === '/search') return <Results query={query} />;
  if (path === '/account') return <Account query={query} />;
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
    if (operation)
      return <Action key={at} path={outer} collection={of.collection} operation={operation} query={query} />;
  }
  const outer = segments.slice(0, -1).join('/');
  const of = resolve(outer);
  if (last === 'import' && of && !of.isRecord && of.collection.import)
    return <Importing key={at} path={outer} collection={of.collection} />;
  if (last === 'deleted' && of && !of.isRecord && of.collection.resource)
    return <Deleted key={at} collection={of.collection} />;
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
      <Title text="Not found" />
      <p>
        Page not found, or you have no access to it. <a href="#">Today</a>
      </p>
    </>
  );
}

/** Keeps the navigation working after an error in a view. */
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

function Page() {
  const { path, query, address } = useRoute();
  const [isExpired, setExpired] = useState(false);
  const [, setTurn] = useState(0);
  useEffect(() => whenExpired(() => currentProfile() && setExpired(true)), []);
  // The change may have been about a custom field, here or by another user.
  useEffect(
    () =>
      whenReloaded(
        () =>
          void loadOwnDeclarations().then(
            () => setTurn((one) => one + 1),
            () => {},
          ),
      ),
    [],
  );
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
          <img src={ICON} alt="" />
          Inventory
        </a>
        <SearchEverything path={path} />
        <UserMenu path={path} leave={() => void leave()} />
      </header>
      <PlanBar />
      <div class="body">
        <Navigation path={path} />
        <main id="content" data-address={address}>
          <Guarded path={path} query={query} />
        </main>
      </div>
      <Keys />
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

leaveKeysToComposing();
chooseBeforeSending();
const root = document.getElementById('page')!;
try {
  await loadDeclarations();
  await readProfile();
  root.replaceChildren();
  render(<Page />, root);
} catch (error) {
  root.textContent = `${(error as Error).message}. Reload the page to try again.`;
}
