/* The information in a description beyond the label. */

/** Words that tell nothing by themselves. */
const SMALL = new Set(
  'a an and at by for from has if in is it its of on one or that the this to used was which with'.split(' '),
);
const stemsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '' && !SMALL.has(word))
    .map((word) => word.replace(/(?:s|ed|ing)$/, ''));

/** The part of a description that adds to the label; undefined if there is none. */
export function helpOf(label: string, description: string | undefined): string | undefined {
  if (!description) return undefined;
  const known = new Set(stemsOf(label));
  const saysMore = (text: string): boolean => stemsOf(text).some((stem) => !known.has(stem));
  const said = description.replace(/^[^.]*\. /, (first) => (saysMore(first) ? first : ''));
  return saysMore(said) ? said.charAt(0).toUpperCase() + said.slice(1) : undefined;
}
