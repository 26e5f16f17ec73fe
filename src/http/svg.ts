import { preferredType } from './accept.js';

export const SVG_TYPE = 'image/svg+xml';

/** Content-Security-Policy of a picture that a browser opens as a page: it runs no script and loads nothing. */
export const SVG_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/** A picture, as the whole response body. */
export class SvgReply {
  readonly kind = 'svg';

  constructor(readonly svg: string) {}
}

/**
 * Whether a picture is asked for: by the parameter `format`, or else by `Accept`.
 * @param others media types that are preferred to the picture where the header allows both alike
 */
export const wantsSvg = (
  format: string | undefined,
  accept = '',
  others: readonly string[] = ['application/json'],
): boolean => (format === undefined ? preferredType(accept, [...others, SVG_TYPE]) === SVG_TYPE : format === 'svg');

const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** A text as the content of an element, or as the value of an attribute. What XML cannot hold is U+FFFD. */
export const escapedXml = (text: string): string =>
  text.replaceAll(NOT_XML, '\u{FFFD}').replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
