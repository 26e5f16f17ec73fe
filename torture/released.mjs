// The source of the last released version, to run it beside this one.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/** The first version that its successors keep compatible with their database (docs/adr/0020-versions-and-migrations.md). */
const FIRST = [0, 2, 0];

const isCovered = (version) => {
  const numbers = version.split('.').map(Number);
  const different = numbers.findIndex((number, index) => number !== FIRST[index]);
  return different === -1 || numbers[different] > FIRST[different];
};

/**
 * The commit of the last release: the last one that changed the version in package.json.
 * @returns why there is none, as a sentence, if there is none
 */
export function lastRelease() {
  try {
    if (git('rev-parse', '--is-shallow-repository') === 'true')
      return { missing: 'this clone is shallow: fetch its whole history' };
    const commit = git('log', '-1', '--format=%H', '-G', '^  "version": ', '--', 'package.json');
    const { version } = JSON.parse(git('show', `${commit}:package.json`));
    return isCovered(version)
      ? { commit, version }
      : { missing: `${version} is older than ${FIRST.join('.')}, the first version that is kept compatible` };
  } catch (error) {
    return { missing: `git does not tell: ${String(error.message).split('\n')[0]}` };
  }
}

/** Unpacks a commit into a directory, with the packages that are installed here. */
export function unpack(commit, directory) {
  mkdirSync(directory, { recursive: true });
  const archive = execFileSync('git', ['archive', '--format=tar', commit, 'src', 'scripts', 'package.json'], {
    cwd: root,
    maxBuffer: 256 * 1024 * 1024,
  });
  execFileSync('tar', ['x', '-C', directory], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')).version;
}

// `node torture/released.mjs <directory>` unpacks the last release, and prints what it is as JSON.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const release = lastRelease();
  if (!release.missing) unpack(release.commit, process.argv[2]);
  process.stdout.write(JSON.stringify(release));
}
