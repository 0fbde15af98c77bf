import { dump, parse } from 'npyjs';
import { describe, expect, it } from 'vitest';
import { matrix } from './dense.ts';
import { complexNpyParts, dumpNpy, npyPieces, parseNpy } from './npy.ts';

/** Builds the bytes of a .npy file by hand. */
function file(header: string, data: Uint8Array | number[] = [], version = 1): Uint8Array {
  const text = new TextEncoder().encode(header);
  const length = new DataView(new ArrayBuffer(version === 1 ? 2 : 4));
  if (version === 1) length.setUint16(0, text.length, true);
  else length.setUint32(0, text.length, true);
  return Uint8Array.of(
    ...[0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0],
    ...new Uint8Array(length.buffer),
    ...text,
    ...data,
  );
}
const dictionary = (descr: string, shape: string, order = 'False') =>
  `{'descr': ${descr}, 'fortran_order': ${order}, 'shape': ${shape}, }\n`;
const bytesOf = (values: Float32Array | Float64Array) => new Uint8Array(values.buffer);
const swapped = (values: Float32Array | Float64Array) => {
  const size = values.BYTES_PER_ELEMENT;
  const bytes = bytesOf(values);
  return bytes.map((_, at) => bytes[at - (at % size) + size - 1 - (at % size)]);
};
const six32 = Float32Array.of(1, -2, 3.5, 4, 5, 1e-45);
const six64 = Float64Array.of(1, -2, 0.1, 4, 5, 5e-324);

