/* What a description says to people beyond a label. */

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

/** What a description says beyond a label; undefined if it says nothing more. */
export function helpOf(label: string, description: string | undefined): string | undefined {
  if (!description) return undefined;
  const known = new Set(stemsOf(label));
  const saysMore = (text: string): boolean => stemsOf(text).some((stem) => !known.has(stem));
  const said = description.replace(/^[^.]*\. /, (first) => (saysMore(first) ? first : ''));
  return saysMore(said) ? said.charAt(0).toUpperCase() + said.slice(1) : undefined;
}
