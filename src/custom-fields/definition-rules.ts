import { closest } from '../http/closest.js';
import { Fault } from '../http/errors.js';
import { BOUNDED, CHOSEN, compareValues, customFieldOf, PATTERNED, SEARCHED } from '../fields/custom/custom-field.js';
import type { CustomDefinition } from '../fields/custom/definition.js';
import { compilePattern, patternFault } from '../fields/custom/pattern.js';
import { Invalid } from '../fields/types/field-type.js';
import { valueReader } from '../fields/validation.js';

/** A current or new definition, without the parts that the database adds. */
export type Settings = Omit<CustomDefinition, 'id' | 'storedAs'>;

/** A definition whose values are in their stored form, and its pattern as PostgreSQL reads it. */
export interface Judged {
  settings: Settings;
  patternSql: string | null;
  faults: readonly Fault[];
}

/** Defaults of a new definition. */
export const DEFAULTS: Omit<Settings, 'key' | 'resources' | 'type'> = {
  label: null,
  description: null,
  choices: null,
  target: null,
  required: false,
  unique: false,
  default: null,
  minimum: null,
  maximum: null,
  pattern: null,
  searched: false,
  position: 0,
};

/** These three are JSON text in bodies. */
const JSON_SETTINGS = ['default', 'minimum', 'maximum'] as const;

/** The settings that a body has, with the values of JSON texts. */
export function settingsOf(body: object): Partial<Settings> {
  const settings: Record<string, unknown> = { ...body };
  for (const name of JSON_SETTINGS) {
    if (typeof settings[name] === 'string') settings[name] = JSON.parse(settings[name]) as unknown;
  }
  return settings;
}

const KEY = /^[a-z][A-Za-z0-9]*$/;

/** The resources whose records can have fields, and be referred to. */
type Customisable = ReadonlyMap<string, unknown>;

/** Settings that the validation of a default needs. */
const RULES = ['choices', 'minimum', 'maximum', 'pattern'];
/** Settings whose validation does not depend on the type. */
const OF_ANY_TYPE = ['key', 'resources', 'choices'];

/**
 * The faults of the definition in a create body, as far as its valid settings show them.
 * @param unsound settings that are missing or invalid
 */
export function faultsOfNew(body: object, unsound: ReadonlySet<string>, customisable: Customisable): Fault[] {
  const given = Object.entries(settingsOf(body)).filter(([name]) => !unsound.has(name));
  // Tags have optional choices, and no other settings of the type.
  const sound = { ...DEFAULTS, key: 'key', resources: [], type: 'tags', ...Object.fromEntries(given) } as Settings;
  return judge(sound, customisable).faults.filter(
    ({ field }) =>
      !unsound.has(field) &&
      (!unsound.has('type') || OF_ANY_TYPE.includes(field)) &&
      (field !== 'default' || !RULES.some((name) => unsound.has(name))),
  );
}

/** Validates a definition without its context. */
export function judge(settings: Settings, customisable: Customisable): Judged {
  const faults: Fault[] = [
    ...keyFaults(settings),
    ...resourceFaults(settings, customisable),
    ...choiceFaults(settings),
    ...ruleFaults(settings),
  ];
  const isPatterned = settings.pattern !== null && PATTERNED.includes(settings.type);
  const wrong = isPatterned ? patternFault(settings.pattern!) : undefined;
  if (wrong !== undefined) faults.push(new Fault('pattern', wrong));
  const values = readValues(settings, faults);
  const patternSql = isPatterned && wrong === undefined ? compilePattern(settings.pattern!).source : null;
  return { settings: { ...settings, ...values }, patternSql, faults };
}

function keyFaults({ key }: Settings): Fault[] {
  if (!KEY.test(key)) return [new Fault('key', 'must be in camelCase: letters and digits, the first in lower case')];
  // A name of a built-in property of JavaScript objects would be confused with it.
  return key in {} ? [new Fault('key', 'is a reserved word')] : [];
}

const suggestion = (name: string, known: Iterable<string>): string => {
  const near = closest(name, known);
  return near === undefined ? '' : `. Did you mean '${near}'?`;
};

