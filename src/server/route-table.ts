import type { FastifyInstance } from 'fastify';

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
        const source = url
          .split('/')
          .map((part) =>
            part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : part.replaceAll(/[^\w-]/g, String.raw`\$&`),
          )
          .join('/');
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
