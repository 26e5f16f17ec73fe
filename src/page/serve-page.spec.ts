import { browserModule } from './serve-page.js';

describe('a module of a package', () => {
  it('imports preact from its address', () => {
    const text = 'import{options as n}from"preact";export{n};\n//# sourceMappingURL=hooks.mjs.map\n';
    expect(browserModule(text, true)).toBe('import{options as n}from"/page/preact.js";export{n};');
    expect(browserModule('export{n};', false)).toBe('export{n};');
  });

  // As a new version of the package may do. The service would start with a page that does not.
  it.each([
    ['in other quotes', `import{options as n}from'preact';`, true],
    ['with a space', 'import {options as n} from "preact";', true],
    ['nothing at all', 'export{n};', true],
    ['something else as well', 'import{a}from"preact";import{b}from"preact/hooks";', true],
    ['what it did not import before', 'import{a}from"preact";', false],
    ['for its effects', 'import"preact/debug";', false],
  ])('is refused if it imports %s', (_, text, importsPreact) => {
    expect(() => browserModule(text, importsPreact)).toThrow('A module of the page imports otherwise than');
  });
});