function resourceFaults({ resources, type, target }: Settings, customisable: Customisable): Fault[] {
  const faults: Fault[] = [];
  const strange = resources.find((name) => !customisable.has(name));
  if (resources.length === 0) faults.push(new Fault('resources', 'must have at least one entry'));
  else if (strange !== undefined) {
    faults.push(
      new Fault(
        'resources',
        `contains '${strange}', whose records have no custom fields${suggestion(strange, customisable.keys())}`,
      ),
    );
  }
  if (type !== 'reference') {
    if (target !== null) faults.push(new Fault('target', 'must only be given for a reference'));
  } else if (target === null) faults.push(new Fault('target', 'is required for a reference', 'required'));
  else if (!customisable.has(target)) {
    faults.push(new Fault('target', `must be the name of a resource${suggestion(target, customisable.keys())}`));
  }
  return faults;
}

function choiceFaults({ type, choices }: Settings): Fault[] {
  if (choices === null) return type === 'choice' ? [new Fault('choices', 'is required for a choice', 'required')] : [];
  if (!CHOSEN.includes(type)) return [new Fault('choices', 'must only be given for a choice or tags')];
  if (choices.length === 0) return [new Fault('choices', 'must have at least one entry')];
  if (choices.some((choice) => choice.trim() === '')) return [new Fault('choices', 'must not have a blank entry')];
  if (new Set(choices).size < choices.length) return [new Fault('choices', 'must not have an entry twice')];
  return [];
}

function ruleFaults({ type, required, unique, searched, pattern, ...settings }: Settings): Fault[] {
  const faults: Fault[] = [];
  const refuse = (field: string, message: string): void => void faults.push(new Fault(field, message));
  if (required && type === 'reference') {
    refuse('required', 'must not be true for a reference: it is cleared when its target is deleted');
  }
  if (unique && (type === 'tags' || type === 'boolean')) refuse('unique', `must not be true for ${type}`);
  if (unique && settings.default !== null) refuse('unique', 'must not be true together with a default');
  if (searched && !SEARCHED.includes(type)) refuse('searched', 'must only be true for text, url, choice and tags');
  if (pattern !== null && !PATTERNED.includes(type)) refuse('pattern', 'must only be given for text and url');
  for (const bound of ['minimum', 'maximum'] as const) {
    if (settings[bound] !== null && !BOUNDED.includes(type)) {
      refuse(bound, 'must only be given for integer, decimal, date and dateTime');
    }
  }
  return faults;
}

/** The bounds and the default in their stored form. A faulty one is added to the faults, and becomes null. */
function readValues(settings: Settings, faults: Fault[]): Pick<Settings, 'minimum' | 'maximum' | 'default'> {
  const { type } = settings;
  const definition: CustomDefinition = { ...settings, id: '', storedAs: settings.key, minimum: null, maximum: null };
  const isFaulty = (name: string): boolean => faults.some(({ field }) => field === name);
  const read = (name: 'minimum' | 'maximum' | 'default', by: CustomDefinition): unknown => {
    const value = settings[name];
    if (value === null || isFaulty(name)) return null;
    const stored = valueReader(customFieldOf(by, undefined))(value);
    if (!(stored instanceof Invalid)) return Array.isArray(stored) && stored.length === 0 ? null : stored;
    faults.push(new Fault(name, stored.message, stored.code));
    return null;
  };
  const bare = { ...definition, pattern: null };
  const [minimum, maximum] = [read('minimum', bare), read('maximum', bare)];
  if (minimum !== null && maximum !== null && compareValues(type, minimum, maximum) > 0) {
    faults.push(new Fault('maximum', 'must not be less than minimum'));
  }
  // A default is validated with the valid settings only.
  const pattern = isFaulty('pattern') ? null : settings.pattern;
  const choices = isFaulty('choices') && type !== 'choice' ? null : (settings.choices ?? []);
  const rules = { ...definition, minimum, maximum, pattern, choices: type === 'choice' ? choices : settings.choices };
  return { minimum, maximum, default: read('default', rules) };
}
