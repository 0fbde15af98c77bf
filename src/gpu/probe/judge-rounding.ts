import { type Grid, nearestEven, roundings, roundTo, spacing } from './grid.ts';
import type { Answered, Finding } from './question.ts';

/** What an operation should give, and how far WGSL lets it stray. */
export interface RoundingRule {
  readonly grid: Grid;
  /** The result before rounding, a double: exact, or so close that no rounding to the grid can tell. */
  readonly exact: (asked: Answered) => number;
  /** The error WGSL allows in ulps. Correctly rounded, in its sense, is any error below 1. */
  readonly within: number;
  /** The number an answer stands for, where it is not the binary32 number of its bits. */
  readonly read?: (bits: number) => number;
}

/** Judges which way an operation rounds, or how far it is off. */
export function judgeRounding({ grid, exact, within, read }: RoundingRule) {
  return (answers: readonly Answered[]): Finding => {
    const all = answers.map((asked) => ({
      wanted: exact(asked),
      found: read === undefined ? asked.value : read(asked.bits),
    }));
    const count = all.length;
    const rounding = roundings.find((way) => all.every((a) => a.found === roundTo(a.wanted, grid, way)));
    const off = Math.max(...all.map(({ wanted, found }) => ulpsOff(found, wanted, grid)));
    const promised = off < within || (off === within && within > 1);
    if (rounding !== undefined) {
      const standing = rounding === nearestEven ? 'ieee' : promised ? 'allowed' : 'broken';
      return { answer: `${rounding.name}: all ${count} cases`, standing, fact: rounding.name };
    }
    const standing = promised ? 'allowed' : 'broken';
    const right = all.filter((a) => a.found === roundTo(a.wanted, grid)).length;
    const wider = all.filter(({ found }) => roundTo(found, grid) !== found).length;
    if (wider > 0 && off < 1) {
      const answer = `kept wider than ${grid.name}: in ${wider} of ${count} cases its bits do not fit ${grid.name}`;
      return { answer, standing, fact: 'wider' };
    }
    const worst = Number.isFinite(off) ? `at most ${off.toFixed(2)} ulp off` : 'some not a finite number';
    return { answer: `to nearest in ${right} of ${count} cases, ${worst}`, standing };
  };
}

function ulpsOff(found: number, wanted: number, grid: Grid): number {
  const off = Math.abs(found - wanted) / spacing(wanted, grid);
  return Number.isNaN(off) ? Number.POSITIVE_INFINITY : off;
}
