import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Served } from '../../http/static-response.js';
import type { DocumentTask, Finished } from './task.js';

/** Milliseconds after which an idle thread ends. It holds a second copy of the application, some 100 MB. */
const IDLE_MS = 60_000;

/** The uncompiled sources in tests need a compiler in the thread. */
const OPTIONS =
  extname(__filename) === '.ts' ? { execArgv: ['--require', join(__dirname, '../../../scripts/source.cjs')] } : {};

interface Waiting {
  resolve(served: Served): void;
  reject(error: Error): void;
}

/** Generates documents in a thread, because describing the whole API takes seconds. The thread is started when there is a task. */
export class DocumentThread {
  private worker?: Worker;
  private idle?: NodeJS.Timeout;
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;

  make(task: DocumentTask): Promise<Served> {
    clearTimeout(this.idle);
    this.worker ??= this.begin();
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      this.worker!.postMessage({ id, task });
    });
  }

  private begin(): Worker {
    const worker = new Worker(join(__dirname, `thread${extname(__filename)}`), OPTIONS);
    worker.on('message', ({ id, served, failure }: Finished) => {
      const { resolve, reject } = this.waiting.get(id)!;
      this.waiting.delete(id);
      if (served) resolve(served);
      else reject(new Error(failure));
      if (this.waiting.size === 0) this.idle = setTimeout(() => this.end(), IDLE_MS).unref();
    });
    // For example if there is too little memory.
    worker.on('error', (error) => this.lose(worker, error));
    worker.on('exit', () => this.lose(worker, new Error('The thread that makes documents has ended')));
    // The thread must not keep the process alive. Listening to messages would, so this comes last.
    worker.unref();
    return worker;
  }

  private end(): void {
    void this.worker?.terminate();
    this.worker = undefined;
  }

  private lose(worker: Worker, error: Error): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}
