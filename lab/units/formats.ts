import { bf16, type Format, f16 } from '../../src/precision/format.ts';
import { floatCode } from '../../src/precision/formats/float-code.ts';
import { e4m3, e5m2 } from '../../src/precision/formats/floats.ts';

/** Parameters of drawing operands of a floating-point format, as in the record FORMATS of operands.py. */
export interface DrawnFormat {
  readonly name: FormatName;
  readonly bytes: number;
  readonly exponentBits: number;
  readonly fractionBits: number;
  readonly bias: number;
  /** The lowest exponent of a wide draw, in bits, and the number of exponents. */
  readonly wide: readonly [lowest: number, count: number];
  /** The exponent of a large element, and the largest distance of others below it. */
  readonly large: readonly [exponent: number, gaps: number];
  /** The largest exponent of finite numbers. */
  readonly most: number;
  decode(pattern: number): number;
}

export const formatNames = ['f16', 'bf16', 'tf32', 'e4m3', 'e5m2', 'int8'] as const;
export type FormatName = (typeof formatNames)[number];

const tf32Code = floatCode({ name: 'tf32', exponentBits: 8, fractionBits: 10, bias: 127, specials: 'ieee' });

const decodeOf = ({ code }: Format): ((pattern: number) => number) => {
  if (code === undefined) throw new Error('a format without bit patterns');
  return code.decode;
};

const BF16_DRAWS = { exponentBits: 8, bias: 127, wide: [107, 40], large: [137, 24], most: 254 } as const;

/** The floating-point formats of operands. 8-bit integers are drawn as their bits. */
export const drawnFormats: Readonly<Record<Exclude<FormatName, 'int8'>, DrawnFormat>> = {
  f16: {
    ...{ name: 'f16', bytes: 2, exponentBits: 5, fractionBits: 10, bias: 15 },
    ...{ wide: [3, 24], large: [25, 18], most: 30, decode: decodeOf(f16) },
  },
  bf16: { name: 'bf16', bytes: 2, fractionBits: 7, ...BF16_DRAWS, decode: decodeOf(bf16) },
  tf32: { name: 'tf32', bytes: 4, fractionBits: 10, ...BF16_DRAWS, decode: tf32Code.decode },
  e4m3: {
    ...{ name: 'e4m3', bytes: 1, exponentBits: 4, fractionBits: 3, bias: 7 },
    ...{ wide: [0, 16], large: [13, 14], most: 15, decode: decodeOf(e4m3) },
  },
  e5m2: {
    ...{ name: 'e5m2', bytes: 1, exponentBits: 5, fractionBits: 2, bias: 15 },
    ...{ wide: [0, 31], large: [24, 20], most: 30, decode: decodeOf(e5m2) },
  },
};
