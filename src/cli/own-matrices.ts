import { parseText } from '../config/flags.ts';
import type { Format } from '../formats/format.ts';
import type { Precision } from '../formats/precision.ts';
import { fill } from '../inputs/fill.ts';
import type { Matrix } from '../matrix/dense.ts';
import { readNpy } from '../matrix/node/npy-file.ts';
import { problem } from '../problems.ts';

/** What rounding the entries of a matrix to the format that kernels multiply has changed. */
export interface Rounding {
  /** Entries changed. */
  readonly changed: number;
  /** The largest change. */
  readonly largest: number;
}

/** The operands that a user gives as files, rounded. */
export interface OwnMatrices {
  readonly a: Matrix;
  readonly b: Matrix;
  readonly rounding: { readonly a: Rounding; readonly b: Rounding };
}

const INSTEAD_OF = ['input', 'size', 'shape', 'init'];

/**
 * The matrices of `--a` and `--b`, each entry rounded once to the format that the kernels multiply; the exact product is
 * that of the rounded ones. Undefined where neither is given.
 * @throws Problem `conflicting-options`, `missing-option`, `entry-overflows`, and those of reading .npy files.
 */
export async function ownMatrices(
  flags: Readonly<Record<string, unknown>>,
  { stored }: Precision,
): Promise<OwnMatrices | undefined> {
  if (flags.a === undefined && flags.b === undefined) return undefined;
  for (const other of INSTEAD_OF) {
    if (flags[other] !== undefined)
      throw problem('conflicting-options', { one: '--a and --b', other: `--${other}` });
  }
  const read = async (name: 'a' | 'b') => {
    if (flags[name] === undefined) {
      throw problem('missing-option', { option: `--${name}`, need: 'a .npy file: --a and --b go together' });
    }
    const file = parseText(`--${name}`, flags[name]);
    return rounded(await readNpy(file), stored, file);
  };
  const [a, b] = [await read('a'), await read('b')];
  return { a: a.matrix, b: b.matrix, rounding: { a: a.rounding, b: b.rounding } };
}

function rounded(x: Matrix, format: Format, file: string): { matrix: Matrix; rounding: Rounding } {
  const matrix = fill(x.rows, x.cols, (i, j) => x.data[i * x.cols + j], format);
  let [changed, largest] = [0, 0];
  for (let e = 0; e < x.data.length; e++) {
    const [before, after] = [x.data[e], matrix.data[e]];
    if (Object.is(before, after)) continue;
    if (!Number.isFinite(after)) {
      const entry = `(${Math.floor(e / x.cols)}, ${e % x.cols})`;
      throw problem('entry-overflows', {
        file,
        entry,
        value: before,
        format: format.name,
        most: format.maxFinite,
      });
    }
    changed++;
    largest = Math.max(largest, Math.abs(after - before));
  }
  return { matrix, rounding: { changed, largest } };
}
