// Imported by a development tool before everything else: with `--help`, prints the comment at the top of its file instead of running it.
import { readFileSync } from 'node:fs';

if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
  const lines = readFileSync(process.argv[1], 'utf8').split('\n');
  const comment = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('//')),
  );
  process.stdout.write(comment.map((line) => `${line.slice('// '.length)}\n`).join(''));
  process.exit(0);
}
