// Process of bench/limits.mjs: clients that fetch whole lists, each another one, for a while. Sends how many a second they got.
// `node bench/whole-lists.mjs <url> <session> <connections> <seconds>`
import { load } from './load.mjs';
import { wholeList } from './operations.mjs';

const [url, session, connections, seconds] = process.argv.slice(2);
const limits = { connections: Number(connections), seconds: Number(seconds) };
const { rate } = await load({ kind: 'service', url }, session, wholeList, limits);
process.send(rate);
