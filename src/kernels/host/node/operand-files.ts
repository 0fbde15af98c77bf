import { ParanoiaError } from '../../../base/errors.ts';
import type { Matrix } from '../../../matrix/dense.ts';
import { type EpilogueCall, mapTensors } from '../../../matrix/epilogue-call.ts';
import {
  denseLayout,
  extentsOf,
  isDense,
  readsAddend,
  stepsOf,
  storedLinesOf,
} from '../../../matrix/gemm.ts';
import { readsFactors } from '../../../matrix/members.ts';
import { complexNpyParts, npyParts, parseNpy } from '../../../matrix/npy.ts';
import { allocateEntries } from '../../../matrix/operands.ts';
import { mirrorResult } from '../../../matrix/structured-operands.ts';
import type { Operand } from '../../../precision/coding/coding.ts';
import {
  arrangeScales,
  type CodedFactors,
  type KernelOperands,
  kernelOperandsOf,
} from '../../../precision/coding/kernel-operands.ts';
import type { ScaleLayoutName } from '../../../precision/coding/scale-layouts.ts';
import { layOutOperands, numbersOf, readResult } from '../../../precision/complex-operands.ts';
import type { OperandMemory } from '../../../precision/operand-memory.ts';
import type { Precision } from '../../../precision/precision.ts';
import type { ProductRequest } from '../../answer.ts';
import { gemmOfInput, type ProductInput } from '../../kernel.ts';
import { kernelAnswer } from '../../messages.ts';

/** A .npy file in two read-only parts: its header, and its entries. */
export type NpyFile = ReturnType<typeof npyParts>;

/** Factors of the blocks of an operand, and its zero points: a file, or its number of bytes, for each list. */
export interface FactorFiles<F> {
  readonly scales: readonly F[];
  readonly zeros?: F | undefined;
}

/** A and B as .npy files, and C where it is read; for coded operands also their factors. */
export interface OperandFiles {
  readonly a: NpyFile;
  readonly b: NpyFile;
  readonly c?: NpyFile | undefined;
  readonly factors?: { readonly [of in Operand]?: FactorFiles<NpyFile> | undefined };
  /** The steps of the epilogue, with files in place of tensors. */
  readonly epilogue?: readonly EpilogueCall[] | undefined;
}

/** Returns all files of a product, in the order of transfer. */
export function filesOf({ a, b, c, factors = {}, epilogue = [] }: OperandFiles): NpyFile[] {
  const beside = [factors.a, factors.b].flatMap((one) => (one === undefined ? [] : eachOf(one)));
  return [a, b, ...(c === undefined ? [] : [c]), ...beside, ...epilogue.flatMap(filesIn)];
}

const isFile = (value: unknown): value is NpyFile => Array.isArray(value);

const filesIn = (step: EpilogueCall): NpyFile[] => Object.values(step).filter(isFile);

export const mapStepFiles = (step: EpilogueCall, change: (file: NpyFile) => unknown): EpilogueCall => ({
  ...step,
  ...Object.fromEntries(
    Object.entries(step).flatMap(([key, value]) => (isFile(value) ? [[key, change(value)]] : [])),
  ),
});

const filesOfSteps = ({ operands: { epilogue } }: ProductInput) => ({
  epilogue: epilogue?.map((step) => mapTensors(step, npyOf)),
});

/** Returns the lists of factors of an operand, in their order. */
const eachOf = <F>({ scales, zeros }: FactorFiles<F>): readonly F[] =>
  zeros === undefined ? scales : [...scales, zeros];

export const mapFactorFiles = <F, G>(
  factors: { readonly [of in Operand]?: FactorFiles<F> | undefined },
  change: (one: F) => G,
): { readonly [of in Operand]?: FactorFiles<G> } => {
  const mapped = (one: FactorFiles<F> | undefined) =>
    one && {
      scales: one.scales.map(change),
      ...(one.zeros === undefined ? {} : { zeros: change(one.zeros) }),
    };
  const [a, b] = [mapped(factors.a), mapped(factors.b)];
  return { ...(a && { a }), ...(b && { b }) };
};

/** Returns matrices as files without a layout, those of a batch one below the other, for hosts that lay them out themselves. */
export function stackedFiles(factors: ProductInput, precision: Precision): OperandFiles {
  const { a, b, c, factors: beside } = kernelOperandsOf(factors.operands, gemmOfInput(factors), precision);
  return {
    a: npyParts(a),
    b: npyParts(b),
    c: c && npyParts(c),
    factors: mapFactorFiles(beside, npyOf),
    ...filesOfSteps(factors),
  };
}

/** Arranges factors in a layout: as a list where that is no matrix of blocks. */
function arrangedBeside(
  factors: KernelOperands['factors'],
  layout: ScaleLayoutName,
): KernelOperands['factors'] {
  const arranged = (one: CodedFactors | undefined) =>
    one && {
      ...one,
      scales: arrangeScales(one, layout).map((data, level) =>
        layout === 'plain' ? { ...one.scales[level], data } : { rows: 1, cols: data.length, data },
      ),
    };
  return { a: arranged(factors.a), b: arranged(factors.b) };
}

const npyOf = (matrix: Matrix): NpyFile => npyParts(matrix);