describe('reading what was written', () => {
  it.each([
    ['f32', matrix(2, 3, six32)],
    ['f64', matrix(3, 2, six64)],
    ['specials', matrix(1, 4, Float64Array.of(-0, Number.NaN, Number.POSITIVE_INFINITY, -1e308))],
    ['no rows', matrix(0, 5, new Float32Array(0))],
    ['no columns', matrix(5, 0, new Float64Array(0))],
  ])('%s', (_, x) => {
    const bytes = dumpNpy(x);
    expect(parseNpy(bytes, 'x.npy')).toEqual(x);
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    expect(parseNpy(shifted.subarray(1), 'x.npy')).toEqual(x);
  });

  it('writes the header as NumPy does, the entries 64-byte aligned', () => {
    const bytes = dumpNpy(matrix(2, 3, six32));
    const header = new TextDecoder('latin1').decode(bytes.subarray(0, 128));
    expect(header).toBe(
      `${`\u0093NUMPY\u0001\u0000v\u0000{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`.padEnd(127)}\n`,
    );
    expect(bytes.length).toBe(128 + 24);
  });

  it.each([
    ['f2', false],
    ['f2', true],
    ['f4', true],
    ['f8', true],
    ['f8', false],
  ] as const)('as %s, column-major: %s', (type, columnMajor) => {
    const x = matrix(2, 3, Float32Array.of(1, -2, 0.333251953125, -0, Number.POSITIVE_INFINITY, Number.NaN));
    const bytes = dumpNpy(x, { type, columnMajor });
    const back = parseNpy(bytes, 'x.npy');
    expect(back.data).toEqual(type === 'f8' ? Float64Array.from(x.data) : x.data);
    const header = new TextDecoder('latin1').decode(bytes.subarray(10, 100));
    expect(header).toContain(
      `'<${type}', 'fortran_order': ${columnMajor ? 'True' : 'False'}, 'shape': (2, 3)`,
    );
    const { data, shape, fortranOrder } = parse(bytes.buffer as ArrayBuffer);
    expect([shape, fortranOrder]).toEqual([[2, 3], columnMajor]);
    if (type !== 'f2') expect((data as Float32Array)[1]).toBe(columnMajor ? -0 : -2);
    else expect(bytes.length).toBe(128 + 2 * 6);
  });

  it('as a list, and of a stack of matrices, one below the other', () => {
    const flat = dumpNpy(matrix(1, 6, six32), { type: 'f4', flat: true });
    expect(new TextDecoder('latin1').decode(flat.subarray(10, 80))).toContain("'shape': (6,), }");
    expect(() => parseNpy(flat, 'x.npy', { stacks: true })).toThrow('shape (6,)');
    const stack = file(dictionary("'<f4'", '(3, 1, 2)'), bytesOf(six32));
    expect(parseNpy(stack, 'x.npy', { stacks: true })).toEqual(matrix(3, 2, six32));
    expect(parseNpy(file(dictionary("'<f4'", '(0, 4, 2)')), 'x.npy', { stacks: true })).toEqual(
      matrix(0, 2, new Float32Array(0)),
    );
    expect(() => parseNpy(stack, 'x.npy')).toThrow('shape (3, 1, 2)');
    const columns = file(dictionary("'<f4'", '(3, 1, 2)', 'True'), bytesOf(six32));
    expect(() => parseNpy(columns, 'x.npy', { stacks: true })).toThrow('shape (3, 1, 2)');
  });

  it('agrees with another implementation', () => {
    const theirs = parse(dumpNpy(matrix(2, 3, six64)).buffer as ArrayBuffer);
    expect(theirs).toMatchObject({ data: six64, shape: [2, 3], fortranOrder: false });
    expect(parseNpy(new Uint8Array(dump(six32, [3, 2])), 'x.npy')).toEqual(matrix(3, 2, six32));
  });
});

describe('reading', () => {
  it.each([
    ['column-major', dictionary("'<f8'", '(2, 3)', 'True'), bytesOf(six64), [1, 0.1, 5, -2, 4, 5e-324]],
    ['big-endian f64', dictionary("'>f8'", '(2, 3)'), swapped(six64), [...six64]],
    ['big-endian f32', dictionary("'>f4'", '(2, 3)'), swapped(six32), [...six32]],
    [
      'another order of keys, quotes and spaces',
      `{"shape":(2,3),'fortran_order' : False,"descr":"<f4"}`,
      bytesOf(six32),
      [...six32],
    ],
    ['the sizes of Python 2', dictionary("'<f4'", '(2L, 3L)'), bytesOf(six32), [...six32]],
  ])('%s', (_, header, data, expected) => {
    for (const version of [1, 2, 3]) {
      const x = parseNpy(file(header, data, version), 'x.npy');
      expect([x.rows, x.cols, ...x.data]).toEqual([2, 3, ...expected]);
    }
  });

  const good = dictionary("'<f4'", '(2, 3)');
  const whole = file(good, bytesOf(six32));
  it.each([
    ['an empty file', new Uint8Array(0), 'npy-malformed', 'it is empty'],
    ['text', new TextEncoder().encode('1,2\n3,4\n'), 'npy-malformed', 'does not start with'],
    ['a header cut short', whole.subarray(0, 40), 'npy-malformed', 'ends within its header'],
    ['only the magic', whole.subarray(0, 7), 'npy-malformed', 'ends within its header'],
    ['version 9', Uint8Array.from(whole, (x, at) => (at === 6 ? 9 : x)), 'npy-malformed', 'version is 9.0'],
    [
      'an absurd header length',
      Uint8Array.from(file(good, [], 2), (x, at) => (at >= 8 && at < 12 ? 255 : x)),
      'npy-malformed',
      'claims 4294967295 bytes',
    ],
    ['no dictionary', file('{}'), 'npy-malformed', 'not a dictionary of three entries'],
    [
      'a missing key',
      file("{'descr': '<f4', 'order': False, 'shape': (2, 3)}"),
      'npy-malformed',
      'fortran_order',
    ],
    ['a shape that is none', file(dictionary("'<f4'", '(2,,3)')), 'npy-malformed', 'not a tuple'],
    ['a negative size', file(dictionary("'<f4'", '(-2, 3)')), 'npy-malformed', 'dictionary'],
    ['truncated entries', whole.subarray(0, -1), 'npy-wrong-length', 'is truncated'],
    ['trailing bytes', file(good, [...bytesOf(six32), 0]), 'npy-wrong-length', 'has extra bytes'],
    ['integers', file(dictionary("'<i8'", '(2, 3)')), 'npy-wrong-dtype', 'holds <i8'],
    ['whole numbers', file(dictionary("'<i2'", '(2, 3)')), 'npy-wrong-dtype', 'holds <i2'],
    [
      'records',
      file(dictionary("[('x', '<f4'), ('y', '<f4')]", '(2, 3)')),
      'npy-wrong-dtype',
      'holds records',
    ],
    ['a vector', file(dictionary("'<f4'", '(6,)'), bytesOf(six32)), 'npy-wrong-shape', 'shape (6,)'],
    ['a number', file(dictionary("'<f4'", '()'), bytesOf(six32)), 'npy-wrong-shape', 'shape ()'],
    ['a cube', file(dictionary("'<f4'", '(1, 2, 3)'), bytesOf(six32)), 'npy-wrong-shape', 'shape (1, 2, 3)'],
    [
      'absurd sizes',
      file(dictionary("'<f4'", '(0, 99999999999999999999999)')),
      'npy-wrong-shape',
      'at most 2147483647 rows and columns',
    ],
  ])('refuses %s in one sentence that names the file', (_, bytes, code, says) => {
    const caught = () => parseNpy(bytes, 'dir/x.npy');
    expect(caught).toThrow(expect.objectContaining({ code, exitCode: 2 }));
    expect(caught).toThrow(says);
    expect(caught).toThrow(/^dir\/x\.npy [^\n]+\.$/);
  });
});

describe('complex entries', () => {
  const [first] = complexNpyParts(Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), [2, 3]);

  it.each([
    ['complex64', Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)],
    ['complex128', Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0.1)],
  ])('of %s come back as two columns each, by rows and by columns', (_, entries) => {
    const bytes = (columnMajor: boolean) => Buffer.concat(complexNpyParts(entries, [2, 3], columnMajor));
    expect(parseNpy(bytes(false), 'x.npy', { complex: true })).toEqual(matrix(2, 6, entries));
    const { data } = parseNpy(bytes(true), 'x.npy', { complex: true });
    expect([...data].slice(0, 6)).toEqual([1, 2, 5, 6, 9, 10]);
  });

  it('are refused where real ones are needed, and real ones where they are', () => {
    const complex = Buffer.concat([first, new Uint8Array(48)]);
    expect(() => parseNpy(complex, 'x.npy')).toThrow(
      /x.npy holds <c8, but float16, float32 or float64 is needed/,
    );
    const real = dumpNpy(matrix(1, 1, Float32Array.of(1)));
    expect(() => parseNpy(real, 'x.npy', { complex: true })).toThrow(
      /x.npy holds <f4, but complex64 or complex128 is needed/,
    );
  });
});

