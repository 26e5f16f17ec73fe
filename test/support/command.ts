import { spawn, type ChildProcess } from 'node:child_process';

export interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

/** A running command of the sources: its process and its result. */
export interface Running {
  child: ChildProcess;
  outcome: Promise<Outcome>;
}

/** Starts an entry of the sources, such as `main` or `cli/export`. */
export function startEntry(entry: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
  const child = spawn(process.execPath, ['scripts/source.cjs', `src/${entry}.ts`, ...args], {
    env: { ...process.env, ...env },
  });
  const outcome = new Promise<Outcome>((resolve) => {
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (err += chunk));
    child.once('close', (code) => resolve({ code, out, err }));
  });
  return { child, outcome };
}

/** Runs a command, such as `export`, to its end. */
export const runCommand = (command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Outcome> =>
  startEntry(`cli/${command}`, args, env).outcome;
