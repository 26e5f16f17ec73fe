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

interface Route {
  pattern: RegExp;
  methods: Set<string>;
  parameters: number;
}

/** Plurals that differ from their singulars in more than an ending. */
const PLURALS: Readonly<Record<string, string>> = { person: 'people' };

/** The word of a route that an unknown one is likely to mean. */
function meantBy(part: string, words: readonly string[]): string | undefined {
  const plural = Object.hasOwn(PLURALS, part) ? PLURALS[part]! : undefined;
  return plural !== undefined && words.includes(plural) ? plural : closest(part, words);
}

/** The routes of the service. Fastify does not tell which methods a path has. */
export class RouteTable {
  private readonly byPath = new Map<string, Set<string>>();
  private patterns: readonly Route[] | undefined;

  /** Records every route that is registered from now on. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ url, method }) => {
      let methods = this.byPath.get(url);
      if (!methods) this.byPath.set(url, (methods = new Set()));
      for (const name of [method].flat()) methods.add(name);
      this.patterns = undefined;
    });
  }

  /** Made for the first unknown path, not at the start. Those with more words and fewer parameters come first. */
  private compile(): readonly Route[] {
    const routes = [...this.byPath].map(([url, methods]) => {
      const parts = url.split('/');
      const pattern = new RegExp(`^${parts.map(sourceOf).join('/')}/?$`);
      return { pattern, methods, parameters: url.includes('*') ? Infinity : parts.filter(isParameter).length };
    });
    return routes.toSorted((a, b) => a.parameters - b.parameters);
  }

  /**
   * Methods of a path, in alphabetical order; empty if it is not a path of the service. `/api/devices/summary` is no path of a
   * device, although the router takes it for one if the method is not that of the summary.
   */
  methodsOf(path: string): string[] {
    this.patterns ??= this.compile();
    return [...(this.patterns.find(({ pattern }) => pattern.test(path))?.methods ?? [])].toSorted();
  }

  /** The path of the service that an unknown one is likely to mean: `/api/devices` for `/api/device` or `/devices`. */
  near(path: string): string | undefined {
    const found = this.similar(path);
    if (found !== undefined || /^\/api(?:\/|$)/.test(path)) return found;
    const below = `/api${path}`;
    return this.methodsOf(below).length > 0 ? below.replace(/\/$/, '') : this.similar(below);
  }

  private similar(path: string): string | undefined {
    const parts = path.replace(/\/$/, '').split('/');
    let routes = [...this.byPath.keys()].map((url) => url.split('/')).filter(({ length }) => length === parts.length);
    const meant = parts.map((part, index) => {
      const words = routes.map((route) => route[index]!).filter((word) => !isParameter(word));
      const word = words.includes(part) || UUID_PATTERN.test(part) ? part : meantBy(part, words);
      routes = routes.filter((route) => route[index] === word || (word === part && isParameter(route[index]!)));
      return word;
    });
    const found = routes.length > 0 ? meant.join('/') : path;
    return found === path ? undefined : found;
  }
}
