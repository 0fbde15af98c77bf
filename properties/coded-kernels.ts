import { sumsIn } from '../lab/honest/sums.ts';
import { gemmOfInput, type Kernel, type ProductInput, sessionOf } from '../src/kernels/kernel.ts';
import { modelKernel } from '../src/kernels/model-kernel.ts';
import { type Matrix, matrix, type Shape } from '../src/matrix/dense.ts';
import { allocateEntries } from '../src/matrix/operands.ts';
import type { Operand } from '../src/precision/coding/coding.ts';
import { kernelOperandsOf } from '../src/precision/coding/kernel-operands.ts';
import { f32 } from '../src/precision/format.ts';
import { applyClaims, type Precision } from '../src/precision/precision.ts';
import { precisions } from '../src/precision/precisions.ts';

const single = Math.fround;
const { sequential } = sumsIn(f32);

/** The rounding steps of a kernel of coded operands. */
export interface CodedMaking {
  readonly precision: string | Precision;
  /** The numbers that factors multiply. @defaultValue 'elements' */
  readonly to?: 'elements' | 'products' | 'sums' | undefined;
  /** Reads an element, minus its zero point. */
  readonly element?: ((x: number) => number) | undefined;
  /** Reads a factor. */
  readonly factor?: ((x: number) => number) | undefined;
  /** Rounds an element after its factor is applied. */
  readonly scaled?: ((x: number) => number) | undefined;
  /** Rounds a product of elements. */
  readonly product?: ((x: number) => number) | undefined;
  /** Multiplies a product or a sum by both factors. */
  readonly chain?: ((t: number, fa: number, fb: number) => number) | undefined;
  /** Adds the terms of a run. */
  readonly sum?: ((terms: Float64Array) => number) | undefined;
  /** Terms of a run, where each line has one factor. @defaultValue all */
  readonly run?: number | undefined;
  /** Number of lanes, which take the place of runs: each lane has every so many-th term. */
  readonly lanes?: number | undefined;
  /** Adds the sums of runs. */
  readonly sums?: ((terms: Float64Array) => number) | undefined;
  /** Computes the whole product of scaled entries. */
  readonly multiply?: ((a: Matrix, b: Matrix) => Matrix) | undefined;
}

const small = ({ m, k, n }: Shape) =>
  m * n > 64 ** 2 || m * k * n > 2 ** 20 ? 'it takes small products only' : undefined;

/** Makes a kernel on the CPU that reads elements and factors, and whose every rounding is known. */
export function coded(name: string, making: CodedMaking): Kernel {
  const { precision } = making;
  const computation = applyClaims(typeof precision === 'string' ? precisions.find(precision) : precision);
  return {
    ...modelKernel('classical', computation),
    ...{ name, claims: {}, leaf: '', takes: undefined, refuses: small },
    session: sessionOf((factors: ProductInput) => multiplied(factors, computation.precision, making)),
  };
}

/** An operand line by line: its elements, and the factor of each. */
interface Lines {
  readonly elements: Float64Array;
  readonly factors: Float64Array;
}

function linesOf(factors: ProductInput, of: Operand, precision: Precision, making: CodedMaking): Lines {
  const { element: read = (x) => x, factor: readFactor = (x) => x } = making;
  const all = kernelOperandsOf(factors.operands, gemmOfInput(factors), precision);
  const { data, rows, cols } = all[of];
  const [lines, k] = of === 'a' ? [rows, cols] : [cols, rows];
  const own = all.factors[of];
  const levels = precision.coded?.[of]?.scales ?? [];
  const factorAt = (matrix: Matrix, level: number, line: number, place: number) => {
    const { lines: high, entries } = levels[level];
    return matrix.data[Math.floor(line / high) * matrix.cols + Math.floor(place / entries)];
  };
  const [elements, each] = [new Float64Array(lines * k), new Float64Array(lines * k).fill(1)];
  for (let line = 0; line < lines; line++) {
    for (let place = 0; place < k; place++) {
      const at = line * k + place;
      const zero = own?.zeros === undefined ? 0 : factorAt(own.zeros, 0, line, place);
      elements[at] = read(data[of === 'a' ? at : place * cols + line] - zero);
      for (const [level, scale] of own?.scales.entries() ?? [])
        each[at] *= readFactor(factorAt(scale, level, line, place));
    }
  }
  return { elements, factors: each };
}

function multiplied(factors: ProductInput, precision: Precision, making: CodedMaking): Matrix {
  const { m, k, n } = gemmOfInput(factors);
  const [a, b] = (['a', 'b'] as const).map((of) => linesOf(factors, of, precision, making));
  const { scaled = single, product = (x) => x } = making;
  const { chain = (t, fa, fb) => single(t * single(fa * fb)), sum = sequential, sums = sequential } = making;
  const { to = 'elements', run = runOf(precision, k), lanes, multiply } = making;
  const [x, y] = [a, b].map(({ elements, factors: f }) =>
    to === 'elements' ? elements.map((e, at) => scaled(e * f[at])) : elements,
  );
  if (multiply !== undefined) return multiply(matrix(m, k, Float32Array.from(x)), turned(y, k, n));
  const out = allocateEntries(precision.d, m * n);
  const runs = lanes === undefined ? Math.max(1, Math.ceil(k / run)) : Math.min(lanes, k);
  const step = lanes ?? 1;
  const partial = new Float64Array(runs);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      for (let r = 0; r < runs; r++) {
        const [from, end] = lanes === undefined ? [r * run, Math.min(k, (r + 1) * run)] : [r, k];
        const [fa, fb] = [a.factors[i * k + from], b.factors[j * k + from]];
        const terms = new Float64Array(Math.ceil((end - from) / step));
        for (let p = from; p < end; p += step) {
          const term = product(x[i * k + p] * y[j * k + p]);
          terms[(p - from) / step] = to === 'products' ? chain(term, fa, fb) : term;
        }
        partial[r] = to === 'sums' ? chain(sum(terms), fa, fb) : sum(terms);
      }
      out[i * n + j] = precision.d.round(runs === 1 ? partial[0] : sums(partial));
    }
  }
  return matrix(m, n, out);
}

/** Makes a matrix with lines as the columns of B. */
const turned = (lines: Float64Array, k: number, n: number): Matrix =>
  matrix(
    k,
    n,
    Float32Array.from({ length: k * n }, (_, e) => lines[(e % n) * k + Math.floor(e / n)]),
  );

/** Returns the number of entries along k that share factors. */
function runOf({ coded: { a, b } = {} }: Precision, k: number): number {
  const lengths = [a, b].flatMap((coding) => coding?.scales.map(({ entries }) => entries) ?? []);
  return Math.max(1, Math.min(k, ...lengths));
}
