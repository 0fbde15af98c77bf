import { createReadStream, createWriteStream, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

/** What lines and files are written to. */
export interface Sink {
  write(bytes: Uint8Array, written?: (error?: Error | null) => void): unknown;
  cork(): void;
  uncork(): void;
  end(ended: () => void): unknown;
}

/** Streams on the file descriptors that a process was started with. */
interface Inherited {
  readable(fd: number): Readable;
  writable(fd: number): Writable;
  direct(fd: number): Sink;
}

// What is imported may be replaced in its module later, this not.
const writeNow = writeSync;

/** Written at once, by nothing that can be replaced: no stream, whose methods all code of a process shares. */
function direct(fd: number): Sink {
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

/** Bun opens no socket on a descriptor: it says nothing, and neither reads nor writes. */
const files = {
  readable: (fd: number) => createReadStream('', { fd }),
  writable: (fd: number) => createWriteStream('', { fd }),
};

export const inherited: Inherited = {
  ...(process.versions.bun === undefined ? sockets : files),
  direct,
};
