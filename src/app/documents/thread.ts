import { parentPort } from 'node:worker_threads';
import { onceDone } from '../../http/once.js';
import { servedOf } from '../../http/static-response.js';
import { publishedPart } from '../../openapi/document/published.js';
import { slimmed } from '../../openapi/document/slim.js';
import type { DocumentTask, Finished, OwnTask } from './task.js';

// The thread of `DocumentThread`.

/** The application and its description. Loading it takes longest, and parts of the published document do not need it. */
const describing = onceDone(async () => {
  const [{ previewApp }, { Definitions }, { buildDocument }, { ownDeclarations }, { closeFields }] = await Promise.all([
    import('../preview.js'),
    import('../../fields/custom/defined-fields.js'),
    import('../../openapi/document/build.js'),
    import('../../page/declarations.js'),
    import('../../transitions/closed-document.js'),
  ]);
  const app = await previewApp();
  return ({ kind, definitions, seesOperations, publicUrl, slimming, closed = [] }: OwnTask): object => {
    const known = new Definitions(definitions);
    const fields = seesOperations ? known.open : known.closed;
    const document = buildDocument(app, fields, publicUrl);
    if (kind !== 'document') return ownDeclarations(app, document, fields);
    closeFields(document, closed);
    return slimming ? slimmed(document, slimming) : document;
  };
});

const make = async (task: DocumentTask): Promise<object> =>
  task.kind === 'published' ? publishedPart(task) : (await describing())(task);

parentPort!.on('message', ({ id, task }: { id: number; task: DocumentTask }) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const finish = (finished: Omit<Finished, 'id'>): void => parentPort!.postMessage({ id, ...finished });
  make(task)
    .then(async (made) => finish({ served: await servedOf(JSON.stringify(made)) }))
    .catch((error: unknown) => finish({ failure: error instanceof Error ? error.stack : String(error) }));
});
