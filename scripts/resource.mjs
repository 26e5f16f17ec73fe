// `npm run resource -- network circuit [--plural circuits]` adds a resource to a family: its entity, controller and migration, the
// entry in the family's module, and the generated files. With `--part-of` it is a part of another resource of the family, and is
// reached through its owner. If a step fails, every file is as it was before.
import './help.mjs';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const MIGRATIONS = 'src/schema/migrations';
const USAGE = `npm run resource -- <family> <singular-name> [--plural <plural-name>] [--part-of <owner>]
For example: network circuit, or: network circuit termination --part-of circuit`;
/** Longer names of tables would make names of indexes and triggers that PostgreSQL truncates. */
const LONGEST = 40;
const RESERVED = new Set(
  `all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create default
  deferrable desc distinct do else end except false fetch for foreign from grant group having in initially intersect into
  lateral leading limit localtime localtimestamp not null offset on only or order placing primary references returning
  select some symmetric table then to trailing true union unique user using variadic when where window with`.split(
    /\s+/,
  ),
);

/** The record of an entity, and the path of a resource, as the sources have them. */
/** The class of the first entity of a source. */
const recordIn = (source) => /\nexport class (\w+) /.exec(source.split('@RecordEntity(', 2)[1] ?? '')?.[1];
const RESOURCE_PATH = /@Controller\('([^'\n]{1,200})'\)[^;{@]*?\bextends ResourceController\(/;

class Refused extends Error {}

const words = (name) => name.replaceAll('-', ' ');
const snake = (name) => name.replaceAll('-', '_');
const pascal = (name) => name.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter) => letter.toUpperCase());
const camel = (name) => name.replaceAll(/-([a-z0-9])/g, (_, letter) => letter.toUpperCase());
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const read = (file) => readFileSync(file, 'utf8');

/** The plural by the common rules of spelling. */
function pluralOf(singular) {
  if (/[^s]s$/.test(singular)) {
    throw new Refused(`${singular} may be a plural already: give the singular, or its plural with --plural`);
  }
  if (/[^aeiou]y$/.test(singular)) return singular.replace(/y$/, 'ies');
  return /(?:ss|x|z|ch|sh)$/.test(singular) ? `${singular}es` : `${singular}s`;
}

function nameFault(name) {
  if (!/^[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*$/.test(name)) return 'must be words in lower case with hyphens';
  if (name.length > LONGEST) return `must have at most ${LONGEST} characters`;
  return RESERVED.has(snake(name)) ? 'is a reserved word of SQL' : undefined;
}

/** The resource of a family that has a part. @throws Refused if there is none */
function ownerOf(family, singular) {
  const folder = `src/${family}/${singular}`;
  const entity = `${folder}/${singular}.entity.ts`;
  const record = nameFault(singular) === undefined && existsSync(entity) && recordIn(read(entity));
  if (!record)
    throw new Refused(`The owner must be a resource of the family ${family}, of which ${entity} has the record`);
  const controllers = readdirSync(folder).filter((file) => file.endsWith('.controller.ts'));
  const paths = controllers.map((file) => RESOURCE_PATH.exec(read(join(folder, file)))?.[1]);
  const path = paths.find((found) => found !== undefined);
  if (path === undefined || path.includes(':')) throw new Refused(`${singular} cannot have parts: it is a part itself`);
  return { singular, record, path };
}

/** Names that only parts have. The path does not repeat the name of the owner. */
function partNames(singular, plural, owner) {
  const own = (name) => (name.startsWith(`${owner.singular}-`) ? name.slice(owner.singular.length + 1) : name);
  const field = camel(`${owner.singular}-id`);
  return { owner: { ...owner, field, param: camel(`${own(singular)}-id`) }, path: `${owner.path}/:id/${own(plural)}` };
}

/** The names of a new resource. @throws Refused with the argument at fault */
function namesOf(args) {
  let parsed;
  try {
    const options = { plural: { type: 'string' }, 'part-of': { type: 'string' } };
    parsed = parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new Refused(`${error.message.split('. ')[0]}\nUsage: ${USAGE}`);
  }
  const [family, ...wordsOfName] = parsed.positionals;
  if (wordsOfName.length === 0) throw new Refused(`Usage: ${USAGE}`);
  const singular = wordsOfName.join('-');
  const { folders } = JSON.parse(read('src/floors.json')).find(({ floor }) => floor === 'Families');
  const families = folders.filter((folder) => !folder.includes('/'));
  if (!families.includes(family)) {
    throw new Refused(`There is no family ${family}: the families are ${families.join(', ')}`);
  }
  const fault = nameFault(singular);
  if (fault) throw new Refused(`The name ${JSON.stringify(singular)} ${fault}, for example: ip-address`);
  const plural = parsed.values.plural ?? pluralOf(singular);
  const pluralFault = nameFault(plural);
  if (pluralFault) throw new Refused(`The plural ${JSON.stringify(plural)} ${pluralFault}; set another with --plural`);
  const owner = parsed.values['part-of'] === undefined ? undefined : ownerOf(family, parsed.values['part-of']);
  return {
    family,
    singular,
    plural,
    ...(owner ? partNames(singular, plural, owner) : { path: `api/${plural}` }),
    record: pascal(singular),
    controller: `${pascal(plural)}Controller`,
    folder: `src/${family}/${singular}`,
    module: `src/${family}/${family}.module.ts`,
  };
}

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (path.endsWith('.ts') && !path.endsWith('.spec.ts')) yield path;
  }
}

