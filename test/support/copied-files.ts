import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryFS } from '@electric-sql/pglite';

/** A file, or the entries of a directory. */
interface Entry {
  name: string;
  mode: number;
  content: Uint8Array | Entry[];
}

interface StreamOperations {
  write(stream: { node: Node }, ...rest: unknown[]): number;
}

/** A node of Emscripten's file system in memory. */
interface Node {
  contents: Uint8Array;
  usedBytes: number;
  node_ops: { mknod(parent: Node, name: string, mode: number, device: number): Node };
  stream_ops: StreamOperations;
  /** Whether all copies share the contents. Operations other than `write` never change contents in place. */
  isShared?: boolean;
}

const known = new Map<string, Entry[]>();

const read = (directory: string): Entry[] =>
  readdirSync(directory, { withFileTypes: true }).map((found) => {
    const path = join(directory, found.name);
    return {
      name: found.name,
      mode: statSync(path).mode,
      content: found.isDirectory() ? read(path) : new Uint8Array(readFileSync(path)),
    };
  });

/** The operations of a file. They copy shared contents at the first write. */
function copyOnWrite(operations: StreamOperations): StreamOperations {
  return {
    ...operations,
    write(stream, ...rest) {
      const { node } = stream;
      if (node.isShared) {
        node.contents = node.contents.slice();
        node.isShared = false;
      }
      return operations.write(stream, ...rest);
    },
  };
}

function write(entries: Entry[], directory: Node, copying?: StreamOperations): StreamOperations | undefined {
  for (const { name, mode, content } of entries) {
    const node = directory.node_ops.mknod(directory, name, mode, 0);
    if (Array.isArray(content)) {
      copying = write(content, node, copying);
      continue;
    }
    node.contents = content;
    node.usedBytes = content.length;
    node.isShared = true;
    // All files have the same operations.
    node.stream_ops = copying ??= copyOnWrite(node.stream_ops);
  }
  return copying;
}

/** A copy in memory of a database's files, which are read from the disk once. Copies share the contents that they do not change. */
export class CopiedFiles extends MemoryFS {
  constructor(private readonly directory: string) {
    super();
  }

  override async initialSyncFs(): Promise<void> {
    const { FS, ENV } = this.pg!.Module as unknown as {
      FS: { mkdirTree(path: string): void; lookupPath(path: string): { node: Node } };
      ENV: { PGDATA: string };
    };
    if (!known.has(this.directory)) known.set(this.directory, read(this.directory));
    FS.mkdirTree(ENV.PGDATA);
    write(known.get(this.directory)!, FS.lookupPath(ENV.PGDATA).node);
  }
}
