// `npm run check -- document-style`: two linters, which are downloaded, on openapi.json and on the document of an installation with fields of its
// own.
import './help.mjs';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { logIn, ownDocument } from './clients/own-fields.mjs';
import { documents, root, startService, work } from './clients/workshop.mjs';

await documents();
const service = await startService();
const own = join(work, 'own.json');
try {
  writeFileSync(own, JSON.stringify(await ownDocument(service.url, await logIn(service.url))));
} finally {
  await service.stop();
}
const redocly = (file) => ['@redocly/cli@2', 'lint', file, '--config', join(root, 'redocly.yaml')];
const spectral = (file) => [
  '@stoplight/spectral-cli@6',
  'lint',
  file,
  '--fail-severity=warn',
  '--ruleset',
  join(root, '.spectral.yaml'),
];
const ours = join(root, 'openapi.json');
// Spectral takes a minute and a half of processor time for each document, so it reads only this one. Redocly checks structure and examples of
// both.
for (const linter of [redocly(ours), spectral(ours), redocly(own)]) {
  const { status } = spawnSync('npx', ['--yes', ...linter], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
