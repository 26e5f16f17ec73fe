import type { FastifyInstance, FastifyReply } from 'fastify';

/** A deprecation of a route, a parameter or a field. Headers, document, page and metrics follow from it. */
export interface Deprecation {
  /** The day from which clients should not use it: `2026-11-29`. */
  since: string;
  /** The day from which it may be gone. */
  sunset?: string;
  /** The replacement: the path of a route, or the name of a parameter or field. */
  instead?: string;
}

/** A deprecated parameter, or property of the body, that a request uses. */
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

/** Adds the headers of RFC 9745 and RFC 8594 to a response: the earliest dates, and the path of each replacement. */
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

/** Adds the headers to the responses of deprecated routes that are registered from now on. Other routes get no hook. */
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

/** The text of the document about it. */
export function deprecationSentence({ since, sunset, instead }: Deprecation): string {
  const end = sunset === undefined ? '' : `, and may be gone from ${sunset}`;
  return `Deprecated since ${since}${end}.${instead === undefined ? '' : ` Use \`${instead}\` instead.`}`;
}

/** The description with this text before it. */
export const withDeprecation = (deprecated: Deprecation | undefined, description: string): string =>
  deprecated ? `${deprecationSentence(deprecated)} ${description}` : description;
