import { Memo } from '../base/memo.ts';
import { MAX_DIMENSION, type Matrix, MOST_ENTRIES, matrix, type RealArray, requireMatrix } from './dense.ts';
import { fromHalfBits, halfBits } from './half-bits.ts';
import { npyMalformed, npyWrongDtype, npyWrongLength, npyWrongShape } from './messages.ts';

/**
 * NumPy's .npy format for matrices of binary16, binary32 and binary64, versions 1.0 to 3.0 (NumPy Enhancement Proposal 1;
 * numpy.lib.format). Layout: the magic string, two version bytes, the length of the header in 2 bytes (version 1)
 * or 4, little-endian; the header, a Python dictionary; the entries.
 */

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/** The entries start at a multiple of this many bytes, as in NumPy's files. */
const ALIGNMENT = 64;
/** The longest header, in bytes: that of a matrix takes about a hundred, and NumPy itself trusts no longer one. */
const LONGEST_HEADER = 10_000;

/** The first bytes of a file that contain the header of every file that we read. */
export const LONGEST_START = LONGEST_HEADER + 12;

/** A type of entries, with its reader; for complex entries, the type of one part. */
interface EntryType {
  readonly bytes: 1 | 2 | 4 | 8;
  /** The numbers that make up an entry. @defaultValue 1 */
  readonly parts?: 2;
  /** True for integers. @defaultValue false */
  readonly isWhole?: true;
  get(view: DataView, at: number, littleEndian: boolean): number;
}

/** A type of entries, with its writer too. */
interface WrittenType extends EntryType {
  set(view: DataView, at: number, value: number): void;
}

/** The types of real entries, by NumPy's names without byte order. */
const REAL = {
  f2: {
    bytes: 2,
    get: (view, at, littleEndian) => fromHalfBits(view.getUint16(at, littleEndian)),
    set: (view, at, value) => view.setUint16(at, halfBits(value), true),
  },
  f4: {
    bytes: 4,
    get: (view, at, littleEndian) => view.getFloat32(at, littleEndian),
    set: (view, at, value) => view.setFloat32(at, value, true),
  },
  f8: {
    bytes: 8,
    get: (view, at, littleEndian) => view.getFloat64(at, littleEndian),
    set: (view, at, value) => view.setFloat64(at, value, true),
  },
} as const satisfies Record<string, WrittenType>;

/** All written types: the real ones, and the complex ones with two numbers an entry, the real part first. */
const TYPES = {
  ...REAL,
  c8: { ...REAL.f4, parts: 2 },
  c16: { ...REAL.f8, parts: 2 },
} as const satisfies Record<string, WrittenType>;

/** Integers, read as doubles: beyond 2^53 the nearest ones. */
const WHOLE: Readonly<Record<string, EntryType>> = {
  i1: { bytes: 1, isWhole: true, get: (view, at) => view.getInt8(at) },
  u1: { bytes: 1, isWhole: true, get: (view, at) => view.getUint8(at) },
  i2: { bytes: 2, isWhole: true, get: (view, at, littleEndian) => view.getInt16(at, littleEndian) },
  u2: { bytes: 2, isWhole: true, get: (view, at, littleEndian) => view.getUint16(at, littleEndian) },
  i4: { bytes: 4, isWhole: true, get: (view, at, littleEndian) => view.getInt32(at, littleEndian) },
  u4: { bytes: 4, isWhole: true, get: (view, at, littleEndian) => view.getUint32(at, littleEndian) },
  i8: {
    bytes: 8,
    isWhole: true,
    get: (view, at, littleEndian) => Number(view.getBigInt64(at, littleEndian)),
  },
  u8: {
    bytes: 8,
    isWhole: true,
    get: (view, at, littleEndian) => Number(view.getBigUint64(at, littleEndian)),
  },
};

/** Contents that a file may have other than one matrix of real entries. */
export interface ParseOptions {
  /** True to accept a stack of matrices, in C order, read as matrices one below the other. @defaultValue false */
  readonly stacks?: boolean;
  /** True to require complex entries; each is read as two columns, the real part first. @defaultValue false */
  readonly complex?: boolean;
  /** True to accept integers. @defaultValue false */
  readonly whole?: boolean;
}

