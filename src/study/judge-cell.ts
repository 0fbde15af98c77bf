/** How a measured number stands to a printed one. */
export interface Judgement {
  readonly close: boolean;
  /** How far off, in words, where it is not close. */
  readonly says: string;
  /** The largest ratio, or one over it, that is close. */
  readonly allowed: number;
}

/** Up to so many levels errors come out as printed; deeper, other roundings at the start grow into other errors. */
const SHALLOW = 2;
const NEAR = { least: 0.85, most: 1.15, words: 'within 15 %' };
const FAR = { least: 1 / 2, most: 2, words: 'within a factor of 2' };

/**
 * Judges a number by a printed one: 15 % either way up to two levels of recursion, a factor of 2 beyond, from the ends
 * of the interval that rounds to the printed two digits.
 */
export function judgeCell(measured: number, printed: number, levels: number): Judgement {
  const { least, most, words } = levels <= SHALLOW ? NEAR : FAR;
  const [low, high] = roundedTo(printed);
  return {
    close: measured >= least * low && measured <= most * high,
    says: `It is ${(measured / printed).toPrecision(3)} times what is printed, and ${words} was to be expected of ${levels} ${levels === 1 ? 'level' : 'levels'} of recursion.`,
    allowed: most,
  };
}

/** The numbers that round to a printed one of two digits: 7.9e-5 stands for 7.85e-5 to 7.95e-5. */
export function roundedTo(printed: number): [number, number] {
  const half = 0.5 * 10 ** (Math.floor(Math.log10(printed)) - 1);
  return [printed - half, printed + half];
}
