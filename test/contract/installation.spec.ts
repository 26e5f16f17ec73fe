import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

// Checks the installation. `npm run check -- image` assembles and runs the image.

const root = join(__dirname, '../..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const npm = (...parameters: string[]): { status: number | null; stdout: string; stderr: string } =>
  spawnSync('npm', parameters, { cwd: root, encoding: 'utf8' });

it('no production dependency warns about a supported version of Node', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { engines?: { node?: string }; dev?: boolean; version: string }>;
  };
  const supported = ['20.19.0', '22.13.0', '24.11.0'];
  expect(packages['']!.engines!.node).toBe('^20.19.0 || ^22.13.0 || >=24.11.0');
  // The lowest version of each range: `>=22` and `^22.13.0 || >=24` exclude Node 20.
  const lowest = (range: string): string[][] =>
    range.split('||').map((part) => /(\D*)(\d+(?:\.\d+)*)/.exec(part.trim())!.slice(1));
  const takes = (range: string, version: string): boolean =>
    lowest(range).some(([comparator, from]) => {
      const [wanted, has] = [from!, version].map((each) => each.split('.').map(Number)) as [number[], number[]];
      const isEnough =
        has.map((part, index) => part - (wanted[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
      return isEnough >= 0 && (comparator!.trim() === '>=' || wanted[0] === has[0]);
    });
  expect(takes('>=22', '20.19.0')).toBe(false);
  expect(takes('^20.17.0 || >=22.9.0', '24.11.0')).toBe(true);
  const refusing = Object.entries(packages)
    .filter(([, { dev, engines }]) => !dev && engines?.node && engines.node !== '*')
    .flatMap(([name, { version, engines }]) =>
      supported
        .filter((node) => !takes(engines!.node!, node))
        .map((node) => `${name} ${version} wants ${engines!.node}, not ${node}`),
    );
  expect(refusing).toEqual([]);
});

it('npm does not warn about this version of Node', () => {
  const { stderr } = npm('ci', '--dry-run', '--offline', '--omit=dev');
  expect(stderr).not.toContain('EBADENGINE');
});

it('installing runs no scripts of dependencies', () => {
  expect(npm('config', 'get', 'ignore-scripts').stdout.trim()).toBe('true');
});

describe('the image', () => {
  const dockerfile = read('Dockerfile');

  it('has one base image, pinned by its digest', () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(bases.length).toBe(2);
    expect(new Set(bases).size).toBe(1);
    expect(bases[0]).toMatch(/^node:[\d.]+-bookworm-slim@sha256:[\da-f]{64}$/);
  });

  it('installs without scripts, runs as an ordinary user, and is healthy while the process responds', () => {
    for (const [command] of dockerfile.matchAll(/npm (?:ci|install|prune)\b[^&\n]*/g)) {
      expect(command).toContain('--ignore-scripts');
    }
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).toMatch(/^HEALTHCHECK [^]*\/health\/live/m);
  });
});

// Version 11 of the CLI makes the same build.
it('nest-cli.json copies every kind of file that the service reads beside its modules', () => {
  const { compilerOptions } = JSON.parse(read('nest-cli.json')) as {
    compilerOptions: { assets: { include: string; outDir: string }[] };
  };
  const [, copied] = /^\*\*\/\*\.\{(.*)\}$/.exec(compilerOptions.assets[0]!.include)!;
  const kinds = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:tsx?|md)$/.test(entry.name))
    .map(({ name }) => extname(name).slice(1));
  expect(copied!.split(',')).toEqual([...new Set(kinds)].toSorted());
});