/** Options for writing a matrix. */
export interface DumpOptions {
  /** NumPy's name of the entries' type; `f2` rounds the entries to binary16. @defaultValue the matrix's own precision */
  readonly type?: keyof typeof REAL;
  /** True to write column after column: Fortran order, the memory order of a transposed matrix. @defaultValue false */
  readonly columnMajor?: boolean;
  /** True to write the entries as a one-dimensional array. @defaultValue false */
  readonly flat?: boolean;
}

/** Returns the largest size in bytes of a file with this many entries. */
export const mostBytes = (entries: number): number => LONGEST_START + 8 * entries;

/**
 * Reads the bytes of a .npy file as a matrix, in the precision stored, binary16 as binary32; column-major files are transposed.
 * @param file the file's name in errors.
 * @param options the accepted contents other than one matrix of real entries.
 * @throws ParanoiaError `npy-malformed`, `npy-wrong-dtype`, `npy-wrong-shape` unless it is two-dimensional with at most {@link
 * MAX_DIMENSION} rows and columns, `npy-wrong-length` when the entries are fewer or more than its shape says.
 */
export function parseNpy(bytes: Uint8Array, file: string, options: ParseOptions = {}): Matrix {
  if (!(bytes instanceof Uint8Array)) throw npyMalformed({ file, why: 'its bytes are not a Uint8Array' });
  const layout = requireLength(bytes, bytes.length, file, options);
  return matrixOf(layout, new Uint8Array(bytes.subarray(layout.end)).buffer);
}

/**
 * Returns the matrix of a file.
 * @param memory the entries as stored; the matrix keeps this memory where it has their layout.
 */
export function matrixOf(
  { descr, type, columnMajor, rows, cols }: ReturnType<typeof requireLength>,
  memory: ArrayBufferLike,
): Matrix {
  const { parts = 1, isWhole = false } = type as EntryType;
  const count = rows * cols * parts;
  const isWide = isWhole || type.bytes === 8;
  if (NATIVE.includes(descr) && !columnMajor)
    return matrix(rows, parts * cols, isWide ? new Float64Array(memory) : new Float32Array(memory));
  const view = new DataView(memory);
  const littleEndian = descr.startsWith('<');
  const data = isWide ? new Float64Array(count) : new Float32Array(count);
  const [rowStep, colStep] = columnMajor ? [1, rows] : [cols, 1];
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      for (let part = 0; part < parts; part++) {
        const at = type.bytes * (parts * (i * rowStep + j * colStep) + part);
        data[parts * (i * cols + j) + part] = type.get(view, at, littleEndian);
      }
    }
  }
  return matrix(rows, parts * cols, data);
}

/**
 * Reads the header from the first bytes of a file, and checks the file's length against it.
 * @param head the first {@link LONGEST_START} bytes, or all bytes of a shorter file.
 * @param total the length of the file in bytes.
 * @throws ParanoiaError as {@link parseNpy}
 */
export function requireLength(head: Uint8Array, total: number, file: string, options: ParseOptions = {}) {
  const { header, end } = readHeader(head, file);
  const { shape, ...known } = headers.get(header, () => parseHeader(header, file));
  const { parts = 1 } = known.type;
  if ((parts === 2) !== (options.complex ?? false) || (known.type.isWhole === true && options.whole !== true))
    throw npyWrongDtype({
      file,
      dtype: known.descr,
      ...(options.complex === true ? { need: 'complex64 or complex128' } : {}),
    });
  const [rows, cols] = extentOf(shape, options.stacks === true && !known.columnMajor, parts, file);
  const need = rows * cols * parts * known.type.bytes;
  const found = total - end;
  if (found !== need) throw npyWrongLength({ file, rows, cols, need, found });
  return { ...known, rows, cols, end, need };
}

/** Most bytes of a piece that is written at once. */
const AT_ONCE = 2 ** 28;

/** Yields the bytes of a file as {@link dumpNpy} returns them, in pieces: together they may be more than one array of bytes holds. */
export function* npyPieces(x: Matrix, atOnce = AT_ONCE): Generator<Uint8Array> {
  yield npyHeader(x);
  const cols = Math.floor(atOnce / x.data.BYTES_PER_ELEMENT);
  for (let at = 0; at < x.data.length; at += cols) {
    const data = x.data.subarray(at, at + cols);
    yield npyParts({ rows: 1, cols: data.length, data })[1];
  }
}

/** Returns the bytes of a version 1.0 .npy file, little-endian, row-major by default. */
export function dumpNpy(x: Matrix, options?: DumpOptions): Uint8Array {
  const [header, entries] = npyParts(x, options);
  const bytes = new Uint8Array(header.length + entries.length);
  bytes.set(header);
  bytes.set(entries, header.length);
  return bytes;
}

