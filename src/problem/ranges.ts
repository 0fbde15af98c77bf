/** A range of numbers of an option. */
export interface NumberRange {
  readonly least: number;
  readonly most: number;
  readonly whole: boolean;
  /** The range in words: "a whole number from 1 to 32768". */
  readonly need: string;
}

const whole = (least: number, most: number): NumberRange => ({
  least,
  most,
  whole: true,
  need: `a whole number from ${least} to ${most}`,
});

const real = (least: number, most: number): NumberRange => ({
  least,
  most,
  whole: false,
  need: `a number from ${least} to ${most}`,
});

const DAY = 86_400;

/** The ranges of numeric options. */
export const ranges = {
  /** m, k and n of a product. Memory for its entries limits them further. */
  dimension: whole(0, 2 ** 31 - 1),
  /** Sizes of measurements at many sizes. */
  size: whole(1, 32_768),
  levels: whole(0, 15),
  /** Port of a server. */
  port: whole(0, 65_535),
  seed: whole(0, 2 ** 32 - 1),
  batch: whole(0, 2 ** 31 - 1),
  /** Number of products of unequal shapes that are computed together. */
  group: whole(1, 1024),
  /** Number of repetitions of a product in one case. */
  repeats: whole(1, 1000),
  /** Number of products of a program before the product of a case. */
  program: whole(0, 10_000),
  /** Number of products of a sweep before the product of a case. */
  sweep: whole(0, 10_000),
  /** α and β. */
  factor: real(-Number.MAX_VALUE, Number.MAX_VALUE),
  /** Number of entries of a pad, an offset or a gap. */
  entries: whole(0, 2 ** 31 - 1),
  /** Number of entries from one entry of a line to the next. */
  inc: whole(1, 2 ** 31 - 1),
  replicates: whole(0, 1000),
  runs: whole(1, 1000),
  /** Number of cases of a kernel. */
  cases: whole(1, 1_000_000_000),
  jobs: whole(1, 256),
  timeLimit: real(1, 7 * DAY),
  patterns: whole(0, 2 ** 32 - 1),
  sigmas: real(1, 1000),
  drift: real(1, 1000),
} as const satisfies Record<string, NumberRange>;

/** True if a number is in a range. */
export function isWithin(x: number, { least, most, whole: integer }: NumberRange): boolean {
  return x >= least && x <= most && (!integer || Number.isInteger(x));
}
