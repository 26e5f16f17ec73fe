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
  private readonly routes: { pattern: RegExp; methods: Set<string> }[] = [];

  /** Records every route that is registered from now on. */
  watch(fastify: FastifyInstance): void {
    const byPath = new Map<string, Set<string>>();
    fastify.addHook('onRoute', ({ url, method }) => {
      let methods = byPath.get(url);
      if (!methods) {
        methods = new Set();
        byPath.set(url, methods);
        const source = url.split('/').map(sourceOf).join('/');
        this.routes.push({ pattern: new RegExp(`^${source}/?$`), methods });
      }
      for (const name of [method].flat()) methods.add(name);
    });
  }

  /** Methods of a path, in alphabetical order; empty if it is not a path of the service. */
  methodsOf(path: string): string[] {
    const methods = new Set(
      this.routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => [...route.methods]),
    );
    return [...methods].toSorted();
  }
}
