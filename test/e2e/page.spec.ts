import { publishedDocument } from '../../src/openapi/document/published.js';
import { llmsText } from '../../src/openapi/document/llms.js';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rows } from '../resources/rows.js';
import { startService, type TestService } from '../support/app.js';

/** Limits for what a first visit loads before the login, and for all views together. Each view is loaded when it is first shown. */
const MOST_BYTES = { first: 154 * 1024, all: 282 * 1024 };
const HTML = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const PAGE = join(process.cwd(), 'src/page');
const sources = readdirSync(join(PAGE, 'browser'), { encoding: 'utf8', recursive: true }).filter(
  (name) => /(?<!\.spec)\.tsx?$/.test(name) && name !== 'types.ts',
);

interface Declarations {
  families: { name: string; collections: string[] }[];
  collections: {
    path: string;
    type: string;
    resource?: string;
    record?: string;
    operations: { id: string; body?: string; method: string; path: string }[];
  }[];
  types: Record<string, { name: string; references?: string; type?: string }[]>;
}

let service: TestService;
let declarations: Declarations;
beforeAll(async () => {
  service = await startService();
  declarations = (await service.anonymous.get('/page/declarations.json')).body as Declarations;
});
afterAll(() => service.stop());

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${service.url}${path}`, { headers, redirect: 'manual' });

describe('/', () => {
  it('is the page for a browser, without a session', async () => {
    const response = await get('/', HTML);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.headers.get('vary')).toBe('accept, accept-encoding');
    expect(await response.text()).toMatch(/<script src="\/page\/main-\w{8}\.js" type="module">/);
  });

  it.each([{ accept: '*/*' }, { accept: 'application/json' }])(
    'names the addresses to begin at, for %j',
    async (headers) => {
      const response = await get('/', headers);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
      const { data } = (await response.json()) as { data: Record<string, string> };
      for (const path of [data.documentation, data.openapi, data.health]) expect((await get(path!)).status).toBe(200);
    },
  );

  it('responds to HEAD, and tells an unchanged page', async () => {
    const { status, headers } = await fetch(`${service.url}/`, { method: 'HEAD', headers: HTML });
    expect(status).toBe(200);
    expect((await get('/', { ...HTML, 'if-none-match': headers.get('etag')! })).status).toBe(304);
  });
});

/** The files that the page loads and their compressed sizes, by path. Found by following the names in the files. */
async function filesOfThePage(isFollowed: RegExp): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const follow = async (path: string): Promise<void> => {
    if (found.has(path)) return;
    const response = await get(path, { ...HTML, 'accept-encoding': 'gzip' });
    const text = await response.text();
    expect([path, response.status]).toEqual([path, 200]);
    found.set(path, Number(response.headers.get('content-length')));
    if (!/\/$|\.(?:js|css)$/.test(path)) return;
    for (const [, name] of text.matchAll(isFollowed)) await follow(name!);
  };
  await follow('/');
  return found;
}
const sum = (files: Map<string, number>): number => [...files.values()].reduce((total, bytes) => total + bytes, 0);

it('loads little before it is used, and each of its views when it is shown', async () => {
  const first = await filesOfThePage(/(?<!import\()["'`(](\/page\/[\w.-]+)/g);
  const all = await filesOfThePage(/["'`(](\/page\/[\w.-]+)/g);
  console.info(`The page is ${sum(all)} bytes, of which the first view loads ${sum(first)} in ${first.size} files`);
  expect(first.size).toBeLessThan(10);
  expect(sum(first)).toBeLessThan(MOST_BYTES.first);
  expect(sum(all)).toBeLessThan(MOST_BYTES.all);
  // There are many files, because most visits show few of the views.
  expect(all.size).toBeGreaterThan(50);
});

