/** The rounding modes of conversions to formats of few bits. */
export const codeRoundings = ['nearest', 'nearest-away', 'toward-zero', 'up', 'down', 'stochastic'] as const;
export type CodeRounding = (typeof codeRoundings)[number];

/** The options of an encoding. */
export interface Encoding {
  /** The rounding mode; with `nearest`, ties go to even. @defaultValue 'nearest' */
  readonly rounding?: CodeRounding | undefined;
  /** The result of overflow: the largest number (`saturate`), or infinity, or NaN if there is none (`special`). @defaultValue 'special' */
  readonly overflow?: 'saturate' | 'special' | undefined;
  /** Returns uniform numbers on [0, 1), which `stochastic` rounding needs. */
  readonly random?: (() => number) | undefined;
}

/** The mapping between bit patterns and the numbers of a format. */
export interface Code {
  readonly bits: number;
  /** Returns the exact number of a bit pattern. */
  decode(pattern: number): number;
  /** Returns the bit pattern of a number, rounded if the format does not hold it. */
  encode(x: number, how?: Encoding): number;
}