describe('integers', () => {
  /** Returns a file of 2×2 entries of a type, by rows. */
  const fileOf = (descr: string, entries: ArrayBufferView) => {
    const header = `{'descr': '${descr}', 'fortran_order': False, 'shape': (2, 2), }`
      .padEnd(117)
      .concat('\n');
    const size = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, 118, 0]);
    return Buffer.concat([size, Buffer.from(header), Buffer.from(entries.buffer)]);
  };

  it.each([
    ['|i1', Int8Array.of(1, -128, 127, 0), [1, -128, 127, 0]],
    ['|u1', Uint8Array.of(1, 255, 127, 0), [1, 255, 127, 0]],
    ['<i2', Int16Array.of(1, -32768, 127, 0), [1, -32768, 127, 0]],
    ['<u2', Uint16Array.of(1, 65535, 127, 0), [1, 65535, 127, 0]],
    ['<i4', Int32Array.of(1, -2147483648, 2147483647, 0), [1, -2147483648, 2147483647, 0]],
    ['>i4', Uint8Array.of(0, 0, 0, 1, 255, 255, 255, 254, 0, 0, 1, 0, 0, 0, 0, 0), [1, -2, 256, 0]],
    ['<u4', Uint32Array.of(1, 4294967295, 127, 0), [1, 4294967295, 127, 0]],
    ['<i8', BigInt64Array.of(1n, -(2n ** 53n), 127n, 0n), [1, -(2 ** 53), 127, 0]],
    ['<u8', BigUint64Array.of(1n, 2n ** 53n, 127n, 0n), [1, 2 ** 53, 127, 0]],
  ])('of type %s are read as doubles where they are accepted', (descr, entries, numbers) => {
    const file = fileOf(descr, entries);
    expect(parseNpy(file, 'x.npy', { whole: true })).toEqual(matrix(2, 2, Float64Array.from(numbers)));
    expect(() => parseNpy(file, 'x.npy')).toThrow(`x.npy holds ${descr}, but float16, float32 or float64`);
  });

  it('have no other byte order than one of these', () => {
    expect(() => parseNpy(fileOf('|i4', new Int32Array(4)), 'x.npy', { whole: true })).toThrow(/holds \|i4/);
  });
});

it.each([8, 16, 24, 2 ** 20])('a file in pieces of %i bytes is the same file', (atOnce) => {
  const x = matrix(3, 2, six64);
  const pieces = [...npyPieces(x, atOnce)];
  expect(pieces.slice(1).every(({ length }) => length <= atOnce)).toBe(true);
  expect(Buffer.concat(pieces)).toEqual(Buffer.from(dumpNpy(x)));
});

it('a matrix of more entries than an array holds is refused', () => {
  expect(() => parseNpy(file(dictionary("'<f2'", '(65536, 65537)')), 'x.npy')).toThrow(
    expect.objectContaining({
      code: 'npy-wrong-shape',
      message: expect.stringContaining('at most 4294967296 entries'),
    }),
  );
});
