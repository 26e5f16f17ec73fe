// Child process of bench/limits.mjs: clients that read whole lists, each a different one, for a given time. Sends their number of
// lists per second. `node bench/whole-lists.mjs <url> <session> <connections> <seconds>`
import { load } from './load.mjs';
import { wholeList } from './operations.mjs';

const [url, session, connections, seconds] = process.argv.slice(2);
const limits = { connections: Number(connections), seconds: Number(seconds) };
const { rate } = await load({ kind: 'service', url }, [session], wholeList, limits);
process.send(rate);