/** @throws Refused if one of the names is already in use */
function assertNew({ singular, plural, path, record, controller, folder }) {
  if (existsSync(folder)) throw new Refused(`${folder} already exists`);
  const migration = readdirSync(MIGRATIONS).find((file) => file.replace(/^\d+-/, '') === `${plural}.sql`);
  if (migration)
    throw new Refused(`${MIGRATIONS}/${migration} already exists: choose another name, or another --plural`);
  const { paths, components } = JSON.parse(read('openapi.json'));
  // Paths are the same if they differ in the names of their parameters only.
  const shape = (known) => known.replaceAll(/:\w+|\{\w+\}/g, '{id}');
  const taken = Object.keys(paths).find((known) => shape(known) === shape(`/${path}`));
  if (taken) throw new Refused(`The path ${taken} already exists: choose another name, or another --plural`);
  const classes = [record, `Create${record}`, `Update${record}`, controller];
  const schema = classes.find((name) => name in components.schemas);
  if (schema) throw new Refused(`The document already has a schema ${schema}: choose another name`);
  const known = classes.find((name) => name in globalThis || name === 'Controller');
  if (known)
    throw new Refused(`${singular} would be the class ${known}, which JavaScript or Nest has: choose another name`);
  const declaration = new RegExp(String.raw`\b(?:class|const|function|interface|type) (${classes.join('|')})\b`);
  const table = `@RecordEntity('${snake(plural)}'`;
  for (const file of sources('src')) {
    const text = read(file);
    const found = declaration.exec(text)?.[1] ?? (text.includes(table) ? `the table ${snake(plural)}` : undefined);
    if (found) throw new Refused(`${file} already declares ${found}: choose another name, or another --plural`);
  }
}

const importOfOwner = ({ singular, record }) => `import { ${record} } from '../${singular}/${singular}.entity.js';\n`;

const entityOf = ({
  family,
  singular,
  plural,
  record,
  owner,
}) => `import { NameField, ${owner ? 'OwnerField, ' : ''}TextField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
${owner ? importOfOwner(owner) : ''}
@RecordEntity('${snake(plural)}', { area: '${family}' })
export class ${record} extends StoredRecord {
${
  owner
    ? `  @OwnerField(() => ${owner.record}, '${capital(words(owner.singular))} that it is a part of') ${owner.field}!: string;
`
    : ''
}  @NameField('Name', { example: '${singular}-1' }) name!: string;
  @TextField('Description', { searchable: true }) description!: string | null;
}
`;

