import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { reportUnwritable } from '../messages.ts';
import { fileReason, otherThanFile } from './read-file.ts';
import { runUninterrupted } from './run-uninterrupted.ts';
import { maskSecrets } from './secrets.ts';
import { removeStaleFiles, temporaryPathFor } from './temporary-files.ts';

/** Makes the error of a path that cannot be written from the reason, a clause. */
export type WriteErrorFactory = (path: string, why: string, cause: unknown) => Error;

const unwritableReport: WriteErrorFactory = (path, why, cause) => reportUnwritable({ path, why }, cause);

/**
 * The target of a write: a file, existing or not, which is replaced as a whole; a device, or an open descriptor of this process, which is
 * appended to.
 */
type Target =
  | { readonly kind: 'file'; readonly path: string; readonly mode?: number | undefined }
  | { readonly kind: 'device'; readonly path: string }
  | { readonly kind: 'open'; readonly fd: number };

const MOST_LINKS = 40;

/** Resolves the target of a path. @throws Error for a path that must not be written: a folder, a pipe that may have no reader, a disk. */
function targetOf(path: string, links = 0): Target {
  const fd = descriptorOf(path);
  if (fd !== undefined) return { kind: 'open', fd };
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) {
    if (links === MOST_LINKS) throw Object.assign(new Error(), { code: 'ELOOP' });
    return targetOf(resolve(realpathSync(dirname(path)), readlinkSync(path)), links + 1);
  }
  if (found === undefined || found.isFile()) return { kind: 'file', path, mode: found?.mode };
  if (found.isCharacterDevice()) return { kind: 'device', path };
  throw new Error(found.isFIFO() ? 'it is a pipe. Name a file, or /dev/stdout' : otherThanFile(found));
}

/** Returns the descriptor of `/dev/stdout` and similar paths in this process. */
function descriptorOf(path: string): number | undefined {
  if (path === '/dev/stdout') return 1;
  if (path === '/dev/stderr') return 2;
  const fd = /^\/(?:dev|proc\/(?:self|thread-self|\d+))\/fd\/(?<fd>[1-9]\d*)$/.exec(path)?.groups?.fd;
  return fd === undefined ? undefined : Number(fd);
}

/**
 * Checks before a long run that {@link writeWhole} could write to a path. It leaves no file behind, and removes those of killed processes.
 * @param makesFolder true if a missing parent folder is created.
 * @throws the error of `unwritable`; by default ParanoiaError `report-unwritable`
 */
export function requireTarget(
  path: string,
  unwritable: WriteErrorFactory = unwritableReport,
  makesFolder = false,
): void {
  attempt(path, unwritable, () => {
    if (makesFolder && !existsSync(dirname(path))) makeFolder(dirname(path));
    const target = targetOf(path);
    if (target.kind === 'open') fstatSync(target.fd);
    else if (target.kind === 'device') accessSync(target.path, constants.W_OK);
    else probe(dirname(target.path));
  });
}

/**
 * Checks before a long run that files can be written into a folder, and creates it.
 * @param files the names of these files.
 * @throws ParanoiaError `report-unwritable`.
 */
export function ensureWritable(folder: string, files: readonly string[] = []): void {
  attempt(folder, unwritableReport, () => {
    makeFolder(folder);
    probe(folder);
  });
  for (const file of files) requireTarget(join(folder, file));
}

/** The content of a file: all of it, or parts that together may be longer than a string. */
export type FileContent = string | Uint8Array | Iterable<string> | Iterable<Uint8Array>;

/**
 * Writes a file atomically, if its path leads to one. A link stays, and its target is written. Devices such as /dev/null, and /dev/stdout,
 * are written too; other targets are refused. Secrets of the environment are masked in texts.
 * @throws the error of `unwritable`; by default ParanoiaError `report-unwritable`
 */
export function writeWhole(
  path: string,
  content: FileContent,
  unwritable: WriteErrorFactory = unwritableReport,
): void {
  attempt(path, unwritable, () => {
    const target = targetOf(path);
    if (target.kind === 'file') replace(target.path, content, target.mode);
    else if (target.kind === 'open') for (const bytes of chunksOf(content)) writeAll(target.fd, bytes);
    else
      withDevice(target.path, (fd) => {
        for (const bytes of chunksOf(content)) writeAll(fd, bytes);
      });
  });
}

/** Fewest characters of parts that are written together. */
const TOGETHER = 2 ** 20;

function* chunksOf(content: FileContent): Generator<Buffer> {
  if (content instanceof Uint8Array) return yield bufferOf(content);
  if (typeof content === 'string') return yield Buffer.from(maskSecrets(content));
  let text = '';
  for (const part of content) {
    if (typeof part !== 'string') {
      yield bufferOf(part);
      continue;
    }
    text += part;
    if (text.length < TOGETHER) continue;
    yield Buffer.from(maskSecrets(text));
    text = '';
  }
  yield Buffer.from(maskSecrets(text));
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Appends to a file, a device or an open descriptor of this process. @throws as {@link writeWhole} */
export function appendTo(path: string, added: string, unwritable: WriteErrorFactory): void {
  const text = maskSecrets(added);
  attempt(path, unwritable, () => {
    const target = targetOf(path);
    if (target.kind === 'file') writeFileSync(target.path, text, { flag: 'a' });
    else if (target.kind === 'open') writeAll(target.fd, Buffer.from(text));
    else withDevice(target.path, (fd) => writeAll(fd, Buffer.from(text)));
  });
}

function attempt(path: string, unwritable: WriteErrorFactory, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw unwritable(path, whyNot(path, error), error);
  }
}

function whyNot(path: string, error: unknown): string {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return fileReason(error);
  return existsSync(dirname(path)) ? 'its folder is not writable' : 'its folder does not exist';
}

function probe(folder: string): void {
  withTemporary(temporaryPathFor(join(folder, 'probe')), (path) => {
    writeFileSync(path, '', { flag: 'wx' });
    rmSync(path);
  });
  removeStaleFiles(folder);
}

function replace(path: string, content: FileContent, mode: number | undefined): void {
  withTemporary(temporaryPathFor(path), (temporary) => {
    let flag = 'wx';
    for (const bytes of chunksOf(content)) {
      writeFileSync(temporary, bytes, { flag });
      flag = 'a';
    }
    if (mode !== undefined) chmodSync(temporary, mode & 0o7777);
    renameSync(temporary, path);
  });
}

/** Runs work on a temporary file, and removes the file afterwards, also after an error or a signal. */
function withTemporary(path: string, work: (path: string) => void): void {
  runUninterrupted(() => {
    try {
      work(path);
    } catch (error) {
      removeQuietly(path);
      throw error;
    }
  });
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The error of the write is the one to report.
  }
}

function withDevice(path: string, work: (fd: number) => void): void {
  const fd = openSync(path, constants.O_WRONLY | (constants.O_NOCTTY ?? 0));
  try {
    work(fd);
  } finally {
    closeSync(fd);
  }
}

/** Milliseconds between checks of a full pipe. */
const FULL = 5;

function writeAll(fd: number, bytes: Buffer): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(pause, 0, 0, FULL);
    }
  }
}

/** Creates a folder and its missing parents. Node's own recursion is not used, because it never ends where a system's folder refuses. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const parent = dirname(folder);
    if (code !== 'ENOENT') throw error;
    if (existsSync(parent)) throw new Error(`${parent} is not writable`, { cause: error });
    makeFolder(parent);
    mkdirSync(folder);
  }
}
