// `node scripts/source.cjs test/device-type-library/run.ts [folder]`: of the keys of the documents of the community device type library in a
// folder (by default those of the tests), the share that an import keeps, and that it kept while it knew interfaces only.
import { SAMPLE, shareOf } from './share.js';

async function main(): Promise<void> {
  const { documents, refused, keys, before, after } = await shareOf(process.argv[2] ?? SAMPLE);
  const percent = (part: number): string => `${((100 * part) / keys).toFixed(1)} %`;
  process.stdout.write(
    `${documents} documents with ${keys} keys: ${percent(before)} were kept with interfaces only, ${percent(after)} are kept now; refused documents: ${refused}\n`,
  );
}

void main();