/** Returns a .npy file as two read-only parts, header and entries. The entries are the matrix's own memory if it has the file's layout. */
export function npyParts(
  x: Matrix,
  options: DumpOptions = {},
): readonly [header: Uint8Array, entries: Uint8Array] {
  requireMatrix(x, 'The matrix to write');
  const header = npyHeader(x, options);
  const { rows, cols, data } = x;
  const { type = typeOf(data), columnMajor = false } = options;
  const { bytes: wide, set } = TYPES[type];
  if (wide === data.BYTES_PER_ELEMENT && NATIVE.length > 0 && !columnMajor) return [header, bytesOf(data)];
  const entries = new Uint8Array(wide * data.length);
  const view = new DataView(entries.buffer);
  const [rowStep, colStep] = columnMajor ? [1, rows] : [cols, 1];
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) set(view, wide * (i * rowStep + j * colStep), data[i * cols + j]);
  }
  return [header, entries];
}

const typeOf = (data: RealArray) => (data instanceof Float32Array ? 'f4' : 'f8');

function npyHeader({ rows, cols, data }: Matrix, options: DumpOptions = {}): Uint8Array {
  const { type = typeOf(data), columnMajor = false, flat = false } = options;
  const order = columnMajor ? 'True' : 'False';
  const dictionary = `{'descr': '<${type}', 'fortran_order': ${order}, 'shape': ${flat ? `(${data.length},)` : `(${rows}, ${cols})`}, }`;
  return written.get(dictionary, () => headerOf(dictionary));
}

/**
 * Returns a file of complex entries as two parts, like {@link npyParts}.
 * @param entries real and imaginary parts side by side, in the order of the file.
 */
export function complexNpyParts(
  entries: RealArray,
  shape: readonly number[],
  columnMajor = false,
): readonly [header: Uint8Array, entries: Uint8Array] {
  const type = entries instanceof Float32Array ? 'c8' : 'c16';
  const order = columnMajor ? 'True' : 'False';
  const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const dictionary = `{'descr': '<${type}', 'fortran_order': ${order}, 'shape': (${sizes}), }`;
  const header = written.get(dictionary, () => headerOf(dictionary));
  if (NATIVE.length > 0) return [header, bytesOf(entries)];
  const [bytes, { set }] = [new Uint8Array(entries.byteLength), TYPES[type]];
  const view = new DataView(bytes.buffer);
  entries.forEach((x, e) => {
    set(view, e * entries.BYTES_PER_ELEMENT, x);
  });
  return [header, bytes];
}

/** The headers written most recently: matrices of one shape share theirs. */
const written = new Memo<Uint8Array>(64);

function headerOf(dictionary: string): Uint8Array {
  const preamble = MAGIC.length + 4;
  const start = Math.ceil((preamble + dictionary.length + 1) / ALIGNMENT) * ALIGNMENT;
  const length = start - preamble;
  const text = new TextEncoder().encode(`${dictionary.padEnd(length - 1)}\n`);
  return Uint8Array.of(...MAGIC, 1, 0, length & 0xff, length >> 8, ...text);
}

/** Types whose entries have the same bytes in a file and in memory. */
const NATIVE: readonly string[] =
  new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? ['<f4', '<f8', '<c8', '<c16'] : [];

const bytesOf = ({ buffer, byteOffset, byteLength }: RealArray) =>
  new Uint8Array(buffer, byteOffset, byteLength);

/**
 * Returns the header's text, and the offset of the entries.
 * @throws ParanoiaError `npy-malformed`
 */
function readHeader(bytes: Uint8Array, file: string): { header: string; end: number } {
  if (bytes.length === 0) throw npyMalformed({ file, why: 'it is empty' });
  if (!MAGIC.every((byte, at) => bytes[at] === byte)) {
    throw npyMalformed({ file, why: 'it does not start with the bytes \\x93NUMPY' });
  }
  const cutShort = () => npyMalformed({ file, why: 'it ends within its header' });
  if (bytes.length < 8) throw cutShort();
  const version = bytes[6];
  if (version < 1 || version > 3 || bytes[7] !== 0) {
    throw npyMalformed({
      file,
      why: `its version is ${version}.${bytes[7]}, not 1.0, 2.0 or 3.0`,
    });
  }
  const start = version === 1 ? 10 : 12;
  if (bytes.length < start) throw cutShort();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
  if (length > LONGEST_HEADER) {
    throw npyMalformed({ file, why: `its header claims ${length} bytes` });
  }
  const end = start + length;
  if (bytes.length < end) throw cutShort();
  return { header: utf8.decode(bytes.subarray(start, end)), end };
}

