import { browserModule, closureOf, importsOf } from './modules.js';

describe('a module of the page', () => {
  it('imports packages from their addresses', () => {
    const text = 'import{options as n}from"preact";export{n};\n//# sourceMappingURL=hooks.mjs.map\n';
    expect(browserModule(text)).toBe('import{options as n}from "/page/preact.js";export{n};');
    expect(browserModule(`import { useState } from 'preact/hooks';\nimport { get } from './api.js';`)).toBe(
      `import { useState } from "/page/hooks.js";\nimport { get } from './api.js';`,
    );
    expect(browserModule('export{n};')).toBe('export{n};');
  });

  // As a new version of a package may do. The service would start with a page that does not.
  it.each(['import{a}from"preact/compat";', `import a from 'lodash';`, 'import"preact/debug";'])(
    'is refused if it imports another package: %s',
    (text) => {
      expect(() => browserModule(text)).toThrow('which is not among its packages');
    },
  );
});

describe('the first modules', () => {
  it('are those that a module imports, and those that they import', () => {
    const texts: Record<string, string> = {
      'main.js': `import { render } from "/page/preact.js";\nimport {\n  a,\n} from './a.js';\nexport const B = [\n() => import('./views/b.js')];\n`,
      'a.js': `export { c } from './views/c.js';`,
      'views/c.js': `import { a } from '../a.js';`,
      'views/b.js': '',
      'preact.js': 'export{n};',
    };
    const modules = Object.entries(texts).map(([name, text]) => ({ name, text: () => text }));
    expect(closureOf(modules, 'main.js').toSorted()).toEqual(['a.js', 'main.js', 'preact.js', 'views/c.js']);
  });

  it('are found in modules without spaces or ends of lines', () => {
    expect(importsOf('import{options as n}from"/page/preact.js";import{a}from"./a.js";export{n};')).toEqual([
      '/page/preact.js',
      './a.js',
    ]);
    expect(importsOf('const view = () => import("./b.js");')).toEqual([]);
  });
});
