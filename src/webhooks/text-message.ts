/** Most characters of a message. */
const MOST = 300;
/** Most characters of a name or value within it. */
const MOST_OF_A_VALUE = 60;
const MOST_OF_A_LINK = 150;

/** A changed field in words. */
export interface ChangedField {
  label: string;
  /** Undefined for a new record. */
  from: string | undefined;
  to: string;
}

/** A change in words. */
interface Change {
  actor: string;
  action: string;
  /** The kind of record: `IP address`. */
  kind: string;
  /** Undefined for a record that has no name; then `between` says which one it is. */
  name: string | undefined;
  /** Names of what it joins. */
  between?: readonly [string, string];
  fields: readonly ChangedField[];
  /** Address of the record. */
  link?: string;
}

// Characters that chat programs interpret as markup, and similar ones.
const LOOKALIKES: Readonly<Record<string, string>> = {
  '<': '‹',
  '>': '›',
  '&': '＆',
  '@': '＠',
  '#': '＃',
  '*': '∗',
  '~': '∼',
  '`': 'ˋ',
  '|': '∣',
  '[': '［',
  ']': '］',
  '\\': '＼',
};

/** A user's text as plain text, without markup, links or mentions for chat programs. */
export function defanged(text: string): string {
  return (
    text
      // Line breaks, invisible characters, and characters that change the direction of text.
      .replaceAll(/[\p{Z}\p{Cc}]+/gu, ' ')
      .replaceAll(/[\p{Cf}\p{Co}\p{Cn}]/gu, '')
      .replaceAll(/[<>&@#*~`|[\]\\]/g, (character) => LOOKALIKES[character]!)
      // `_` is markup at the end of a word only. A word between colons is an emoji.
      .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '＿')
      .replaceAll(/:(?=\S)/g, '∶')
      // `example.net` becomes a link; an IP address does not.
      .replaceAll(/\.(?=\p{L})/gu, '․')
      .trim()
  );
}

const cut = (text: string, most: number): string => {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
};

const value = (text: string): string => cut(defanged(text), MOST_OF_A_VALUE);

// The address of a profile was checked when it was made, and is not a mention.
const isEmailAddress = (text: string): boolean => /^[\w.+-]+@[\w.-]+$/.test(text) && text.length <= MOST_OF_A_VALUE;

const VERBS: Readonly<Record<string, string>> = { create: 'created', update: 'changed', delete: 'deleted' };

/** One sentence about a change, of at most 300 characters and without a line break. */
export function sentenceOf({ actor, action, kind, name, between, fields, link }: Change): string {
  const who = isEmailAddress(actor) ? actor : value(actor);
  const what = name === undefined ? `a ${kind}` : `${kind} ${value(name)}`;
  const joining = between ? ` between ${value(between[0])} and ${value(between[1])}` : '';
  const head = `${who} ${VERBS[action] ?? action} ${what}${joining}`;
  // A link is complete or absent, and leaves room for the sentence.
  const tail = link === undefined || link.length > MOST_OF_A_LINK ? '' : ` ${link}`;
  const room = MOST - [...tail].length;
  const said: string[] = [];
  for (const [index, { label, from, to }] of fields.entries()) {
    const part = from === undefined ? `${label} ${value(to)}` : `${label} from ${value(from)} to ${value(to)}`;
    const left = fields.length - index - 1;
    const rest = left === 0 ? '' : ` and ${left} more`;
    if ([...head, ...said.join(', '), ...part, ...rest].length + 5 > room) {
      said.push(`${fields.length - index} more`);
      break;
    }
    said.push(part);
  }
  const sentence = said.length === 0 ? `${head}.` : `${head}: ${said.join(', ')}.`;
  return `${cut(sentence, room)}${tail}`;
}