const controllerOf = ({
  singular,
  plural,
  path,
  record,
  controller,
  owner,
}) => `import { Controller } from '@nestjs/common';
import { CreateBody, UpdateBody } from '../../fields/bodies/bodies.js';
import { ResourceController } from '../../resource/resource.controller.js';
${owner ? importOfOwner(owner) : ''}import { ${record} } from './${singular}.entity.js';

class Create${record} extends CreateBody(${record}) {}
class Update${record} extends UpdateBody(${record}) {}

@Controller('${path}')
export class ${controller} extends ResourceController({
  record: ${record},
${owner ? '' : `  about: '${capital(words(plural))}',\n`}  create: Create${record},
  update: Update${record},
${
  owner
    ? `  owner: { record: ${owner.record}, field: '${owner.field}', param: '${owner.param}' },
`
    : ''
}}) {}
`;

/** A family's module with one more controller, at the end of its list. */
function withController(text, { singular, plural, controller, module }) {
  const imports = [...text.matchAll(/^import .*;\n/gm)].at(-1);
  const list = /controllers: \[([^\][]*)\]/;
  if (!imports || !list.test(text)) throw new Refused(`${module} has no list of controllers to extend`);
  const end = imports.index + imports[0].length;
  return [
    text.slice(0, end),
    `import { ${controller} } from './${singular}/${plural}.controller.js';\n`,
    text
      .slice(end)
      .replace(
        list,
        (_, listed) => `controllers: [${[listed.trim().replace(/,$/, ''), controller].filter(Boolean).join(', ')}]`,
      ),
  ].join('');
}

/** Runs a script of package.json. @throws Error with its output if it fails */
const run = (script, ...args) =>
  new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', '--silent', script, '--', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(output.trim() || `${script} was interrupted`)),
    );
  });

const GENERATED = ['openapi.json'];

/** Writes the files of a resource. @throws if a step fails, after it has put every file back */
async function add(names) {
  const { folder, singular, plural, module } = names;
  const before = new Map([module, ...GENERATED].map((file) => [file, readFileSync(file)]));
  const migrations = new Set(readdirSync(MIGRATIONS));
  const newMigrations = () =>
    readdirSync(MIGRATIONS)
      .filter((file) => !migrations.has(file))
      .map((file) => `${MIGRATIONS}/${file}`);
  const files = [`${folder}/${singular}.entity.ts`, `${folder}/${plural}.controller.ts`];
  const texts = [entityOf(names), controllerOf(names), withController(before.get(module).toString(), names)];
  // The steps are interrupted too, and fail.
  process.on('SIGINT', () => {});
  try {
    // Refusals do not need it.
    const { format, resolveConfig } = await import('prettier');
    mkdirSync(folder);
    for (const [index, file] of [...files, module].entries()) {
      writeFileSync(file, await format(texts[index], { ...(await resolveConfig(file)), filepath: file }));
    }
    const steps = await Promise.allSettled([
      run('migration:generate', plural, '--table', snake(plural)),
      run('openapi'),
    ]);
    const failed = steps.find(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
    return { created: [...files, ...newMigrations()], changed: [...before.keys()] };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    for (const file of newMigrations()) rmSync(file);
    for (const [file, text] of before) writeFileSync(file, text);
    throw error;
  }
}

try {
  const names = namesOf(process.argv.slice(2));
  assertNew(names);
  const { created, changed } = await add(names);
  const list = (files) => files.map((file) => `  ${file}\n`).join('');
  process.stdout.write(
    `Created:\n${list(created)}Changed:\n${list(changed)}
Next: declare the fields in ${created[0]}${names.owner ? '' : `, describe the resource in ${created[1]} (\`about\`)`}, and run

  npm run migration:generate -- ${names.plural} && npm run openapi
`,
  );
} catch (error) {
  process.stderr.write(`${error.message}\n${error instanceof Refused ? '' : 'Nothing was changed.\n'}`);
  process.exitCode = 1;
}
