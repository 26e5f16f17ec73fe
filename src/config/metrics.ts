import type { Environment } from './environment.js';

/** Where `GET /metrics` is served, and to whom. */
export interface MetricsSettings {
  /** The token that a request must have. If absent, anybody who reaches the listener may read the metrics. */
  token?: string;
  /** The separate listener for metrics. If absent, the listener of the API serves them. */
  listener?: { host: string; port: number };
}

/** A token as the header `Authorization` may have it (RFC 6750), long enough not to be guessed. */
const TOKEN = /^[A-Za-z\d._~+/-]{32,}=*$/;

/**
 * The settings of the metrics; undefined if neither a token nor a port is set. Then there are none.
 * @param host of the API
 * @throws the fault of a variable, as a sentence with its name
 */
export function loadMetrics(env: Environment, host: string): MetricsSettings | undefined {
  const token = env.text('METRICS_TOKEN');
  const port = env.text('METRICS_PORT');
  if (token !== undefined && !TOKEN.test(token)) {
    throw env.fault('METRICS_TOKEN must be at least 32 letters, digits or characters of ._~+/-');
  }
  if (port === undefined && env.text('METRICS_HOST') !== undefined) {
    throw env.fault('METRICS_HOST needs METRICS_PORT: without it the metrics are served on HOST and PORT');
  }
  if (port === undefined) return token === undefined ? undefined : { token };
  return {
    token,
    listener: { host: env.text('METRICS_HOST') ?? host, port: env.integer('METRICS_PORT', 0, 0, 65_535) },
  };
}