/**
 * Returns operands as files for programs: binary16 for the precision f16, binary64 for f64 and f32x2, binary32 for the others. One dense
 * matrix is a matrix in C order, or in Fortran's where it is column-major, so that a program needs no more information. A matrix in any
 * other layout is a list of all entries of its memory, laid out as `problem` says. Complex entries are complex64 or complex128; a matrix
 * to be conjugated, or a structured product's, is always a list. For coded operands the files hold elements; the factors of blocks are in files of their own, as
 * matrices of blocks of lines × blocks along k.
 */
export function dumpOperands(
  factors: ProductInput,
  precision: Precision,
  scales: ScaleLayoutName = 'plain',
): OperandFiles {
  const gemm = gemmOfInput(factors);
  const operands = kernelOperandsOf(factors.operands, gemm, precision);
  const extents = extentsOf(gemm);
  const isStructured = gemm.structure !== undefined;
  let laid: OperandMemory | undefined;
  const dump = (name: 'a' | 'b' | 'c', x: Matrix) => {
    const format = (name === 'c' ? undefined : precision.coded?.[name]?.element) ?? precision[name];
    const wide = allocateEntries(format, 0).BYTES_PER_ELEMENT === 8;
    const type = format.native === 'f16' ? 'f2' : wide ? 'f8' : 'f4';
    const isRead = name === 'c' || readsFactors(gemm);
    const columnMajor = stepsOf(gemm[name]).row === 1 && !isDense(gemm[name], extents[name], 1);
    const lines = storedLinesOf(gemm[name], extents[name]);
    const { ld, inc = 1, offset } = gemm[name];
    const gapless = ld === Math.max(1, lines.entries) && inc === 1 && offset === 0;
    const isMatrix = gemm.batch === 1 && gapless && isRead && gemm[name].op !== 'c' && !isStructured;
    if (isMatrix && gemm.entries === undefined) return npyParts(x, { columnMajor, type });
    laid ??= layOutOperands(factors.operands, gemm, precision);
    const data = laid[name];
    if (gemm.entries !== undefined) {
      const { rows, cols } = extents[name];
      return complexNpyParts(data, isMatrix ? [rows, cols] : [data.length / 2], isMatrix && columnMajor);
    }
    return npyParts({ rows: 1, cols: data.length, data }, { type, flat: true });
  };
  const { a, b, c } = operands;
  const withC = !readsAddend(gemm) || c === undefined ? {} : { c: dump('c', c) };
  return {
    a: dump('a', a),
    b: dump('b', b),
    ...withC,
    factors: mapFactorFiles(arrangedBeside(operands.factors, scales), npyOf),
    ...filesOfSteps(factors),
  };
}

/**
 * Parses the product in a .npy file of float16, float32, float64 or integers, in either order; for a batch in three dimensions, or one matrix below
 * the other. A complex product is complex64 or complex128, and is returned as the real product that stands for it.
 * @param file its name in messages: `its D.npy`.
 * @throws ParanoiaError `kernel-answer` for anything but an m×n matrix, or a batch of such.
 */
export function parseProduct(bytes: Uint8Array, asked: ProductRequest, file: string): Matrix {
  const { m, batch } = asked.shape;
  const { cols: n } = extentsOf(asked.shape).d;
  const numbers = numbersOf(asked.shape);
  const d = parse(bytes, asked, file, numbers === 2);
  const cols = d.cols / numbers;
  if (d.rows === batch * m && cols === n) {
    if (numbers === 2) return asReal(d, asked);
    mirrorResult(asked.shape, d.data, 0);
    return d;
  }
  const need = batch === 1 ? `${m}×${n}` : `${batch}×${m}×${n}, the products of the batch in order`;
  throw kernelAnswer({ ...asked, why: `${file} is ${d.rows}×${cols}, expected ${need}` });
}

/**
 * Parses the product of the package's own host; a complex one is the real product that stands for it.
 * @throws ParanoiaError `kernel-answer`
 */
export function parseOwnProduct(bytes: Uint8Array, asked: ProductRequest, file: string): Matrix {
  const { m, entries: _, structure: __, ...rest } = asked.shape;
  const shape = { ...rest, m: m * numbersOf(asked.shape) };
  return parseProduct(bytes, { ...asked, shape }, file);
}

/** Converts a matrix of entries of two columns each to one whose imaginary parts lie below the real ones, product by product. */
function asReal({ rows, data }: Matrix, { shape }: ProductRequest): Matrix {
  const dense = {
    ...shape,
    d: denseLayout({ rows: shape.m, cols: shape.n }),
    entries: 'interleaved',
  } as const;
  const { entries } = readResult(data, dense, false);
  return { rows: 2 * rows, cols: shape.n, data: entries };
}

function parse(bytes: Uint8Array, asked: ProductRequest, file: string, complex: boolean): Matrix {
  try {
    return parseNpy(bytes, file, { stacks: true, complex, whole: !complex });
  } catch (error) {
    if (!(error instanceof ParanoiaError)) throw error;
    // The advice in those messages is for files that a person has saved.
    throw kernelAnswer({ ...asked, why: error.message.split('. ')[0] }, error);
  }
}
