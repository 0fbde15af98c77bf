import { kMaxLength } from 'node:buffer';
import { readSync } from 'node:fs';
import { type UnzipFileInfo, unzipSync } from 'fflate';
import { ParanoiaError } from '../../base/errors.ts';
import { requireFree } from '../../base/node/free-memory.ts';
import { fileReason, formatPath, withFile } from '../../base/node/read-file.ts';
import { arrayOf, bytesInMemory, type StoredBytes, startOf } from '../../base/stored-bytes.ts';
import { LONGEST_START, npyLayout } from '../../matrix/npy.ts';
import { type Dtype, dtypes } from '../dtypes.ts';
import { dtypeUnknown, tensorUnreadable } from '../messages.ts';
import { findInSafetensors, isSafetensors, memberOf } from '../safetensors.ts';
import { countOf, readStored, type StoredTensor, sharedMemory, type Tensor } from '../tensor.ts';

/** Facts about a tensor that its file may not say. */
interface TensorHints {
  /** Type of its entries. */
  readonly dtype?: Dtype | undefined;
  /** True if `dtype` is only for entries whose type the file does not name. @defaultValue false */
  readonly isFallback?: boolean | undefined;
  /** Shape of a raw file; that of any other must agree with it. */
  readonly shape?: readonly number[] | undefined;
}

/** The place that stands for standard input. */
export const STDIN = '-';

/**
 * Reads a tensor of a .npy, .npz or .safetensors file, told by their first bytes, or of a raw file whose type and shape are given.
 * @param place path, path#tensor for a file of several, or - for standard input.
 * @throws ParanoiaError `tensor-unreadable`, `dtype-unknown`, `npy-malformed`
 */
export function readTensor(place: string, hints: TensorHints = {}): Tensor {
  const at = place.lastIndexOf('#');
  const [path, member] = at < 1 ? [place] : [place.slice(0, at), place.slice(at + 1)];
  const file = path === STDIN ? 'standard input' : formatPath(path);
  const read = (bytes: StoredBytes) => readStored(findTensor(bytes, file, member, hints), makeMemory(file));
  const tensor = path === STDIN ? read(standardInput()) : readFile(path, file, read);
  const [own, given] = [tensor.shape.slice(-2), hints.shape ?? tensor.shape.slice(-2)];
  if (own.length === given.length && own.some((size, at) => size !== given[at])) {
    const why = `its entries are ${own.join('×')}, not ${given.join('×')} as --shape says`;
    throw tensorUnreadable({ file, why });
  }
  return tensor;
}

function findTensor(
  bytes: StoredBytes,
  file: string,
  member: string | undefined,
  hints: TensorHints,
): StoredTensor {
  if (bytes.size === 0) throw tensorUnreadable({ file, why: 'it is empty' });
  if (startsWith(bytes, '\u0093NUMPY')) return findNpyTensor(bytes, file, hints.dtype, hints.isFallback);
  if (startsWith(bytes, 'PK')) return npzMember(bytes, file, member, hints);
  if (isSafetensors(bytes)) return findInSafetensors(bytes, file, member);
  const { dtype, shape } = hints;
  if (dtype === undefined || shape === undefined) {
    const next = 'Give --dtype and --shape for a raw file';
    throw tensorUnreadable({ file, why: 'it is no .npy, .npz or .safetensors file', next });
  }
  const need = countOf(shape) * dtype.bytes;
  if (bytes.size !== need) {
    const why = `it has ${bytes.size} bytes, expected ${need} (${shape.join('×')} of ${dtype.name})`;
    throw tensorUnreadable({ file, why });
  }
  return { file, bytes, dtype, shape, from: 0 };
}

const startsWith = (bytes: StoredBytes, text: string): boolean =>
  String.fromCharCode(...startOf(bytes, text.length)) === text;

