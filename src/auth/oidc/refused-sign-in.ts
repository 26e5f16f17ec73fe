import type { FastifyReply, FastifyRequest } from 'fastify';
import { preferredType } from '../../http/accept.js';
import { DomainError } from '../../http/errors.js';
import { HTML_TYPE } from '../../http/html.js';
import { BodyReply } from '../../http/replies.js';
import { escapedXml } from '../../http/svg.js';

const STYLE = 'body{font:16px/1.5 sans-serif;margin:15vh auto;max-width:32em;padding:0 1em}a{margin-right:1.5em}';

// It runs no script and loads nothing.
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Answers a refused sign-in with a page if the client is a browser, because a person has followed a link: what happened, and how to
 * retry. Other clients get the refusal itself.
 * @param returnTo path to go to after the sign-in
 */
export async function explained(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  work: Promise<void>,
  returnTo: string,
): Promise<BodyReply | void> {
  try {
    return await work;
  } catch (error) {
    const isRead = preferredType(headers.accept ?? '', ['application/json', 'text/html']) === 'text/html';
    if (!isRead || !(error instanceof DomainError)) throw error;
    void reply.status(error.status).headers({ ...error.extra.headers, 'content-security-policy': POLICY });
    return new BodyReply(HTML_TYPE, page(error.message, returnTo));
  }
}

function page(sentence: string, returnTo: string): string {
  const again = escapedXml(`/api/auth/oidc/login?returnTo=${encodeURIComponent(returnTo)}`);
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>You are not signed in</title><style>${STYLE}</style></head><body><h1>You are not signed in</h1>
<p>${escapedXml(sentence)}.</p>
<p><a href="${again}">Try again</a><a href="${escapedXml(returnTo)}">Go on, if you have signed in meanwhile</a></p></body></html>`;
}