const utf8 = new TextDecoder();

/** The layout of an array in a .npy file. */
export interface NpyLayout {
  /** The type of the entries, with byte order: `<f4`. */
  readonly descr: string;
  readonly columnMajor: boolean;
  readonly shape: readonly number[];
}

interface Header extends NpyLayout {
  readonly type: EntryType;
}

/**
 * Reads the header of an array of any type and number of dimensions.
 * @throws ParanoiaError `npy-malformed`
 */
export function npyLayout(bytes: Uint8Array, file: string): NpyLayout & { readonly end: number } {
  const { header, end } = readHeader(bytes, file);
  return { ...parseLayout(header, file), end };
}

/** The values and entries of a header: the format prescribes three entries, in any order, and allows no others. */
const VALUE = String.raw`'[^'\\]*'|"[^"\\]*"|True|False|\([\d,\sL]*\)|\[.*\]`;
const ENTRY = String.raw`\s*(?:'(?:\w+)'|"(?:\w+)")\s*:\s*(?:${VALUE})\s*`;
const DICTIONARY = new RegExp(`^\\s*\\{${ENTRY}(?:,${ENTRY}){2},?\\s*\\}\\s*$`, 's');

/** The headers read most recently: matrices of one shape share theirs. */
const headers = new Memo<Header>(64);

function parseHeader(header: string, file: string): Header {
  const layout = parseLayout(header, file);
  const { descr } = layout;
  const isOf = ([name, { bytes }]: readonly [string, EntryType]) =>
    (bytes === 1 ? ['|', '<', '>'] : ['<', '>']).some((order) => descr === order + name);
  const type = Object.entries<EntryType>({ ...TYPES, ...WHOLE }).find(isOf)?.[1];
  if (type === undefined) throw npyWrongDtype({ file, dtype: descr.startsWith('[') ? 'records' : descr });
  return { ...layout, type };
}

function parseLayout(header: string, file: string): NpyLayout {
  const malformed = (why: string) => npyMalformed({ file, why });
  if (!DICTIONARY.test(header)) throw malformed('its header is not a dictionary of three entries');
  const value = (key: string, pattern: string): string => {
    const found = new RegExp(`['"]${key}['"]\\s*:\\s*(?:${pattern})`, 's').exec(header)?.[1];
    if (found === undefined) throw malformed(`its header has no valid '${key}'`);
    return found;
  };
  const order = value('fortran_order', '(True|False)');
  const shape = value('shape', String.raw`\(([\d,\sL]*)\)`);
  const descr = value('descr', String.raw`(?=(?:'[^']*'|"[^"]*"|\[))['"]?([^'"]*)`);
  return { descr, columnMajor: order === 'True', shape: dimensionsOf(shape, file) };
}

/** Returns the sizes of a shape. Python 2 wrote whole numbers with an L. */
function dimensionsOf(shape: string, file: string): readonly number[] {
  const sizes = shape.replaceAll('L', '').split(',');
  if (sizes.at(-1)?.trim() === '') sizes.pop();
  if (!sizes.every((size) => /^\s*\d+\s*$/.test(size))) {
    throw npyMalformed({ file, why: `its shape (${shape}) is not a tuple of whole numbers` });
  }
  return sizes.map(Number);
}

/** Returns the rows and columns of a shape; for a stack, the rows of all matrices. */
function extentOf(
  shape: readonly number[],
  stacks: boolean,
  parts: number,
  file: string,
): readonly [number, number] {
  const refuse = (need: string) =>
    npyWrongShape({ file, shape: `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`, need });
  if (shape.length !== 2 && !(stacks && shape.length === 3)) throw refuse('a matrix, with two dimensions,');
  const cols = shape[shape.length - 1];
  const rows = shape.slice(0, -1).reduce((product, size) => product * size, 1);
  if (rows > MAX_DIMENSION || cols > MAX_DIMENSION) throw refuse(`at most ${MAX_DIMENSION} rows and columns`);
  if (rows * cols * parts > MOST_ENTRIES) throw refuse(`at most ${MOST_ENTRIES / parts} entries`);
  return [rows, cols];
}
