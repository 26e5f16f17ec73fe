import {
  choiceOption,
  DRY_RUN,
  flagOption,
  ON_ERROR,
  type QueryOption,
  type Values,
} from '../../lists/parameters/query-options.js';
import { Fault, ValidationFailed } from '../../http/errors.js';
import { CHANGE_SET } from '../plans.js';

const key: QueryOption<readonly string[] | undefined> = {
  name: 'key',
  description:
    'Column that identifies existing records with `mode=update` and `mode=upsert`, or several separated by commas, for example `assetTag` or `name,site.name`. `id` by default',
  schema: { type: 'string', maxLength: 1000 },
  many: false,
  fallback: undefined,
  apply(values, [raw]) {
    const names = raw!.split(',').map((name) => name.trim());
    if (raw!.length > 1000 || names.includes('') || new Set(names).size < names.length) {
      return 'must be the name of a column, or several different ones separated by commas';
    }
    values.key = names;
    return undefined;
  },
};

const MOST_OF_QUERY = 4000;

const within: QueryOption<string | undefined> = {
  name: 'within',
  description:
    'With `mode=reconcile`, the query string of the list, percent-encoded, whose records the file is the whole truth about, for example `siteId%3D3f2b8c1e-5d4a-4f6b-9a7c-1e2d3c4b5a69`. A row outside of it is a fault',
  schema: { type: 'string', maxLength: MOST_OF_QUERY },
  many: false,
  fallback: undefined,
  apply(values, [raw]) {
    if (raw!.length > MOST_OF_QUERY) return `must have at most ${MOST_OF_QUERY} characters`;
    values.within = raw!;
    return undefined;
  },
};

export const IMPORT_OPTIONS = {
  mode: choiceOption(
    'mode',
    'ImportMode',
    '`create` creates a record from each row, `update` changes existing records, `upsert` changes those that exist and creates the others. `reconcile` also deletes what is missing in the file, and only writes this down in a change set: it needs `changeSet`, `key` and `within`',
    ['create', 'update', 'upsert', 'reconcile'],
  ),
  key,
  empty: choiceOption(
    'empty',
    'EmptyCells',
    'Meaning of an empty cell of a CSV file. `ignore`: the property is not given. `clear`: it is null. A quoted empty cell is empty text',
    ['ignore', 'clear'],
  ),
  raw: flagOption('raw', "Reads cells of a CSV file as they are. Otherwise a `'` before a formula is removed"),
  onError: ON_ERROR,
  report: choiceOption(
    'report',
    'ImportReport',
    '`ids` adds the id of the record of every row, null for a row that was skipped',
    ['summary', 'ids'],
  ),
  dryRun: DRY_RUN,
  changeSet: CHANGE_SET,
  within,
  allowEmpty: flagOption(
    'allowEmpty',
    'With `mode=reconcile`, lets a file without rows delete all records within the filter',
  ),
} as const;

export type ImportOptions = Values<typeof IMPORT_OPTIONS>;

/** @throws ValidationFailed for options that do not go together */
export function refuseContradictions(options: ImportOptions): void {
  const faults: Fault[] = [];
  const refuse = (field: string, message: string): void => void faults.push(new Fault(field, message));
  const { mode, allowEmpty, changeSet, dryRun, report, onError } = options;
  if (mode === 'create' && options.key) refuse('key', 'must not be given with mode=create');
  if (mode === 'reconcile') {
    if (!options.key) refuse('key', 'must be given with mode=reconcile');
    if (options.within === undefined) refuse('within', 'must be given with mode=reconcile');
    // A skipped row would seem to be missing.
    if (onError === 'skip') refuse('onError', 'must not be skip with mode=reconcile');
  } else {
    if (options.within !== undefined) refuse('within', 'must be given with mode=reconcile only');
    if (allowEmpty) refuse('allowEmpty', 'must be given with mode=reconcile only');
  }
  if (changeSet !== undefined && dryRun) refuse('dryRun', 'must not be given with changeSet');
  if (changeSet !== undefined && report === 'ids') refuse('report', 'must not be given with changeSet');
  if (faults.length > 0) throw new ValidationFailed(faults);
}
