/** How numbers are rounded where they are brought to few bits. */
export const codeRoundings = ['nearest', 'nearest-away', 'toward-zero', 'up', 'down', 'stochastic'] as const;
export type CodeRounding = (typeof codeRoundings)[number];

/** How a number is encoded. */
export interface Encoding {
  /** Ties go to even where it is `nearest`. @defaultValue 'nearest' */
  readonly rounding?: CodeRounding | undefined;
  /** What is beyond the largest number becomes: it, or infinity, NaN where there is none. @defaultValue 'special' */
  readonly overflow?: 'saturate' | 'special' | undefined;
  /** Uniform on [0, 1): what `stochastic` rounding draws, and needs. */
  readonly random?: (() => number) | undefined;
}

/** How bit patterns stand for the numbers of a format. */
export interface Code {
  readonly bits: number;
  /** The number of a bit pattern, exactly. */
  decode(pattern: number): number;
  /** The bit pattern of a number, rounded where the format does not hold it. */
  encode(x: number, how?: Encoding): number;
}
