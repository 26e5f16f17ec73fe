import { llmsText } from '../../src/openapi/document/llms.js';
import { publishedDocument } from '../../src/openapi/document/published.js';
import { startService, type TestService } from '../support/app.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

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
    // A model reads all of it.
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
