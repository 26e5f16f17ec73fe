/** Status of an asset by words in its label. The first match counts. */
const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/\b(?:lost|stolen|missing)\b/i, 'lost'],
  [/\b(?:dispos|scrap|sold\b|donat|recycl|destroy)/i, 'disposed'],
  [/\b(?:archiv|retire|broken\b|decommission|end of life\b|eol\b)/i, 'retired'],
  [/\breserv/i, 'reserved'],
  [/\b(?:pending|ordered|on order|in transit)\b/i, 'pending'],
  [/\b(?:repair|diagnos|maintenance\b|service\b)/i, 'in_repair'],
  [/\b(?:in use|deployed|checked out|assigned)\b/i, 'in_use'],
];

/** Status of an asset by Snipe-IT's type of its label. */
const BY_TYPE: Readonly<Record<string, string>> = {
  deployable: 'in_stock',
  pending: 'pending',
  archived: 'retired',
  undeployable: 'in_repair',
};

/** The status that assets with a label have here while nobody holds them. */
export function statusOf(label: string, type: string | undefined): string {
  return (
    BY_NAME.find(([words]) => words.test(label))?.[1] ??
    BY_TYPE[(type ?? '').toLowerCase()] ??
    (/undeployable|not deployable/i.test(label) ? 'in_repair' : 'in_stock')
  );
}

/** The status while somebody holds them: a ready asset is in use. */
export const heldStatusOf = (status: string): string =>
  status === 'in_stock' || status === 'reserved' || status === 'pending' ? 'in_use' : status;
