import { DocumentThread } from './document-thread.js';

it('makes documents after one that failed, and tells why that failed', async () => {
  const thread = new DocumentThread();
  const task = { kind: 'document', seesOperations: true } as const;
  const broken = [{ resources: 'vendors', position: 'none' }] as never;
  const [failed, part] = await Promise.allSettled([
    thread.make({ ...task, definitions: broken }),
    thread.make({ kind: 'published', openapi: '3.0', slimming: { area: 'people', isPlain: true, isDirect: false } }),
  ]);
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('TypeError') } });
  expect(part.status).toBe('fulfilled');
  const { plain } = await thread.make({ ...task, definitions: [] });
  expect(JSON.parse(Buffer.from(plain).toString())).toMatchObject({ openapi: '3.1.0' });
});
