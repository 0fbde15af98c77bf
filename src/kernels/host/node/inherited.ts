import { createReadStream, createWriteStream } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

/** Streams on the file descriptors that a process was started with. */
interface Inherited {
  readable(fd: number): Readable;
  writable(fd: number): Writable;
}

const sockets: Inherited = {
  readable: (fd) => new Socket({ fd, writable: false }),
  writable: (fd) => new Socket({ fd, readable: false, writable: true }),
};

/** Bun opens no socket on a descriptor: it says nothing, and neither reads nor writes. */
const files: Inherited = {
  readable: (fd) => createReadStream('', { fd }),
  writable: (fd) => createWriteStream('', { fd }),
};

export const inherited: Inherited = process.versions.bun === undefined ? sockets : files;
