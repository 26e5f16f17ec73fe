import { Agent, request } from 'node:http';
import { startService, type Api } from '../support/app.js';

interface KeptAnswer {
  status: number;
  connection?: string;
}

const onKept = (agent: Agent, { url, cookie }: Api, path: string): Promise<KeptAnswer> =>
  new Promise((resolve, reject) => {
    const call = request(url + path, { agent, headers: { cookie: `session=${cookie}` } }, (response) => {
      const { statusCode: status, headers } = response;
      response.resume().on('end', () => resolve({ status: status!, connection: headers.connection }));
    });
    call.on('error', reject).end();
  });

it('announces the end of keep-alive connections before it closes them', async () => {
  const service = await startService();
  const viewer = await service.as('viewer');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    expect(await onKept(agent, viewer, '/api/sites')).toEqual({ status: 200, connection: 'keep-alive' });
    const closed = service.app.close();
    let answer: KeptAnswer;
    do answer = await onKept(agent, viewer, '/api/sites');
    while (answer.connection === 'keep-alive');
    expect(answer).toEqual({ status: 200, connection: 'close' });
    await closed;
    await expect(onKept(agent, viewer, '/api/sites')).rejects.toThrow('ECONNREFUSED');
  } finally {
    agent.destroy();
    await service.database.drop();
  }
});
