import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';

/** The place of a request in a trace that began elsewhere. */
export interface Trace {
  traceId: string;
  /** The caller's part of the trace. */
  parentId: string;
}

const VERSION_0 = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}$/;
/** A later version may have more after the same beginning. `ff` is none. */
const LATER = /^(?!00|ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(?:-.*)?$/;

/** Reads the header `traceparent` of W3C Trace Context. Undefined if it is not valid: then it is ignored. */
export function parseTraceParent(header: string): Trace | undefined {
  const [, traceId, parentId] = VERSION_0.exec(header) ?? LATER.exec(header) ?? [];
  return traceId === undefined ? undefined : { traceId, parentId: parentId! };
}

/** The logger of a request, whose lines name its trace if it belongs to one. */
export function requestLogger(
  logger: FastifyBaseLogger,
  bindings: object,
  options: object,
  request: { headers: Record<string, string | string[] | undefined> },
): FastifyBaseLogger {
  const { traceparent } = request.headers;
  // Node joins repeated headers with a comma, which makes them invalid.
  const trace = typeof traceparent === 'string' ? parseTraceParent(traceparent.trim()) : undefined;
  if (!trace) return logger.child(bindings as never, options);
  const ids = { trace_id: trace.traceId, span_id: randomBytes(8).toString('hex'), parent_span_id: trace.parentId };
  return logger.child({ ...bindings, ...ids } as never, options);
}
