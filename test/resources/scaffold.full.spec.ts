import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { onServer } from '../support/database.js';

/*
 * Adds a resource as docs/adding-a-resource.md says, in a copy of the working tree, and runs what covers it. The latter takes a
 * minute, so it is a test in full only.
 */

const ROOT = join(__dirname, '../..');
const NOT_COPIED = new Set(['node_modules', '.git', 'dist', 'data', 'demo-data', 'clients', 'coverage']);

jest.setTimeout(300_000);

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'inventory-scaffold-'));
  for (const name of readdirSync(ROOT)) {
    if (!NOT_COPIED.has(name)) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  // A migration that is not committed may be replaced.
  const author = ['-c', 'user.name=Nobody', '-c', 'user.email=nobody@example.com'];
  for (const args of [
    ['init', '--quiet'],
    [...author, 'commit', '--quiet', '--allow-empty', '--message', 'Empty'],
  ]) {
    execFileSync('git', args, { cwd: copy });
  }
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

interface Outcome {
  code: number;
  output: string;
}

/** Runs a command in the copy, outside of this run of the tests. */
function run(command: string, ...args: string[]): Promise<Outcome> {
  const { TEST_DATABASE_TEMPLATE: ours, JEST_WORKER_ID: _worker, ...inherited } = process.env;
  // The database of the copy has the same migrations, and one more.
  const env = onServer ? inherited : { ...inherited, TEST_DATABASE_BASE: ours };
  const options = { cwd: copy, env, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) || 1 : 0, output: `${stdout}${stderr}` }),
    );
  });
}

const scaffold = (...args: string[]): Promise<Outcome> => run(process.execPath, 'scripts/resource.mjs', ...args);

/** Text of every file that the scaffold may write, by its path in the copy. */
function files(): Map<string, string> {
  const found = new Map<string, string>();
  for (const folder of ['src', 'test/migrations', 'sdk/typescript', '.']) {
    const entries = readdirSync(join(copy, folder), { withFileTypes: true, recursive: folder !== '.' });
    for (const entry of entries.filter((candidate) => candidate.isFile())) {
      const path = join(entry.parentPath, entry.name);
      found.set(path.slice(copy.length + 1), readFileSync(path, 'utf8'));
    }
  }
  return found;
}

const changedSince = (before: Map<string, string>): string[] =>
  [...files()].flatMap(([path, text]) => (before.get(path) === text ? [] : [path])).toSorted();

/** What somebody writes after the scaffold, of a resource that nobody will add: fields of several kinds, a status with kept totals, and a rule. */
const LONGLINE = `import { Rule } from '../../fields/bodies/rules.js';
import { DecimalField, NameField, NumberField, ReferenceField, TextField, WordField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { Site } from '../site/site.entity.js';

@RecordEntity('longlines', { area: 'network' })
@Rule('ck_longlines_burst', 'burst IS NULL OR bandwidth IS NOT NULL', 'burst', 'needs a bandwidth')
export class Longline extends StoredRecord {
  @NameField('Name', { example: 'AMS-LON-1' }) name!: string;
  @ReferenceField(() => Site, 'Site at which it ends') siteId!: string | null;
  @WordField('Status', ['active', 'planned', 'offline'], { default: 'active', counted: true }) status!: string;
  @NumberField('Bandwidth in Mbit/s', { example: 1000, min: 0 }) bandwidth!: number | null;
  @NumberField('Bandwidth of bursts in Mbit/s', { example: 2000, min: 0 }) burst!: number | null;
  @DecimalField('Cost per month', { example: '120.50' }) monthlyCost!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}
`;

