interface Node {
  paths: string[];
  words: Map<string, Node>;
  parameter?: Node;
}

const newNode = (): Node => ({ paths: [], words: new Map() });

/**
 * The order of paths for readers: a list, its computed views, an item, and the paths below the item. Otherwise paths keep the order of
 * the modules.
 */
export function inOrder(paths: readonly string[]): string[] {
  const root = newNode();
  for (const path of paths) {
    let node = root;
    for (const part of path.split('/').slice(1)) {
      if (part.startsWith('{')) node = node.parameter ??= newNode();
      else {
        let next = node.words.get(part);
        if (!next) node.words.set(part, (next = newNode()));
        node = next;
      }
    }
    node.paths.push(path);
  }
  const below = ({ paths: own, words, parameter }: Node): string[] => [
    ...own,
    ...[...words.values()].flatMap(below),
    ...(parameter ? below(parameter) : []),
  ];
  return below(root);
}
