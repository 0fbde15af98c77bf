import { createReadStream, createWriteStream, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

/** A destination of lines and files. */
export interface OutputSink {
  write(bytes: Uint8Array, written?: (error?: Error | null) => void): unknown;
  cork(): void;
  uncork(): void;
  end(ended: () => void): unknown;
}

/** Streams on inherited file descriptors. */
interface Inherited {
  readable(fd: number): Readable;
  writable(fd: number): Writable;
  direct(fd: number): OutputSink;
}

// An import may be replaced in its module later; this constant may not.
const writeNow = writeSync;

/** Writes synchronously, without streams, whose methods all code of a process shares and could replace. */
function direct(fd: number): OutputSink {
  return {
    write(bytes, written) {
      for (let at = 0; at < bytes.length; ) at += writeNow(fd, bytes, at, bytes.length - at);
      written?.();
    },
    cork() {},
    uncork() {},
    end: (ended) => ended(),
  };
}

const sockets = {
  readable: (fd: number) => new Socket({ fd, writable: false }),
  writable: (fd: number) => new Socket({ fd, readable: false, writable: true }),
};

/** Streams for Bun, whose sockets on a descriptor silently neither read nor write. */
const files = {
  readable: (fd: number) => createReadStream('', { fd }),
  writable: (fd: number) => createWriteStream('', { fd }),
};

export const inherited: Inherited = {
  ...(process.versions.bun === undefined ? sockets : files),
  direct,
};