const LONGLINES_SPEC = `import { startService, type Api, type TestService } from '../support/app.js';

let service: TestService;
let editor: Api;
beforeAll(async () => {
  service = await startService();
  editor = await service.as('editor', ['network']);
});
afterAll(() => service.stop());

it('a burst needs a bandwidth', async () => {
  const answer = await editor.post('/api/longlines', { name: 'a', burst: 5 });
  expect([answer.status, answer.body.error]).toEqual([400, 'burst needs a bandwidth']);
  const longline = await editor.make('/api/longlines', { name: 'b', burst: 5, bandwidth: 1, status: 'planned' });
  expect((await editor.patch(\`/api/longlines/\${longline.id}\`, { bandwidth: null })).status).toBe(400);
  const found = await editor.get('/api/longlines?status=planned&bandwidth__gte=1&pageSize=1');
  expect([found.body.total, found.body.data[0].id]).toEqual([1, longline.id]);
});
`;

/** A part of it, of which there are two at most, and which refers to a part of another record. */
const LONGLINE_END = `import { Index } from 'typeorm';
import { defineRule } from '../../fields/bodies/rules.js';
import { EnumField, OwnerField, ReferenceField, TextField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { DevicePort } from '../device-port/device-port.entity.js';
import { Longline } from '../longline/longline.entity.js';
import { Site } from '../site/site.entity.js';

defineRule('ix_longline_ends_longline_id_side', 'side', 'is already taken by the other end of the longline');

@RecordEntity('longline_ends', { area: 'network' })
@Index(['longlineId', 'side'], { unique: true })
export class LonglineEnd extends StoredRecord {
  @OwnerField(() => Longline, 'Longline that it is an end of', { indexed: false }) longlineId!: string;
  @EnumField('Side', 'LonglineSide', ['a', 'z'], { required: true, naming: true }) side!: string;
  @ReferenceField(() => Site, 'Site at which it is') siteId!: string | null;
  @ReferenceField(() => DevicePort, 'Port at which it ends') portId!: string | null;
  @TextField('Description', { searchable: true }) description!: string | null;
}
`;

const LONGLINE_ENDS_SPEC = `import { startService, type Api, type TestService } from '../support/app.js';

let service: TestService;
let admin: Api;
beforeAll(async () => {
  service = await startService();
  admin = await service.as('admin');
});
afterAll(() => service.stop());

it('a longline has two ends', async () => {
  const longline = await admin.make('/api/longlines', { name: 'a' });
  const ends = \`/api/longlines/\${longline.id}/ends\`;
  for (const side of ['a', 'z']) await admin.make(ends, { side });
  const third = await admin.post(ends, { side: 'z' });
  expect([third.status, third.body.error]).toEqual([409, expect.stringContaining('other end of the longline')]);
  await admin.delete(\`/api/longlines/\${longline.id}\`);
  expect((await admin.get(ends)).status).toBe(404);
});

it('a longline goes down once with the site of both of its ends', async () => {
  const { id: siteId } = await admin.make('/api/sites', { name: 'Both' });
  const longline = await admin.make('/api/longlines', { name: 'within' });
  for (const side of ['a', 'z']) await admin.make(\`/api/longlines/\${longline.id}/ends\`, { side, siteId });
  const { data } = (await admin.get(\`/api/sites/\${siteId}/impact\`)).body;
  expect(data.counts).toEqual({ longlines: 1 });
  expect(data.records).toEqual([expect.objectContaining({ id: longline.id, effect: 'down', via: expect.objectContaining({ id: siteId }) })]);
});
`;

/** Replaces a text that a file of the copy contains. */
function replace(file: string, text: string | RegExp, by: string): void {
  const before = readFileSync(join(copy, file), 'utf8');
  const after = before.replace(text, by);
  expect([file, after === before]).toEqual([file, false]);
  writeFileSync(join(copy, file), after);
}