it('has names of files that change with them, which a browser therefore keeps', async () => {
  for (const path of (await filesOfThePage(/["'`(](\/page\/[\w.-]+)/g)).keys()) {
    const { headers } = await get(path, HTML);
    const isNamed = /-[\da-f]{8}\.svg$|-[A-Z\d]{8}\.(?:css|js|woff2)$/.test(path);
    const kept = isNamed ? 'public, max-age=31536000, immutable' : 'no-cache';
    expect([path, isNamed, headers.get('cache-control')]).toEqual([
      path,
      !['/', '/page/declarations.json'].includes(path),
      kept,
    ]);
  }
});

it('refuses the file of another version, and lets nobody keep the refusal', async () => {
  const response = await get('/page/main-AAAAAAAA.js');
  expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
  expect(await response.json()).toMatchObject({
    code: 'not_found',
    error: 'The file is not of this version of the page',
  });
});

it('has no script, style or handler within its HTML, and a policy without exceptions', async () => {
  const response = await get('/', HTML);
  expect(response.headers.get('content-security-policy')).not.toMatch(/unsafe|https?:/);
  const text = await response.text();
  expect(text).not.toMatch(/<style|<script(?![^>]* src=)| on\w+=| style=/);
});

describe('the declarations', () => {
  it('have every resource, with its list, record and forms', () => {
    for (const { path } of rows) {
      const collection = declarations.collections.find(
        (one) => one.path.replaceAll(/\{.*?\}/g, '{}') === path.replaceAll(/\{.*?\}/g, '{}'),
      );
      expect([path, collection?.resource, collection?.record]).toEqual([path, expect.any(String), expect.any(String)]);
      expect(declarations.types[collection!.type]!.length).toBeGreaterThan(3);
      const methods = collection!.operations
        .filter((one) => one.path === collection!.record)
        .map(({ method }) => method);
      expect([path, ...methods.toSorted()]).toEqual([
        path,
        'delete',
        'get',
        ...(methods.includes('patch') ? ['patch'] : []),
      ]);
      expect(
        collection!.operations.find((one) => one.method === 'post' && one.path === collection!.path)?.body,
      ).toBeDefined();
    }
  });

  it('name the resource of a reference, also in the bodies of actions', () => {
    const referred = (type: string, name: string) =>
      declarations.types[type]!.find((field) => field.name === name)?.references;
    expect(referred('Device', 'siteId')).toBe('sites');
    expect(referred('CreateDevice', 'rackId')).toBe('racks');
    expect(referred('AssignAsset', 'personId')).toBe('people');
  });
});

// The page may know single resources beyond the declarations only here: Today, pictures, initial values of forms, the place of lists,
// further columns, panels beside a record, tasks with a view of their own, and undo.
const KNOWING = new Set([
  'today.tsx',
  'pictures.tsx',
  'prepared.ts',
  'joined.ts',
  'navigation.tsx',
  'account.tsx',
  'panels.tsx',
  'tasks.ts',
  'selections.ts',
  'undo.ts',
  'first-steps.tsx',
]);
it('needs no line for a resource', () => {
  const paths = declarations.collections
    .filter(({ path }) => !path.includes('{'))
    .map(({ path }) => path.split('/').at(-1)!);
  const scripts = sources.filter((name) => !KNOWING.has(name) && !name.includes('/'));
  for (const name of scripts) {
    const text = readFileSync(join(PAGE, 'browser', name), 'utf8');
    const named = paths.filter((path) => path !== 'search' && new RegExp(`(?<!<)/${path}\\b`).test(text));
    expect([name, named]).toEqual([name, []]);
  }
});

describe('the pages for readers of the document', () => {
  it('serves every script that the page and its scripts request', async () => {
    const asked = new Set<string>();
    const follow = async (path: string): Promise<void> => {
      if (asked.has(path)) return;
      asked.add(path);
      const response = await fetch(`${service.url}${path}`);
      expect([path, response.status]).toEqual([path, 200]);
      const text = await response.text();
      if (path.endsWith('bundle.js')) return;
      const found = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g), ...text.matchAll(/ from '\.(\/[^']+)'/g)];
      for (const [, name] of found)
        await follow(name!.startsWith('/docs') || name === '/openapi.json' ? name! : `/docs${name}`);
    };
    await follow('/docs');
    expect([...asked]).toEqual(
      expect.arrayContaining(['/docs/docs.js', '/docs/resolve.js', '/docs/swagger-ui-bundle.js']),
    );
  });

  describe('/llms.txt', () => {
    const linksOf = (text: string): { title: string; path: string; about: string }[] =>
      [...text.matchAll(/^- \[([^\]]+)\]\(([^)]+)\): (.+)$/gm)].map(([, title, path, about]) => ({
        title: title!,
        path: path!,
        about: about!,
      }));

    it('says what the service is, and names every area and resource with a link that works', async () => {
      const { status, text, headers } = await service.anonymous.get('/llms.txt');
      expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
      const { info, tags } = (await service.anonymous.get('/openapi.json')).body as {
        info: { title: string };
        tags: { name: string }[];
      };
      expect(text.startsWith(`# ${info.title}\n\n> `)).toBe(true);
      expect(text).toContain('Authorization: Bearer');
      const links = linksOf(text);
      const named = links.flatMap(({ path, about }) => (path.includes('areas=') ? about.split(', ') : []));
      expect(named).toEqual(tags.map(({ name }) => name));
      for (const { title, path } of links)
        expect([title, (await service.anonymous.get(path)).status]).toEqual([title, 200]);
      // A language model reads all of it.
      expect(Buffer.byteLength(text)).toBeLessThan(8000);
    });

    it('links to the public address, where it is configured', () => {
      const links = linksOf(llmsText(publishedDocument(), 'https://inventory.example.com'));
      expect(links.map(({ path }) => path)).toContain(
        'https://inventory.example.com/openapi.json?areas=network&filters=plain',
      );
      expect(links.filter(({ path }) => !path.startsWith('https://inventory.example.com/'))).toEqual([]);
    });
  });

  it('describes each group by more than its name', async () => {
    const { tags } = (await service.anonymous.get('/openapi.json')).body as {
      tags: { name: string; description: string }[];
    };
    const words = (text: string): string[] => text.toLowerCase().match(/[a-z]+/g)!;
    for (const { name, description } of tags) {
      const said = new Set(words(name));
      const news = words(description).filter((word) => word.length > 2 && !said.has(word));
      expect([name, description, news.length > 1]).toEqual([name, description, true]);
    }
  });
});
