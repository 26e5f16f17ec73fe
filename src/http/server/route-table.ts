import type { FastifyInstance } from 'fastify';
import { closest } from '../closest.js';
import { UUID_PATTERN } from '../path-id.js';

const escaped = (text: string): string => text.replaceAll(/[^\w-]/g, String.raw`\$&`);

/** The regular expression of a part of a route: a parameter, which may have an end such as `.ics`, or a text. */
function sourceOf(part: string): string {
  if (part === '*') return '.*';
  const parameter = /^:\w+/.exec(part)?.[0];
  return parameter === undefined ? escaped(part) : `[^/]+${escaped(part.slice(parameter.length))}`;
}

const isParameter = (part: string): boolean => part.startsWith(':');

/** The routes of the service. Fastify does not tell which methods a path has. */
export class RouteTable {
  private readonly byPath = new Map<string, Set<string>>();
  private patterns: readonly { pattern: RegExp; methods: Set<string> }[] | undefined;

  /** Records every route that is registered from now on. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method }) => {
      let methods = this.byPath.get(url);
      if (!methods) this.byPath.set(url, (methods = new Set()));
      for (const name of [method].flat()) methods.add(name);
      this.patterns = undefined;
    });
  }

  /** Made for the first unknown path, not at the start. */
  private compile(): readonly { pattern: RegExp; methods: Set<string> }[] {
    return [...this.byPath].map(([url, methods]) => {
      const source = url.split('/').map(sourceOf).join('/');
      return { pattern: new RegExp(`^${source}/?$`), methods };
    });
  }

  /** Methods of a path, in alphabetical order; empty if it is not a path of the service. */
  methodsOf(path: string): string[] {
    this.patterns ??= this.compile();
    const methods = new Set(
      this.patterns.filter(({ pattern }) => pattern.test(path)).flatMap((route) => [...route.methods]),
    );
    return [...methods].toSorted();
  }

  /** The path of the service that an unknown one is likely to mean: `/api/devices` for `/api/device`. */
  near(path: string): string | undefined {
    const parts = path.replace(/\/$/, '').split('/');
    let routes = [...this.byPath.keys()].map((url) => url.split('/')).filter(({ length }) => length === parts.length);
    const meant = parts.map((part, index) => {
      const words = routes.map((route) => route[index]!).filter((word) => !isParameter(word));
      const word = words.includes(part) || UUID_PATTERN.test(part) ? part : closest(part, words);
      routes = routes.filter((route) => route[index] === word || (word === part && isParameter(route[index]!)));
      return word;
    });
    const found = routes.length > 0 ? meant.join('/') : path;
    return found === path ? undefined : found;
  }
}
