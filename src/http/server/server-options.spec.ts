import { parseTraceParent } from './server-options.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

it.each([
  `00-${TRACE}-${PARENT}-01`,
  `00-${TRACE}-${PARENT}-00`,
  `cc-${TRACE}-${PARENT}-01`,
  `01-${TRACE}-${PARENT}-01-what-else`,
])('takes %s', (header) => expect(parseTraceParent(header)).toEqual({ traceId: TRACE, parentId: PARENT }));

it.each([
  '',
  TRACE,
  `00-${TRACE}-${PARENT}`,
  `00-${TRACE}-${PARENT}-1`,
  `00-${TRACE}-${PARENT}-01-more`,
  `00-${TRACE}-${PARENT}-01.`,
  `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  `00-${'0'.repeat(32)}-${PARENT}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.slice(1)}-${PARENT}-01`,
  `ff-${TRACE}-${PARENT}-01`,
  `cc-${TRACE}-${PARENT}-01more`,
  `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`,
])('ignores %s', (header) => expect(parseTraceParent(header)).toBeUndefined());
