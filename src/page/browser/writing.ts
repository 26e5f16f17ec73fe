/* Writing values into the displayed record, with an undo. */

import { ifMatch, reloadAll, send } from './api.js';
import { fieldsOf, labelOf, may, operationOn } from './model.js';
import { planned, planOf, queryIn } from './plan.js';
import { say } from './toasts.js';
import type { Collection, Field, Operation, Values } from './types.js';

/** The properties of a form. Ids without further information are left out, because nobody types ids. */
export const writable = (type: string | undefined): Field[] =>
  fieldsOf(type).filter(
    ({ readOnly, format, references, referencesBy }) =>
      !readOnly && !(format === 'uuid' && !references && !referencesBy),
  );

/** Whether two values of a field are the same; one that is not given is null. */
export const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

interface Writing {
  operation: Operation;
  body: Values;
  /** Labels of the secrets among the values. They are not written, because the log, the source of such values, does not have them. */
  secrets: string[];
}

/** The operation that changes a record, and the writable ones of some values; undefined if the session may not write, or there are none. */
export function writes(collection: Collection, values: Values): Writing | undefined {
  const operation = operationOn(collection, 'patch');
  if (!operation || !may(operation)) return undefined;
  const fields = writable(operation.body).filter(({ name }) => name in values);
  const given = fields.filter(({ secret }) => !secret).map(({ name }) => [name, values[name]]);
  const secrets = fields.filter(({ secret }) => secret).map(labelOf);
  return given.length > 0 ? { operation, body: Object.fromEntries(given), secrets } : undefined;
}

/**
 * Writes values, and offers an undo with the former ones. If another user has changed the record since it was shown, it writes nothing
 * and says so.
 * @param shown values of `updatedAt` of an unchanged record
 * @throws Refused
 */
export async function write(
  path: string,
  { operation, body, secrets }: Writing,
  said: string,
  ...shown: string[]
): Promise<void> {
  const { data, etag } = await send('GET', path);
  if (!shown.includes(data.updatedAt)) {
    reloadAll();
    return say('Somebody has changed it since it was shown. Look at it again', { isFault: true });
  }
  const plan = planOf(operation);
  const answer = await send('PATCH', `${path}${queryIn(plan)}`, { body, headers: ifMatch(operation, etag) });
  if (plan) return planned(plan, 'The change');
  const before = Object.fromEntries(Object.keys(body).map((name) => [name, data[name] ?? null]));
  say(secrets.length > 0 ? `${said}, but not ${secrets.join(', ')}: the log keeps no secrets` : said, {
    undo: async () => {
      await send('PATCH', path, { body: before, headers: ifMatch(operation, answer.etag) });
      reloadAll();
    },
  });
  reloadAll();
}
