import type { AnsweredCase, ProbeFinding } from './question.ts';

/** The numbers of a binary format as a grid for rounding. */
export interface FormatGrid {
  readonly name: string;
  /** Significand bits. */
  readonly precision: number;
  /** The exponent of the smallest normal number. */
  readonly minExponent: number;
}

export const grid32: FormatGrid = { name: 'f32', precision: 24, minExponent: -126 };
export const grid16: FormatGrid = { name: 'f16', precision: 11, minExponent: -14 };

const double = new Float64Array(1);
const words = new BigUint64Array(double.buffer);

/** Returns the distance between neighboring numbers of the grid around x: one ulp (Goldberg 1991, with subnormals). */
function spacing(x: number, { precision, minExponent }: FormatGrid): number {
  double[0] = x;
  const exponent = Number((words[0] >> 52n) & 0x7ffn) - 1023;
  return 2 ** (Math.max(exponent, minExponent) - precision + 1);
}

/** A way to round to whole numbers of ulps. */
export interface GridRounding {
  readonly name: string;
  readonly whole: (x: number) => number;
}

/** Rounding to nearest, ties to even: IEEE 754's default. */
const nearestEven: GridRounding = {
  name: 'to nearest, ties to even',
  whole: (x) => {
    const down = Math.floor(x);
    const rest = x - down;
    if (rest === 0.5) return down % 2 === 0 ? down : down + 1;
    return rest < 0.5 ? down : down + 1;
  },
};

/** The rounding directions of IEEE 754-2019, §4.3, its default first. */
export const roundings: readonly GridRounding[] = [
  nearestEven,
  { name: 'to nearest, ties away from zero', whole: (x) => Math.sign(x) * Math.floor(Math.abs(x) + 0.5) },
  { name: 'toward zero', whole: Math.trunc },
  { name: 'upward', whole: Math.ceil },
  { name: 'downward', whole: Math.floor },
];

/** Rounds x to the grid. This is exact up to the rounding: an ulp is a power of two. */
export function roundToGrid(x: number, grid: FormatGrid, rounding: GridRounding = nearestEven): number {
  const ulp = spacing(x, grid);
  return rounding.whole(x / ulp) * ulp;
}

/** The expected result of an operation, and the error that WGSL allows. */
interface RoundingRule {
  readonly grid: FormatGrid;
  /** Returns the result before rounding as a double: exact, or so close that its rounding to the grid is the same. */
  readonly exact: (asked: AnsweredCase) => number;
  /** The error that WGSL allows, in ulps. Its "correctly rounded" means any error below 1. */
  readonly within: number;
  /** Decodes the number of an answer, unless it is the binary32 number of the answer's bits. */
  readonly read?: (bits: number) => number;
}

/** Returns a judge that tells which way an operation rounds, or how large its error is. */
export function judgeRounding({ grid, exact, within, read }: RoundingRule) {
  return (answers: readonly AnsweredCase[]): ProbeFinding => {
    const all = answers.map((asked) => ({
      wanted: exact(asked),
      found: read === undefined ? asked.value : read(asked.bits),
    }));
    const count = all.length;
    const rounding = roundings.find((way) => all.every((a) => a.found === roundToGrid(a.wanted, grid, way)));
    const off = Math.max(...all.map(({ wanted, found }) => ulpsOff(found, wanted, grid)));
    const promised = off < within || (off === within && within > 1);
    if (rounding !== undefined) {
      const standing = rounding === nearestEven ? 'ieee' : promised ? 'allowed' : 'broken';
      return { answer: `${rounding.name}: all ${count} cases`, standing, fact: rounding.name };
    }
    const standing = promised ? 'allowed' : 'broken';
    const right = all.filter((a) => a.found === roundToGrid(a.wanted, grid)).length;
    const wider = all.filter(({ found }) => roundToGrid(found, grid) !== found).length;
    if (wider > 0 && off < 1) {
      const answer = `kept wider than ${grid.name}: in ${wider} of ${count} cases its bits do not fit ${grid.name}`;
      return { answer, standing, fact: 'wider' };
    }
    const worst = Number.isFinite(off) ? `at most ${off.toFixed(2)} ulp off` : 'some not a finite number';
    return { answer: `to nearest in ${right} of ${count} cases, ${worst}`, standing };
  };
}

function ulpsOff(found: number, wanted: number, grid: FormatGrid): number {
  const off = Math.abs(found - wanted) / spacing(wanted, grid);
  return Number.isNaN(off) ? Number.POSITIVE_INFINITY : off;
}
