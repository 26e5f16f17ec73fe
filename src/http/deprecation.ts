import type { FastifyInstance, FastifyReply } from 'fastify';

/** That a route, a parameter or a field will go away. Its headers, the document, the page and the metrics follow from this. */
export interface Deprecation {
  /** The day from which clients should not use it: `2026-11-29`. */
  since: string;
  /** The day from which it may be gone. */
  sunset?: string;
  /** What replaces it: the path of a route, or the name of a parameter or field. */
  instead?: string;
}

/** A parameter, or a property of the body, that will go away and that a request has. */
export interface DeprecatedUse {
  name: string;
  deprecation: Deprecation;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    deprecated?: Deprecation;
  }
  interface FastifyRequest {
    deprecatedUses?: readonly DeprecatedUse[];
  }
}

const earliest = (days: readonly (string | undefined)[]): string | undefined =>
  days.filter((day) => day !== undefined).toSorted()[0];

/** Adds the headers of RFC 9745 and RFC 8594 to a response: the earliest days, and each path that replaces something. */
export function announce(reply: FastifyReply, deprecations: readonly Deprecation[]): void {
  const since = earliest(deprecations.map((one) => one.since))!;
  const sunset = earliest(deprecations.map((one) => one.sunset));
  void reply.header('deprecation', `@${Date.parse(since) / 1000}`);
  if (sunset !== undefined) void reply.header('sunset', new Date(sunset).toUTCString());
  const links = deprecations
    .map(({ instead }) => instead)
    .filter((instead) => instead?.startsWith('/'))
    .map((instead) => `<${instead}>; rel="successor-version"`);
  const all = new Set([reply.getHeader('link') ?? [], links].flat());
  if (all.size > 0) void reply.header('link', [...all].join(', '));
}

/** Adds the headers to every response of the deprecated routes that are registered from now on. Other routes get no hook. */
export function announceDeprecations(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const { deprecated } = route.config ?? {};
    if (deprecated === undefined) return;
    route.onSend = [
      ...[route.onSend ?? []].flat(),
      ({ deprecatedUses = [] }, reply, payload, done) => {
        announce(reply, [deprecated, ...deprecatedUses.map(({ deprecation }) => deprecation)]);
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

/** A description that begins with it. */
export const withDeprecation = (deprecated: Deprecation | undefined, description: string): string =>
  deprecated ? `${deprecationSentence(deprecated)} ${description}` : description;