describe('the scaffold', () => {
  it.each([
    ['no arguments', [], 'Usage: npm run resource'],
    ['an unknown family', ['storage', 'longline'], 'There is no family storage: the families are operations, network'],
    ['a path as family', ['../network', 'longline'], 'There is no family ../network'],
    ['an unknown option', ['network', 'longline', '--force'], 'Usage: npm run resource'],
    ['a name that is not in lower case', ['network', 'Longline'], 'The name "Longline" must be words in lower case'],
    ['a name that leads out of the family', ['network', '../longline'], 'The name "../longline" must be words'],
    ['a name that is too long', ['network', 'c'.repeat(41)], 'must have at most 40 characters'],
    ['a name that may be a plural', ['network', 'longlines'], 'longlines may be a plural already'],
    ['a plural that is a word of SQL', ['network', 'reference'], '"references" is a reserved word of SQL'],
    ['a plural that is not a name', ['network', 'bus', '--plural', 'Buses'], 'The plural "Buses" must be words'],
    ['an existing resource', ['network', 'vrf'], 'src/network/vrf already exists'],
    [
      'a resource of another family',
      ['network', 'person', '--plural', 'people'],
      'The path /api/people already exists',
    ],
    ['a schema of the document', ['network', 'error'], 'The document already has a schema Error'],
    ['a class of the sources', ['network', 'stored-record'], 'already declares StoredRecord'],
    [
      'an owner that does not exist',
      ['network', 'longline', 'end', '--part-of', 'longline'],
      'The owner must be a resource of',
    ],
    [
      'an owner of another family',
      ['network', 'asset', 'end', '--part-of', 'asset'],
      'The owner must be a resource of',
    ],
    ['an owner by its path', ['network', 'longline', '--part-of', '../network/vrf'], 'The owner must be a resource of'],
    ['a part of a part', ['network', 'port-lane', '--part-of', 'device-port'], 'device-port cannot have parts'],
    [
      'an existing part',
      ['network', 'port', '--part-of', 'device'],
      'The path /api/devices/{deviceId}/ports already exists',
    ],
    ['a class of JavaScript', ['network', 'map'], 'which JavaScript or Nest has'],
  ])('refuses %s', async (_, args, sentence) => {
    const before = files();
    const { code, output } = await scaffold(...args);
    expect([code, output]).toEqual([1, expect.stringContaining(sentence)]);
    expect(changedSince(before)).toEqual([]);
  });

  it('puts every file back if a step fails', async () => {
    const entity = join(copy, 'src/network/vrf/vrf.entity.ts');
    const text = readFileSync(entity, 'utf8');
    // An uncommitted change that does not compile.
    writeFileSync(entity, `${text}export class`);
    const before = files();
    const { code, output } = await scaffold('network', 'longline');
    expect([code, output]).toEqual([1, expect.stringContaining('Nothing was changed.')]);
    expect([...files()]).toEqual([...before]);
    writeFileSync(entity, text);
  });

  /** What the scaffold wrote, by its path in the copy, for the check of types. */
  const asWritten = new Map<string, string>();

  it('adds a resource that passes the checks and the suites, with three new files', async () => {
    const before = files();
    expect(await scaffold('network', 'longline')).toEqual({ code: 0, output: expect.stringContaining('Created:') });
    const changed = changedSince(before);
    const created = changed.filter((path) => !before.has(path));
    expect(created).toEqual([
      'src/network/longline/longline.entity.ts',
      'src/network/longline/longlines.controller.ts',
      expect.stringMatching(/^src\/schema\/migrations\/\d{13}-longlines\.sql$/),
    ]);
    expect(changed.filter((path) => before.has(path))).toEqual(['openapi.json', 'src/network/network.module.ts']);

    const again = await scaffold('network', 'longline');
    expect(again).toEqual({ code: 1, output: expect.stringContaining('src/network/longline already exists') });

    for (const path of created) asWritten.set(path, readFileSync(join(copy, path), 'utf8'));

    const written = changed.filter((path) => path.endsWith('.ts') && path.startsWith('src/'));
    const suites = ['resources/crud', 'migrations/'].map((at) => `test/${at}`);
    const names = ['^/api/longlines ', 'no difference', 'index every', 'index the columns', 'log and count'];
    const outcomes = await Promise.all([
      run('node_modules/.bin/oxlint', '--deny-warnings', 'src/network', 'src/schema'),
      run('node_modules/.bin/prettier', '--check', ...written),
      run('npm', 'run', '--silent', 'check', '--', 'document'),
      run('npm', 'test', '--silent', '--', '--maxWorkers=1', ...suites, '-t', names.join('|')),
    ]);
    for (const { code, output } of outcomes) expect([output, code]).toEqual([output, 0]);
    // Ten tests of the resource, and those of the migrations.
    expect(outcomes.at(-1)!.output).toMatch(/Tests: .*\b14 passed/);
    expect(readFileSync(join(copy, 'sdk/typescript/schema.d.ts'), 'utf8')).toContain('CreateLongline');
  });

  it('gets fields, a kept total and a rule by the further steps', async () => {
    // Run alone, the test takes the first step itself.
    if (!existsSync(join(copy, 'src/network/longline'))) await scaffold('network', 'longline');
    writeFileSync(join(copy, 'src/network/longline/longline.entity.ts'), LONGLINE);
    const controller = join(copy, 'src/network/longline/longlines.controller.ts');
    const described = readFileSync(controller, 'utf8').replace(
      "about: 'Longlines'",
      "about: 'Lines of providers between sites'",
    );
    expect(described).toContain('Lines of providers');
    writeFileSync(controller, described);
    const rows = join(copy, 'test/resources/contract-rows.ts');
    const text = readFileSync(rows, 'utf8');
    const bound = text.replace(/(boundFields: .*) = \{\};/, "$1 = { '/api/longlines': ['bandwidth'] };");
    expect(bound).not.toBe(text);
    writeFileSync(rows, bound);
    // A column of a table that has records gets a kept total too.
    const issue = join(copy, 'src/operations/known-issue/known-issue.entity.ts');
    const counted = readFileSync(issue, 'utf8').replace(
      "{ default: 'medium' }",
      "{ default: 'medium', counted: true }",
    );
    expect(counted.match(/counted: true/g)).toHaveLength(2);
    for (const step of [
      ['migration:generate', '--', 'longlines'],
      // The triggers of the column come at the next start, and its index by a migration.
      ['migration:generate', '--', 'severities'],
      ['openapi'],
    ]) {
      if (step.includes('severities')) writeFileSync(issue, counted);
      const { code, output } = await run('npm', 'run', '--silent', ...step);
      expect([output, code]).toEqual([output, 0]);
    }
    const migrations = readdirSync(join(copy, 'src/schema/migrations')).filter((file) =>
      file.endsWith('-longlines.sql'),
    );
    expect(migrations).toHaveLength(1);

    const suites = ['resources/crud', 'migrations/', 'e2e/longlines', 'e2e/page.spec'].map((at) => `test/${at}`);
    const names = ['^/api/longlines ', 'no difference', 'index', 'log and count', 'burst', 'describes each'];
    writeFileSync(join(copy, 'test/e2e/longlines.spec.ts'), LONGLINES_SPEC);
    const outcomes = await Promise.all([
      run('node_modules/.bin/oxlint', '--deny-warnings', 'src/network', 'src/schema', 'test/resources', 'test/e2e'),
      run('npm', 'test', '--silent', '--', '--maxWorkers=1', ...suites, '-t', names.join('|')),
    ]);
    for (const { code, output } of outcomes) expect([output, code]).toEqual([output, 0]);
    expect(outcomes.at(-1)!.output).toMatch(/Tests: .*\b18 passed/);
  });

  it('adds a part, of which there are few, and which the suites cover', async () => {
    // Run alone, the test adds the owner itself.
    if (!existsSync(join(copy, 'src/network/longline'))) await scaffold('network', 'longline');
    const before = files();
    const added = await scaffold('network', 'longline', 'end', '--part-of', 'longline');
    expect(added).toEqual({ code: 0, output: expect.stringContaining('Created:') });
    const written = changedSince(before).filter((path) => !before.has(path));
    expect(written).toEqual([
      'src/network/longline-end/longline-end.entity.ts',
      'src/network/longline-end/longline-ends.controller.ts',
      expect.stringMatching(/^src\/schema\/migrations\/\d{13}-longline-ends\.sql$/),
    ]);
    const tidy = await run('node_modules/.bin/prettier', '--check', ...written.filter((path) => path.endsWith('.ts')));
    expect([tidy.output, tidy.code]).toEqual([tidy.output, 0]);
    for (const path of written) asWritten.set(path, readFileSync(join(copy, path), 'utf8'));

    writeFileSync(join(copy, 'src/network/longline-end/longline-end.entity.ts'), LONGLINE_END);
    replace('src/network/longline-end/longline-ends.controller.ts', '  owner:', '  conflicts: true,\n  owner:');
    // Impact knows it by its ends, a third table.
    const containment = 'src/operations/containment.ts';
    replace(
      containment,
      'import type { Class }',
      "import { Longline } from '../network/longline/longline.entity.js';\nimport type { Class }",
    );
    replace(
      containment,
      'import type { Class }',
      "import { LonglineEnd } from '../network/longline-end/longline-end.entity.js';\nimport type { Class }",
    );
    replace(
      containment,
      '  { record: VirtualMachine, ',
      "  { record: Longline, containers: [{ record: Site, column: 'site_id', over: { record: LonglineEnd, contained: 'longline_id' } }] },\n  { record: VirtualMachine, ",
    );
    replace(
      'src/operations/impact/impact.ts',
      '  @ApiProperty({ ...count, example: 25 })',
      '  @ApiProperty({ ...count, example: 1 }) longlines?: number;\n  @ApiProperty({ ...count, example: 25 })',
    );
    for (const step of [['migration:generate', '--', 'longline-ends'], ['openapi']]) {
      const { code, output } = await run('npm', 'run', '--silent', ...step);
      expect([output, code]).toEqual([output, 0]);
    }

    // Without the table of the owner, that of the part cannot be made.
    const again = await run('npm', 'run', '--silent', 'migration:generate', '--', 'longlines');
    expect(again).toEqual({
      code: 1,
      output: expect.stringMatching(
        /^A later migration needs this one, so it stays \(relation "longlines" does not exist\)\. Choose another name/,
      ),
    });

    writeFileSync(join(copy, 'test/e2e/longline-ends.spec.ts'), LONGLINE_ENDS_SPEC);
    const suites = [
      'resources/crud',
      'resources/bulk',
      'resources/rows',
      'e2e/create-many',
      'migrations/',
      'e2e/longline-ends',
    ];
    const names = [
      '/api/longlines/',
      'a longline',
      'covers every reference',
      'no difference',
      'index',
      'log and count',
    ];
    const outcome = await run(
      'npm',
      'test',
      '--silent',
      '--',
      '--maxWorkers=1',
      ...suites.map((at) => `test/${at}`),
      '-t',
      names.join('|'),
    );
    expect([outcome.output, outcome.code]).toEqual([outcome.output, 0]);
    // Ten tests of the part, two of its references, one of bulk, two of many at once, two of its own, and six of all resources.
    expect(outcome.output).toMatch(/Tests: .*\b23 passed/);
  });

  it('writes files that pass the check of types, as they are and after the further steps', async () => {
    // Run alone, the test takes the first step itself.
    if (asWritten.size === 0) {
      const before = files();
      await scaffold('network', 'longline');
      for (const path of changedSince(before).filter((changed) => !before.has(changed))) {
        asWritten.set(path, readFileSync(join(copy, path), 'utf8'));
      }
    }
    // One check of both, as it takes as long as ten others: what the further steps have changed stands beside it as it was.
    for (const [path, text] of asWritten) {
      if (!path.endsWith('.ts')) continue;
      const beside = join(copy, `${dirname(path)}-as-written`, basename(path));
      mkdirSync(dirname(beside), { recursive: true });
      writeFileSync(beside, text);
    }
    expect([3, 6]).toContain(asWritten.size);
    const { code, output } = await run('npm', 'run', '--silent', 'check');
    expect([output, code]).toEqual([output, 0]);
  });
});
