import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readApi } from './api.js';

it('reads texts that are escaped for HTML, and leaves what is no character as it is', async () => {
  const rows = [{ id: 1, name: 'R&amp;D &#39;9&#39; &#99999999;' }];
  const server = createServer(({ url }, response) => {
    const isThere = url!.startsWith('/api/v1/companies');
    response.writeHead(isThere ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isThere ? { total: 1, rows } : {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env.SNIPE_IT_TOKEN = 'secret';
  try {
    const found: unknown[] = [];
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for await (const { fields } of readApi(url)) found.push(fields);
    expect(found).toEqual([{ name: "R&D '9' &#99999999;" }]);
  } finally {
    delete process.env.SNIPE_IT_TOKEN;
    server.close();
  }
});
