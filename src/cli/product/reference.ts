import { stat } from 'node:fs/promises';
import { EXIT } from '../../base/errors.ts';
import { fileReason } from '../../base/node/read-file.ts';
import { systemCode } from '../../base/system-errors.ts';
import type { Certificate } from '../../exact/exact-product.ts';
import { scaledEntries } from '../../exact/scaled.ts';
import type { Shape } from '../../matrix/dense.ts';
import { type Matrix, productShape } from '../../matrix/dense.ts';
import { npyUnreadable, npyUnwritable, shapesDiffer } from '../../matrix/messages.ts';
import { readNpy, requireWritable, writeNpy } from '../../matrix/node/npy-file.ts';
import { missingOption, vainOption } from '../../options/messages.ts';
import { requireExactRoom } from '../../run/node/host-room.ts';
import { wouldOverwrite } from '../messages.ts';
import type { ReferenceRequest } from './options.ts';
import {
  type ComputationRecord,
  computeExactly,
  describeComputed,
  makeNamedOperands,
} from './reference-on.ts';

/** The stream that a command prints to. */
export interface OutputStream {
  write(text: string): unknown;
}

/** The output of `reference --json`. */
export interface ReferenceReport {
  readonly a: MatrixFile;
  readonly b: MatrixFile;
  /** Present for alpha·A·B + beta·C; with beta = 0 there is no C. */
  readonly scaled?: { readonly alpha: number; readonly beta: number; readonly c?: MatrixFile };
  /** Undefined if the product is not written. */
  readonly out?: MatrixFile;
  readonly certificate: Certificate;
  readonly computed: ComputationRecord;
}

interface MatrixFile {
  readonly file: string;
  readonly rows: number;
  readonly cols: number;
  readonly format: 'f32' | 'f64';
}

/**
 * Writes the exact product of two matrices, or alpha·A·B + beta·C, with every entry correctly rounded to f64, and prints the certificate.
 * @returns the exit code
 * @throws ParanoiaError `missing-option`, `shapes-differ`, and those of reading and writing .npy files
 */
export async function runReference(request: ReferenceRequest, output: OutputStream): Promise<number> {
  const { a, b, files: own } = await operandsOf(request);
  const shape = productShape(a.matrix, b.matrix);
  requireExactRoom(shape);
  const scaled = await scaledBy(request, shape);
  const files = scaled?.c === undefined || own === undefined ? own : { ...own, '--c': scaled.c.name };
  // Generated operands are reproducible, so their product need not be written.
  const fileOut =
    files === undefined && request.out === undefined ? undefined : path(request.out, '--out', OUT);
  if (fileOut !== undefined) {
    await refuseOverwriting(fileOut, files ?? {});
    await requireWritable(fileOut);
  }
  const { product: plain, low, certificate, computed } = await computeExactly(request, a.matrix, b.matrix);
  const product =
    scaled === undefined ? plain : timesAndPlus(plain, low, certificate, a.matrix, b.matrix, scaled);
  if (fileOut !== undefined) await writeNpy(fileOut, product);
  const report: ReferenceReport = {
    a: matrixFile(a.name, a.matrix),
    b: matrixFile(b.name, b.matrix),
    ...(scaled === undefined ? {} : { scaled: scaledReport(scaled) }),
    ...(fileOut === undefined ? {} : { out: matrixFile(fileOut, product) }),
    certificate,
    computed,
  };
  output.write(request.json === true ? `${JSON.stringify(report, null, 2)}\n` : describeReference(report));
  return EXIT.pass;
}

/** The values of `--alpha`, `--beta` and `--c`, if given. */
interface Scaled {
  readonly alpha: number;
  readonly beta: number;
  readonly c?: NamedMatrix;
}

const scaledReport = ({ alpha, beta, c }: Scaled): NonNullable<ReferenceReport['scaled']> => ({
  ...{ alpha, beta },
  ...(c === undefined ? {} : { c: matrixFile(c.name, c.matrix) }),
});

/**
 * Reads alpha, beta and C. @throws ParanoiaError `missing-option` for a beta without C, `vain-option` for a C without beta, `shapes-differ`
 */
async function scaledBy(
  { alpha = 1, beta = 0, c: name }: ReferenceRequest,
  { m, n }: Shape,
): Promise<Scaled | undefined> {
  if (name === undefined && beta !== 0)
    throw missingOption({ option: '--c', need: 'the .npy file of the matrix C that --beta multiplies' });
  if (name !== undefined && beta === 0) throw vainOption({ option: '--c', without: 'a --beta other than 0' });
  if (alpha === 1 && beta === 0) return undefined;
  if (name === undefined) return { alpha, beta };
  const matrix = await readNpy(name);
  if (matrix.rows === m && matrix.cols === n) return { alpha, beta, c: { name, matrix } };
  const of = `C is ${matrix.rows}×${matrix.cols}`;
  throw shapesDiffer({ a: `A·B is ${m}×${n}`, b: of, why: 'they are added entry by entry' });
}

