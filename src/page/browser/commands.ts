/* Commands in the search: "new incident", "allocate in 10.10.30.0/24", "hand out AT-9101", or a list by its name. */

import { get, queryOf } from './api.js';
import { below, capital, families, labelOf, may, mayCreate, oneOf, operationsOf, resolve } from './model.js';
import { searchedResources } from './match.js';
import { PICTURES } from './pictures.js';
import { ACTION_WORDS, isOffered } from './prepared.js';
import type { Collection, Operation, Row } from './types.js';

export interface Command {
  label: string;
  address: string;
  /** The kind of command. */
  kind: 'Create' | 'Go to' | 'Action';
  /** The record that it is done with. */
  match?: Row;
}

/** Words that say nothing of what is meant. */
const JOINING = new Set([
  'a',
  'an',
  'and',
  'at',
  'by',
  'for',
  'from',
  'in',
  'into',
  'of',
  'on',
  'or',
  'the',
  'to',
  'with',
]);
/** Other words for what the page calls "New". */
const NEW = new Set(['add', 'create']);
const SHORTEST = 2;
const MOST_RECORDS = 5;
const MOST_PLACES = 3;
const MOST_COMMANDS = 12;

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** The words of a text after those that begin the words of a label, in their order; undefined if it begins with others. */
function restOf(words: readonly string[], label: string): string[] | undefined {
  const wanted = wordsOf(label.toLowerCase()).filter((word) => !JOINING.has(word));
  let fitting = 0;
  let joining = 0;
  for (const [index, word] of words.entries()) {
    const one = index === 0 && NEW.has(word.toLowerCase()) ? 'new' : word.toLowerCase();
    if (fitting < wanted.length && one.length >= SHORTEST && wanted[fitting]!.startsWith(one)) {
      fitting += 1;
      joining = 0;
    } else if (JOINING.has(one)) joining += 1;
    else return fitting === 0 ? undefined : words.slice(index);
  }
  // A word that joins may be the beginning of one that says more, as long as nothing follows.
  return fitting === 0 ? undefined : words.slice(words.length - joining);
}

const isMeant = (text: string, label: string): boolean => restOf(wordsOf(text), label)?.length === 0;

/** The name of an action: what people call it, or as short as its path, such as "Receive" for `/receive`. */
export function wordOf({ id, path, summary }: Operation): string {
  const last = path.split('/').at(-1)!;
  return ACTION_WORDS[id] ?? (last.includes('-') ? summary : labelOf(last));
}

/** The actions on the records of a list that the session may take. */
export function actionsOn(collection: Collection): Operation[] {
  const { record } = collection;
  const owned = new Set(below(collection).parts.map(({ path }) => path));
  return operationsOf(collection).filter(
    ({ method, path }) =>
      method === 'post' && path.startsWith(`${record}/`) && !owned.has(path) && !path.endsWith('/restore'),
  );
}

/** The actions on a whole list, such as an import, that the session may take. */
export const actionsOnList = (collection: Collection): Operation[] =>
  operationsOf(collection).filter(
    ({ method, body, path }) =>
      method === 'post' && body !== undefined && path !== collection.path && !path.includes('{'),
  );

const lists = (): Collection[] =>
  families().flatMap(({ collections }) => collections.filter(({ path }) => !path.includes('{')));

/** New records, and actions on lists, that a text names. */
export function commandsOf(text: string): Command[] {
  const all = lists().flatMap((one): Command[] => {
    const at = `#${one.path.slice(4)}`;
    return [
      ...(mayCreate(one) && one.record && one.resource
        ? [{ kind: 'Create' as const, label: `New ${oneOf(one.resource)}`, address: `${at}/new` }]
        : []),
      ...(one.import && may(one.import)
        ? [{ kind: 'Action' as const, label: `Import ${one.label}`, address: `${at}/import` }]
        : []),
      ...actionsOnList(one).map((action) => ({
        kind: 'Action' as const,
        label: ACTION_WORDS[action.id] ?? action.summary,
        address: `${at}/do/${action.id}`,
      })),
    ];
  });
  return all.filter(({ label }) => isMeant(text, label)).slice(0, MOST_COMMANDS);
}

/** Lists and pictures whose name begins with a text. */
export function placesOf(text: string): Command[] {
  const all = [
    ...lists().map(({ path, label }) => ({ path: path.slice(4), label: capital(label) })),
    ...PICTURES.filter(({ isShown }) => isShown()),
  ];
  return all
    .filter(({ label }) => isMeant(text, label))
    .slice(0, MOST_PLACES)
    .map(({ path, label }) => ({ kind: 'Go to', label, address: `#${path}` }));
}

/** What a text asks to be done with the records that the rest of it finds, as far as their state admits it. */
export async function actionsOf(text: string, signal: AbortSignal): Promise<Command[]> {
  const words = wordsOf(text);
  const searched = searchedResources();
  const named = lists()
    .filter(({ resource }) => resource !== undefined && searched.includes(resource))
    .flatMap((collection) =>
      actionsOn(collection).flatMap((action) => {
        const rest = restOf(words, wordOf(action))?.join(' ');
        return rest !== undefined && rest.length >= SHORTEST && !JOINING.has(rest.toLowerCase())
          ? [{ collection, action, rest }]
          : [];
      }),
    );
  // "Hand out" means more than "hand".
  const [q] = named.map(({ rest }) => rest).toSorted((one, other) => one.length - other.length);
  if (q === undefined) return [];
  const meant = named.filter(({ rest }) => rest === q);
  const resource = [...new Set(meant.map(({ collection }) => collection.resource))];
  const { data } = await get(`/api/search${queryOf({ q, resource, pageSize: MOST_RECORDS })}`, signal);
  const found = await Promise.all(
    (data as Row[]).map(async (match): Promise<Command[]> => {
      const { data: record } = await get(match.path, signal);
      const collection = resolve(match.path)?.collection;
      return meant
        .filter((one) => one.collection === collection && isOffered(one.action.id, record))
        .map(({ action }) => ({
          kind: 'Action',
          label: wordOf(action),
          address: `#${match.path.slice(4)}/do/${action.id}`,
          match,
        }));
    }),
  );
  return found.flat();
}
