import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../document/json.js';
import type { Break } from './breaks.js';

/** The document of a release. Its file never changes, because the name contains the hash of the text. */
interface Release {
  version: string;
  file: string;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

const nameOf = (version: string, text: string): string => `${version}-${hashOf(text)}.json`;

const numbersOf = (version: string): number[] => version.split('.').map(Number);

/** Compares two versions of three numbers each: positive if the first is later. */
const compare = (one: string, other: string): number => {
  const others = numbersOf(other);
  return (
    numbersOf(one)
      .map((number, index) => number - others[index]!)
      .find((difference) => difference !== 0) ?? 0
  );
};

/** The documents of all releases in a folder, the last release last. */
export function releasesIn(folder: string): Release[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const releases = files.map((file) => ({ version: file.slice(0, file.lastIndexOf('-')), file }));
  return releases.toSorted((a, b) => compare(a.version, b.version));
}

/** Files whose names do not match their text. */
export const changedIn = (folder: string): string[] =>
  releasesIn(folder)
    .filter(({ version, file }) => nameOf(version, readFileSync(join(folder, file), 'utf8')) !== file)
    .map(({ file }) => file);

/**
 * Stores the document of a release.
 * @returns its file
 * @throws Error if the release already has another document
 */
export function freeze(folder: string, version: string, text: string): string {
  const file = nameOf(version, text);
  const released = releasesIn(folder).find((release) => release.version === version);
  if (released && released.file !== file)
    throw new Error(`${version} is released with ${released.file}, which never changes. Release a new version`);
  writeFileSync(join(folder, file), text);
  return file;
}

/** Whether a version may have breaking changes: from 1.0 on a new major version, before that a new minor one. */
function mayBreak(released: string, version: string): boolean {
  const [major, minor] = numbersOf(released) as [number, number];
  const [nextMajor, nextMinor] = numbersOf(version) as [number, number];
  return nextMajor > major || (major === 0 && nextMajor === 0 && nextMinor > minor);
}

/** The part of the changelog after a release. */
const entriesSince = (changelog: string, released: string): string => changelog.split(`\n## [${released}]`)[0]!;

/** The reasons why breaking changes are not allowed, each as a sentence. There are none if a new version lists the changes. */
export function undeclared(breaks: readonly Break[], released: string, version: string, changelog: string): string[] {
  const entries = entriesSince(changelog, released);
  return breaks.flatMap(({ place, what }) => {
    const said = `${place}: ${what}`;
    if (!mayBreak(released, version)) return [`${said}. That breaks ${released} and needs a new major version`];
    return entries.includes(`\`${place}\``) ? [] : [`${said}. CHANGELOG.md has no entry that names \`${place}\``];
  });
}

/** The document of the last release; undefined before the first one. */
export function lastRelease(folder: string): { version: string; document: Json } | undefined {
  const last = releasesIn(folder).at(-1);
  return last && { version: last.version, document: JSON.parse(readFileSync(join(folder, last.file), 'utf8')) as Json };
}