function npzMember(
  stored: StoredBytes,
  file: string,
  member: string | undefined,
  hints: TensorHints,
): StoredTensor {
  const refuseLarge = (size: number, what: string) => {
    const why = `${what} has ${size} bytes, and an archive is read up to ${kMaxLength}`;
    if (size > kMaxLength) throw tensorUnreadable({ file, why, next: 'Save the tensor with numpy.save' });
  };
  refuseLarge(stored.size, 'it');
  const bytes = arrayOf(stored, 0, stored.size);
  try {
    const names: string[] = [];
    const list = ({ name }: { readonly name: string }) => {
      if (name.endsWith('.npy')) names.push(name.slice(0, -'.npy'.length));
      return false;
    };
    unzipSync(bytes, { filter: list });
    const name = memberOf(names, member, file);
    const filter = (one: UnzipFileInfo) => {
      if (one.name !== `${name}.npy`) return false;
      refuseLarge(one.originalSize, name);
      return true;
    };
    const found = bytesInMemory(unzipSync(bytes, { filter })[`${name}.npy`]);
    return findNpyTensor(found, `${file}#${name}`, hints.dtype, hints.isFallback);
  } catch (error) {
    if (error instanceof ParanoiaError) throw error;
    const why = `it is no valid .npz file (${(error as Error).message})`;
    throw tensorUnreadable({ file, why, next: 'Save it again with numpy.savez' }, error);
  }
}

function readFile(path: string, file: string, read: (bytes: StoredBytes) => Tensor): Tensor {
  try {
    return withFile(path, read);
  } catch (error) {
    if (error instanceof ParanoiaError) throw error;
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw tensorUnreadable({ file, why: isMissing ? 'it does not exist' : fileReason(error) }, error);
  }
}

/** Returns an allocator of memory that threads read, too. */
const makeMemory = (what: string) => (size: number) => {
  requireFree(size, what);
  return sharedMemory(size);
};

/** Bytes of one read of a pipe. */
const CHUNK = 2 ** 20;

/** Reads standard input to its end. */
function standardInput(): StoredBytes {
  const parts: Buffer[] = [];
  for (let size = 0; ; ) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    const count = readFrom(chunk);
    if (count === 0) return bytesInMemory(joined(parts, size));
    parts.push(chunk.subarray(0, count));
    size += count;
  }
}

function joined(parts: readonly Buffer[], size: number): DataView {
  const memory = makeMemory('standard input')(size);
  let at = 0;
  for (const part of parts) {
    new Uint8Array(memory, at, part.length).set(part);
    at += part.length;
  }
  return new DataView(memory);
}

/** Reads what a pipe holds; waits while it holds nothing. */
function readFrom(chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(0, chunk);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/**
 * Finds the tensor of a .npy file of any dtype that a tensor may have. NumPy saves the types of ml_dtypes as bytes without a name, and
 * fp8 is often viewed as uint8: `as` says what such bytes are.
 * @param isFallback true if `as` is only for bytes without a name.
 * @throws ParanoiaError `npy-malformed`, `dtype-unknown`, `tensor-unreadable`
 */
export function findNpyTensor(
  bytes: StoredBytes,
  file: string,
  as?: Dtype | undefined,
  isFallback = false,
): StoredTensor {
  const { descr, columnMajor, shape, end } = npyLayout(startOf(bytes, LONGEST_START), file);
  const dtype = dtypeOf(descr, file, isFallback && !UNNAMED.test(descr) ? undefined : as);
  const [need, found] = [countOf(shape) * dtype.bytes, bytes.size - end];
  if (found !== need) {
    const why = `it has ${found} bytes of entries, expected ${need} (${shape.join('×')} of ${dtype.name})`;
    throw tensorUnreadable({ file, why, next: 'Save or copy it again' });
  }
  return {
    ...{ file, bytes, dtype, shape, from: end },
    ...{ isLittle: !descr.startsWith('>'), isColumnMajor: columnMajor },
  };
}

/** Types without a name in NumPy, and unsigned whole numbers that may be views of other types. */
const UNNAMED = /^[|<>]?(?:[Vfu]1|[Vu]2)$/;

function dtypeOf(descr: string, file: string, as: Dtype | undefined): Dtype {
  const named = dtypes.items.find(({ npy }) => npy !== undefined && descr.replace(/^[<>|=]/, '') === npy);
  if (as !== undefined && (as === named || (UNNAMED.test(descr) && as.bytes === Number(descr.at(-1)))))
    return as;
  if (as !== undefined) {
    const why = `its entries are ${named?.name ?? descr}, not ${as.name} as --dtype says`;
    throw tensorUnreadable({ file, why });
  }
  if (named !== undefined && named.name !== 'uint8') return named;
  if (UNNAMED.test(descr)) {
    const known = dtypes.items.filter(({ bytes }) => bytes === Number(descr.at(-1))).map(({ name }) => name);
    throw dtypeUnknown({ file, dtype: named?.name ?? descr, known });
  }
  const known = dtypes.names.join(', ');
  const why = `its entries are ${descr.startsWith('[') ? 'records' : descr}`;
  throw tensorUnreadable({ file, why, next: `Convert it to one of ${known}` });
}
