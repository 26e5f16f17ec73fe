import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** The commit of the last release, which changed the version; undefined in a clone without its history. */
function lastRelease(): string | undefined {
  try {
    if (git('rev-parse', '--is-shallow-repository').trim() === 'true') return undefined;
    return git('log', '-1', '--format=%H', '-G', '^  "version": ', '--', 'package.json').trim() || undefined;
  } catch {
    return undefined;
  }
}

const release = lastRelease();
if (!release) console.warn('SKIPPED: without the history of git nothing says which migrations are released');

// A database does not repeat a migration, so a changed one would only affect new databases.
(release ? describe : describe.skip)('the last release', () => {
  it('has the migrations that it was released with', () => {
    const released = git('ls-tree', '--name-only', release!, '--', 'src/schema/migrations/')
      .split('\n')
      .filter((path) => path.endsWith('.sql'));
    const changed = released.filter((path) => {
      const file = join(ROOT, path);
      return !existsSync(file) || readFileSync(file, 'utf8') !== git('show', `${release}:${path}`);
    });
    expect(changed).toEqual([]);
  });
});
