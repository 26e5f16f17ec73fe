import { browserModule } from './modules.js';

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
