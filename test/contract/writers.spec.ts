import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const SRC = join(__dirname, '../../src');
const TABLE = /^@RecordEntity\('(\w+)'/gm;
const WRITE = /\b(?:INSERT\s+INTO|DELETE\s+FROM|MERGE\s+INTO|UPDATE)\s+(?:ONLY\s+)?([a-z_]+)\b/g;
const FAMILY = /^(?:network|operations|people|procurement)\//;

/** Actions that write rows of another record, which they keep the rules of. */
const ALSO: Readonly<Record<string, string>> = {
  'network/ip-address/ip-addresses.service.ts': 'virtual_machine_addresses',
  'procurement/booking/booking-actions.service.ts': 'asset_assignments',
  'procurement/purchase-order/receive/receiving.ts': 'receipts',
  'procurement/purchase-order/receive-stock/receive-stock.service.ts': 'stock_movements',
};

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => ({ file, text: readFileSync(join(SRC, file), 'utf8') }));

/** The folder of each record of a family, by its table. */
const folders = new Map(
  sources
    .filter(({ file }) => FAMILY.test(file))
    .flatMap(({ file, text }) => [...text.matchAll(TABLE)].map(([, table]) => [table!, dirname(file)] as const)),
);

/** The tables of records that a file writes, although their services are elsewhere. */
const foreignTables = ({ file, text }: (typeof sources)[number]): string[] =>
  [...text.matchAll(WRITE)]
    .map(([, table]) => table!)
    .filter((table) => folders.has(table) && !file.startsWith(`${folders.get(table)}/`));

it('SQL that writes rows of a record is next to its service, so that no write passes by its rules', () => {
  expect(folders.size).toBeGreaterThan(50);
  const foreign = sources.flatMap((source) => [...new Set(foreignTables(source))].map((table) => [source.file, table]));
  expect(Object.fromEntries(foreign)).toEqual(ALSO);
  expect(foreign).toHaveLength(Object.keys(ALSO).length);
});

/** Functions of the database that write when a statement calls them, themselves or through another one. */
function writingFunctions(): Set<string> {
  const folder = join(SRC, 'schema/functions');
  const functions = readdirSync(folder)
    .map((file) => ({ name: file.replace(/\.sql$/, ''), text: readFileSync(join(folder, file), 'utf8') }))
    .filter(({ text }) => !/\bRETURNS trigger\b/i.test(text));
  const writing = new Set<string>();
  for (let before = -1; before < writing.size;) {
    before = writing.size;
    const called = before === 0 ? undefined : callsOf([...writing]);
    for (const { name, text } of functions) {
      const body = text.slice(text.indexOf('$$'));
      if (new RegExp(WRITE, 'i').test(body) || called?.test(body)) writing.add(name);
    }
  }
  return writing;
}

const callsOf = (names: readonly string[]): RegExp => new RegExp(`\\b(?:${names.join('|')})\\(`);

/** The templates and other texts of a file that call one of the functions, with their tag. */
function callersIn(text: string, calls: RegExp): { tag: string; line: number }[] {
  if (!calls.test(text)) return [];
  const file = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const found: { tag: string; line: number }[] = [];
  const visit = (node: ts.Node): void => {
    const isTagged = ts.isTaggedTemplateExpression(node);
    if ((isTagged || ts.isTemplateExpression(node) || ts.isStringLiteralLike(node)) && calls.test(node.getText(file))) {
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
      found.push({ tag: isTagged ? node.tag.getText(file) : 'none', line });
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

describe('a SELECT that calls a function that writes', () => {
  const calls = callsOf([...writingFunctions()]);

  it('is known by the functions', () => {
    expect([...writingFunctions()]).toEqual(expect.arrayContaining(['cancel_no_shows', 'claim_hosts', 'change_level']));
    expect(
      callersIn('db.query(sql`SELECT claim_hosts(${net})`); db.write(write`SELECT change_level()`)', calls),
    ).toEqual([
      { tag: 'sql', line: 1 },
      { tag: 'write', line: 1 },
    ]);
    expect(callersIn("db.query('SELECT cancel_no_shows()')", calls)).toEqual([{ tag: 'none', line: 1 }]);
  });

  it('is a statement that writes, so that the change log has its caller', () => {
    const callers = sources
      // The schema is written by the operator, on a connection of its own.
      .filter(({ file }) => !file.startsWith('schema/'))
      .flatMap(({ file, text }) => callersIn(text, calls).map((caller) => ({ file, ...caller })));
    expect(callers.length).toBeGreaterThan(5);
    expect(callers.filter(({ tag }) => tag !== 'write')).toEqual([]);
  });
});
