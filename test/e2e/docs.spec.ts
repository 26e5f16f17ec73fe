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
