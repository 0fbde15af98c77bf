import { type FormatGrid, nearestEven, roundings, roundToGrid, spacing } from './grid.ts';
import type { AnsweredCase, ProbeFinding } from './question.ts';

/** The expected result of an operation, and the error that WGSL allows. */
export interface RoundingRule {
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
