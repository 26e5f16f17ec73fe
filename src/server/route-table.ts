import type { FastifyInstance } from 'fastify';

const escaped = (text: string): string => text.replaceAll(/[^\w-]/g, String.raw`\$&`);

/** The regular expression of a part of a route: a parameter, which may have an end such as `.ics`, or a text. */
function sourceOf(part: string): string {
  if (part === '*') return '.*';
  const parameter = /^:\w+/.exec(part)?.[0];
  return parameter === undefined ? escaped(part) : `[^/]+${escaped(part.slice(parameter.length))}`;
}

/** The routes of the service. Answers a question that Fastify does not: which methods a path has. */
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
}
