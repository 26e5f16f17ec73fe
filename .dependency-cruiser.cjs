// The floors of src/floors.json as rules: an import leads to its own folder or to a floor below.
const floors = require('./src/floors.json');

const all = floors.flatMap(({ folders }) => folders);

/** Matches the files of some folders, without the folders in them that stand on floors of their own. */
const pathOf = (folders) => {
  const own = folders.map((folder) => {
    if (folder.endsWith('.ts')) return folder;
    const inner = all.filter((other) => other.startsWith(`${folder}/`)).map((other) => other.slice(folder.length + 1));
    return inner.length === 0 ? `${folder}/` : `${folder}/(?!(?:${inner.join('|')})/)`;
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

const families = floors.find(({ floor }) => floor === 'Families').folders;
const sideways = floors
  .filter(({ floor, folders }) => folders.length > 1 && floor !== 'Entries')
  .flatMap(({ folders }) =>
    folders.map((folder) => ({
      name: `${folder.replaceAll('/', '-')}-imports-no-neighbour`,
      severity: 'error',
      comment: families.includes(folder)
        ? 'Of another family import entity classes only. What else is needed belongs to its owner: a trigger in its schema, or a service that its module exports.'
        : 'Folders of one floor do not import each other. What both need belongs to a floor below.',
      from: { path: pathOf([folder]) },
      to: {
        // With the folders in a neighbour.
        path: `^src/(?:${folders.filter((other) => other !== folder).join('|')})/`,
        ...(families.includes(folder) && { pathNot: String.raw`\.entity\.ts$` }),
      },
    })),
  );

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...upwards,
    ...sideways,
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
      name: 'no-circles',
      severity: 'error',
      comment: 'Two files that import each other are one: move what both need to a third.',
      from: { path: '^src/', pathNot: String.raw`\.entity\.ts$` },
      to: { circular: true, viaOnly: { pathNot: String.raw`\.entity\.ts$`, dependencyTypesNot: ['type-only'] } },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: String.raw`\.spec\.ts$` },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
