// Thread of bench/limits.mjs: clients that fetch whole lists, each another one, for a while. Posts how many a second they got.
import { parentPort, workerData } from 'node:worker_threads';
import { load } from './load.mjs';
import { wholeList } from './operations.mjs';

const { url, session, connections, seconds } = workerData;
const { rate } = await load({ kind: 'service', url }, session, wholeList, { connections, seconds });
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, and no window
parentPort.postMessage(rate);
