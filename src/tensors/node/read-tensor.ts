import { readSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { ParanoiaError } from '../../base/errors.ts';
import { fileReason, withFile } from '../../base/node/read-file.ts';
import { formatPath } from '../../matrix/node/shown-path.ts';
import { npyLayout } from '../../matrix/npy.ts';
import { type Dtype, dtypes } from '../dtypes.ts';
import { dtypeUnknown, tensorUnreadable } from '../messages.ts';
import { isSafetensors, memberOf, parseSafetensors } from '../safetensors.ts';
import { countOf, entriesOf, fromColumnMajor, sharedMemory, type Tensor } from '../tensor.ts';

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
  const bytes = path === STDIN ? standardInput() : bytesOf(path, file);
  const tensor = parseTensor(bytes, file, member, hints);
  const [own, given] = [tensor.shape.slice(-2), hints.shape ?? tensor.shape.slice(-2)];
  if (own.length === given.length && own.some((size, at) => size !== given[at])) {
    const why = `its entries are ${own.join('×')}, not ${given.join('×')} as --shape says`;
    throw tensorUnreadable({ file, why });
  }
  return tensor;
}

function parseTensor(
  bytes: Uint8Array,
  file: string,
  member: string | undefined,
  hints: TensorHints,
): Tensor {
  if (bytes.length === 0) throw tensorUnreadable({ file, why: 'it is empty' });
  if (startsWith(bytes, '\u0093NUMPY')) return parseNpyTensor(bytes, file, hints.dtype, hints.isFallback);
  if (startsWith(bytes, 'PK')) return npzMember(bytes, file, member, hints);
  if (isSafetensors(bytes)) return parseSafetensors(bytes, file, member);
  const { dtype, shape } = hints;
  if (dtype === undefined || shape === undefined) {
    const next = 'Give --dtype and --shape for a raw file';
    throw tensorUnreadable({ file, why: 'it is no .npy, .npz or .safetensors file', next });
  }
  const need = countOf(shape) * dtype.bytes;
  if (bytes.length !== need) {
    const why = `it has ${bytes.length} bytes, expected ${need} (${shape.join('×')} of ${dtype.name})`;
    throw tensorUnreadable({ file, why });
  }
  return { dtype, shape, data: entriesOf(bytes, dtype) };
}

const startsWith = (bytes: Uint8Array, text: string): boolean =>
  [...text].every((character, at) => bytes[at] === character.charCodeAt(0));

function npzMember(bytes: Uint8Array, file: string, member: string | undefined, hints: TensorHints): Tensor {
  try {
    const names: string[] = [];
    const list = ({ name }: { readonly name: string }) => {
      if (name.endsWith('.npy')) names.push(name.slice(0, -'.npy'.length));
      return false;
    };
    unzipSync(bytes, { filter: list });
    const name = memberOf(names, member, file);
    const found = unzipSync(bytes, { filter: (one) => one.name === `${name}.npy` });
    return parseNpyTensor(found[`${name}.npy`], `${file}#${name}`, hints.dtype, hints.isFallback);
  } catch (error) {
    if (error instanceof ParanoiaError) throw error;
    const why = `it is no valid .npz file (${(error as Error).message})`;
    throw tensorUnreadable({ file, why, next: 'Save it again with numpy.savez' }, error);
  }
}

function bytesOf(path: string, file: string): Uint8Array {
  try {
    return withFile(path, (opened) => opened.whole((count) => Buffer.from(sharedMemory(count))));
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw tensorUnreadable({ file, why: isMissing ? 'it does not exist' : fileReason(error) }, error);
  }
}

/** Bytes of one read of a pipe. */
const CHUNK = 2 ** 20;

/** Reads standard input to its end. */
function standardInput(): Uint8Array {
  const parts: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    const count = readFrom(chunk);
    if (count === 0) return Buffer.concat(parts);
    parts.push(chunk.subarray(0, count));
  }
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
 * Reads a .npy file of any dtype that a tensor may have. NumPy saves the types of ml_dtypes as bytes without a name, and fp8 is often
 * viewed as uint8: `as` says what such bytes are.
 * @param isFallback true if `as` is only for bytes without a name.
 * @throws ParanoiaError `npy-malformed`, `dtype-unknown`, `tensor-unreadable`
 */
export function parseNpyTensor(
  bytes: Uint8Array,
  file: string,
  as?: Dtype | undefined,
  isFallback = false,
): Tensor {
  const { descr, columnMajor, shape, end } = npyLayout(bytes, file);
  const dtype = dtypeOf(descr, file, isFallback && !UNNAMED.test(descr) ? undefined : as);
  const [need, found] = [countOf(shape) * dtype.bytes, bytes.length - end];
  if (found !== need) {
    const why = `it has ${found} bytes of entries, expected ${need} (${shape.join('×')} of ${dtype.name})`;
    throw tensorUnreadable({ file, why, next: 'Save or copy it again' });
  }
  const data = entriesOf(bytes.subarray(end), dtype, !descr.startsWith('>'));
  const tensor = { dtype, shape, data };
  return columnMajor ? fromColumnMajor(tensor) : tensor;
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