function timesAndPlus(
  product: Matrix<Float64Array>,
  low: Float64Array,
  certificate: Certificate,
  a: Matrix,
  b: Matrix,
  { alpha, beta, c }: Scaled,
): Matrix<Float64Array> {
  const place = (e: number) => [Math.floor(e / product.cols), e % product.cols] as const;
  const scaled = { a, b, c: c?.matrix, alpha, beta };
  const { value } = scaledEntries({ value: product.data, low }, certificate, scaled, place);
  return { ...product, data: value };
}

interface NamedMatrix {
  readonly name: string;
  readonly matrix: Matrix;
}

/** The operands, and their files by option. */
async function operandsOf({
  a: left,
  b: right,
  ...request
}: ReferenceRequest): Promise<{ a: NamedMatrix; b: NamedMatrix; files?: Readonly<Record<string, string>> }> {
  const made = makeNamedOperands(request);
  if (made !== undefined) {
    return { a: { name: made.name, matrix: made.a }, b: { name: made.name, matrix: made.b } };
  }
  const fileA = path(left, '--a', 'the .npy file of the left matrix');
  const fileB = path(right, '--b', 'the .npy file of the right matrix');
  path(request.out, '--out', OUT);
  return {
    a: { name: fileA, matrix: await readNpy(fileA) },
    b: { name: fileB, matrix: await readNpy(fileB) },
    files: { '--a': fileA, '--b': fileB },
  };
}

/**
 * Refuses to overwrite an operand, however its path is spelled. @throws ParanoiaError `would-overwrite`, `npy-unwritable`, `npy-unreadable`
 */
async function refuseOverwriting(out: string, operands: Readonly<Record<string, string>>): Promise<void> {
  const there = await stat(out, { bigint: true }).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw npyUnwritable({ file: out, why: fileReason(error) }, error);
  });
  if (there === undefined) return;
  for (const [option, file] of Object.entries(operands)) {
    const { dev, ino } = await stat(file, { bigint: true }).catch((error: unknown) => {
      throw npyUnreadable({ file, why: fileReason(error) }, error);
    });
    if (dev === there.dev && ino === there.ino) throw wouldOverwrite({ path: out, option });
  }
}

/** Formats the report for a person. */
export function describeReference({ a, b, out, scaled, certificate: c, computed }: ReferenceReport): string {
  const counts: (readonly [string, number])[] = [
    ['entries', c.entries],
    ['decided by exact sums', c.byExactSum],
    ['decided by double-double sums', c.byDoubleDouble],
    ['decided by exact expansions', c.byExpansion],
    ['decided by exact integers', c.byBigInt],
    ['NaN or infinite operands', c.nonFinite],
    ['beyond the largest f64', c.overflowed],
  ];
  const wide = Math.max(...counts.map(([label]) => label.length));
  const digits = Math.max(...counts.map(([, count]) => String(count).length));
  const bound =
    c.worstAbsolute === 0
      ? 'none: every sum was exact'
      : `at most ${c.worstAbsolute.toExponential(2)}, relative ${c.worstRelative.toExponential(2)}`;
  return [
    ...Object.entries({ A: a, B: b, [scaled ? 'C' : '']: scaled?.c, [scaled ? 'D' : 'C ']: out }).flatMap(
      ([name, x]) => (x === undefined ? [] : [`${name.trim()}  ${x.rows}×${x.cols} ${x.format}  ${x.file}`]),
    ),
    '',
    scaled === undefined
      ? 'Every entry of C is the exact inner product, rounded once to f64, to nearest, ties to even.'
      : `Every entry of D is the exact ${scaled.alpha}·A·B${scaled.beta === 0 ? '' : ` + ${scaled.beta}·C`}, rounded once to f64, to nearest, ties to even. For A·B:`,
    ...counts.map(([label, count]) => `  ${label.padEnd(wide)}  ${String(count).padStart(digits)}`),
    `  ${'error before rounding'.padEnd(wide)}  ${bound}`,
    // For files the product matters, and methods that this runtime lacks; for generated operands the time.
    ...(out !== undefined && computed.on === 'cpu' && computed.cpu?.why === undefined
      ? []
      : ['', ...describeComputed(computed, { m: a.rows, k: a.cols, n: b.cols })]),
    '',
  ].join('\n');
}

const OUT = 'the .npy file to write';

/** A required path. @throws ParanoiaError `missing-option` */
function path(given: string | undefined, option: string, need: string): string {
  if (given === undefined) throw missingOption({ option, need });
  return given;
}

function matrixFile(file: string, { rows, cols, data }: Matrix): MatrixFile {
  return { file, rows, cols, format: data instanceof Float32Array ? 'f32' : 'f64' };
}
