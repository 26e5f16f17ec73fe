import type { FastifyInstance } from 'fastify';

const escaped = (text: string): string => text.replaceAll(/[^\w-]/g, String.raw`\$&`);

/** The regular expression of a path segment: a parameter, optionally with a suffix such as `.ics`, or a fixed text. */
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

  /** Built for the first unknown path, not at startup. Routes with more fixed words come first. */
  private compile(): readonly Route[] {
    const routes = [...this.byPath].map(([url, methods]) => {
      const parts = url.split('/');
      const pattern = new RegExp(`^${parts.map(sourceOf).join('/')}/?$`);
      return { pattern, methods, parameters: url.includes('*') ? Infinity : parts.filter(isParameter).length };
    });
    return routes.toSorted((a, b) => a.parameters - b.parameters);
  }

  /**
   * Methods of a path in alphabetical order; empty if the path is unknown. `/api/devices/summary` is not the path of a device, although
   * the router takes it for one if the method is not that of the summary.
   */
  methodsOf(path: string): string[] {
    this.patterns ??= this.compile();
    return [...(this.patterns.find(({ pattern }) => pattern.test(path))?.methods ?? [])].toSorted();
  }
}
