import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** The findings of axe in the page or a part of it, with the first elements of each. */
export async function axeFindings(page: Page, part?: string): Promise<string[]> {
  // The script runs in the isolated world of the test, to which the page's policy does not apply.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    (within) =>
      (window as never as { axe: { run(context: string | Document): Promise<AxeResults> } }).axe.run(
        within ?? document,
      ),
    part,
  );
  return violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}
