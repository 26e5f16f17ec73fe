import type { FastifyInstance } from 'fastify';

/** That a route will go away. Its headers, the document and the metrics follow from this. */
export interface Deprecation {
  /** The day from which clients should not use it: `2026-11-29`. */
  since: string;
  /** The day from which it may be gone. */
  sunset?: string;
  /** Path of what replaces it. */
  instead?: string;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    deprecated?: Deprecation;
  }
}

/** Headers of RFC 9745 and RFC 8594. */
const headersOf = ({ since, sunset }: Deprecation): Record<string, string> => ({
  deprecation: `@${Date.parse(since) / 1000}`,
  ...(sunset !== undefined && { sunset: new Date(sunset).toUTCString() }),
});

/** Adds the headers of a deprecation to every response of the routes that are registered from now on. Other routes get no hook. */
export function announceDeprecations(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const { deprecated } = route.config ?? {};
    if (deprecated === undefined) return;
    const headers = headersOf(deprecated);
    const link = deprecated.instead === undefined ? [] : [`<${deprecated.instead}>; rel="successor-version"`];
    route.onSend = [
      ...[route.onSend ?? []].flat(),
      (_request, reply, payload, done) => {
        void reply.headers(headers);
        const links = [reply.getHeader('link') ?? [], link].flat();
        if (links.length > 0) void reply.header('link', links.join(', '));
        done(null, payload);
      },
    ];
  });
}

/** What the document says of it. */
export function deprecationSentence({ since, sunset, instead }: Deprecation): string {
  const end = sunset === undefined ? '' : `, and may be gone from ${sunset}`;
  return `Deprecated since ${since}${end}.${instead === undefined ? '' : ` Use \`${instead}\` instead.`}`;
}
