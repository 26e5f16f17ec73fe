import { mediaRanges, qualityOf } from './accept.js';

export const SVG_TYPE = 'image/svg+xml';

/** A drawing as the response. */
export class SvgReply {
  constructor(readonly svg: string) {}
}

/** A drawing has a style sheet of its own, which the policy of other responses forbids, and loads and runs nothing. */
export const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text for content and attributes of XML, without the characters that XML does not allow. */
export const escapeXml = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- these are the characters
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);

/** Whether a response is to be a drawing: `format` has precedence over `Accept`, and JSON over a drawing. */
export function wantsSvg(format: string | undefined, accept = ''): boolean {
  if (format !== undefined) return format === 'svg';
  const ranges = mediaRanges(accept);
  return qualityOf(SVG_TYPE, ranges) > qualityOf('application/json', ranges);
}
