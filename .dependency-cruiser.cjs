// The floors of src/floors.json as rules: an import leads to its own folder or to a floor below.
const floors = require('./src/floors.json');

const all = floors.flatMap(({ folders }) => folders);

/** Matches the files of some folders, without what is in them and named by itself in `src/floors.json`. */
const pathOf = (folders) => {
  const own = folders.map((folder) => {
    if (folder.endsWith('.ts')) return folder;
    const inner = all
      .filter((other) => other.startsWith(`${folder}/`))
      .map((other) => other.slice(folder.length + 1) + (other.endsWith('.ts') ? '' : '/'));
    return inner.length === 0 ? `${folder}/` : `${folder}/(?!${inner.join('|')})`;
  });
  return `^src/(?:${own.join('|')})`;
};

const upwards = floors.slice(1).map(({ floor, folders, holds }, index) => ({
  name: `${floor.toLowerCase().replaceAll(' ', '-')}-imports-downwards`,
  severity: 'error',
  comment:
    `${folders.join(', ')} (${holds}) may import from the floors below only. Code that names a table, a resource or a family belongs ` +
    'further up; code that another project could use unchanged belongs further down. A lower floor that needs something ' +
    'from above takes it as an argument, an interface or a Nest token.',
  from: { path: pathOf(folders) },
  to: { path: pathOf(floors.slice(0, index + 1).flatMap((above) => above.folders)) },
}));

const named = (folder) => folder.replaceAll('/', '-');

const sideways = floors
  .filter(({ floor, folders }) => folders.length > 1 && !['Entries', 'Families'].includes(floor))
  .flatMap(({ folders }) =>
    folders.map((folder) => ({
      name: `${named(folder)}-imports-no-neighbour`,
      severity: 'error',
      comment:
        'Folders of one floor do not import each other. What both need belongs to a floor below. The module of a family lists its ' +
        'resources, which what joins them may read.',
      from: { path: pathOf([folder]) },
      to: { path: pathOf(folders.filter((other) => other !== folder && !other.endsWith('.module.ts'))) },
    })),
  );

/** The families import entity classes of each other only, and that in one direction: in the order of their folders. */
const families = floors.find(({ floor }) => floor === 'Families').folders;
const between = [
  ...families.slice(1).map((folder, index) => ({
    name: `${named(folder)}-imports-no-family-before-it`,
    severity: 'error',
    comment: `A family imports from those after it only: ${families.join(', ')}. What both need belongs to the lower of them.`,
    from: { path: pathOf([folder]) },
    to: { path: pathOf(families.slice(0, index + 1)) },
  })),
  ...families.slice(0, -1).map((folder, index) => ({
    name: `${named(folder)}-imports-entity-classes-only`,
    severity: 'error',
    comment:
      'Of another family import entity classes only. What else is needed belongs to its owner: a trigger in its schema, or a service that its module exports.',
    from: { path: pathOf([folder]) },
    to: { path: pathOf(families.slice(index + 1)), pathNot: String.raw`\.entity\.ts$` },
  })),
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...upwards,
    ...sideways,
    ...between,
    {
      name: 'every-folder-has-a-floor',
      severity: 'error',
      comment: 'A folder of src stands on one of the floors of src/floors.json.',
      from: { path: '^src/', pathNot: pathOf(all) },
      to: {},
    },
    {
      name: 'migrations-are-frozen',
      severity: 'error',
      comment: 'A migration holds its own SQL: code that changes later would change what it did.',
      from: { path: '^src/schema/migrations/' },
      to: { path: '^src/', pathNot: '^src/schema/migrations/' },
    },
    {
      name: 'the-page-reads-every-module',
      severity: 'error',
      comment: 'A module in src/page/browser that the page never reads is dead.',
      from: { path: '^src/page/browser/main\\.tsx$' },
      to: { path: '^src/page/browser/', reachable: false },
    },
    {
      name: 'no-circles',
      severity: 'error',
      comment: 'Files that import each other, if only for types, are one file, or both need a third below them.',
      from: { path: '^src/' },
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: String.raw`\.spec\.ts$` },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
