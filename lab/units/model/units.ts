import { exponentOf } from '../../../src/base/binary64.ts';
import { type Registry, registryOf } from '../../../src/base/registry.ts';
import { truncateToBits } from '../../../src/precision/claimed-rounding.ts';
import { bf16, type Format, f16, f32, tf32 } from '../../../src/precision/format.ts';
import { e4m3, e5m2 } from '../../../src/precision/formats/floats.ts';
import { i32, int4, int8, uint8 } from '../../../src/precision/formats/whole-formats.ts';
import { type BlockAdder, multiplyByBlocks } from './block-adder.ts';
import { type IntegerOverflow, multiplyIntegers } from './integer-unit.ts';
import { cutTo32 } from './result-rounding.ts';
import type { MatrixUnit } from './unit.ts';
import { multiplyWidened } from './widened.ts';

const MMA_SIM = 'Xie, Wang, Yang, Yang 2025, MMA-Sim, arXiv 2511.10909';
const H200 = 'results of an NVIDIA H200, reports/units';

/** An adder of blocks; see `BlockAdder`. */
interface Row {
  readonly name: string;
  readonly processors: string;
  readonly a: Format;
  readonly b?: Format;
  /** The format of results. @defaultValue binary32, truncated */
  readonly result?: Format;
  readonly terms: number;
  readonly fraction: number;
  /** The number of bits of binary32 that results leave zero. */
  readonly fewer?: number;
  /** The source of its rules. @defaultValue the paper that collects others' measurements */
  readonly source?: string;
}

const VOLTA = { processors: 'V100', terms: 4, fraction: 23 };
const TURING = { processors: 'T4, RTX 20', terms: 8, fraction: 24 };
const AMPERE = { processors: 'A100, RTX 30', terms: 8, fraction: 24 };
const ADA = { processors: 'L4, L40S, RTX 40', terms: 8, fraction: 24 };
const HOPPER = { processors: 'H100, H200', terms: 16, fraction: 25, source: `${MMA_SIM}; equal to ${H200}` };
const BLACKWELL = { processors: 'B200', terms: 16, fraction: 25 };
/** Adders of 8-bit operands: sums keep 13 bits after the leading one if results are binary32. */
const FEW = { fraction: 13, fewer: 10 };

/**
 * Matrix units known from their answers. An instruction of a longer k is a row of additions: k = 16 on Ampere is two of 8. For
 * the shorter instructions of older generations on Hopper, `terms` is their k.
 */
const rows: readonly Row[] = [
  { name: 'volta-f16', a: f16, ...VOLTA },
  { name: 'volta-f16-f16', a: f16, result: f16, ...VOLTA },
  { name: 'turing-f16', a: f16, ...TURING },
  { name: 'turing-f16-f16', a: f16, result: f16, ...TURING },
  { name: 'ampere-f16', a: f16, ...AMPERE },
  { name: 'ampere-f16-f16', a: f16, result: f16, ...AMPERE },
  { name: 'ampere-bf16', a: bf16, ...AMPERE },
  { name: 'ampere-tf32', a: tf32, ...AMPERE, terms: 4 },
  { name: 'ada-f16', a: f16, ...ADA },
  { name: 'ada-f16-f16', a: f16, result: f16, ...ADA },
  { name: 'ada-bf16', a: bf16, ...ADA },
  { name: 'ada-tf32', a: tf32, ...ADA, terms: 4 },
  { name: 'ada-e4m3', a: e4m3, ...ADA, ...FEW, terms: 16 },
  { name: 'ada-e5m2', a: e5m2, ...ADA, ...FEW, terms: 16 },
  { name: 'hopper-f16', a: f16, ...HOPPER },
  { name: 'hopper-f16-f16', a: f16, result: f16, ...HOPPER },
  { name: 'hopper-f16-k8', a: f16, ...HOPPER, terms: 8, source: H200 },
  { name: 'hopper-bf16', a: bf16, ...HOPPER },
  { name: 'hopper-bf16-k8', a: bf16, ...HOPPER, terms: 8, source: H200 },
  { name: 'hopper-tf32', a: tf32, ...HOPPER, terms: 8 },
  { name: 'hopper-tf32-k4', a: tf32, ...HOPPER, terms: 4, source: H200 },
  { name: 'hopper-e4m3', a: e4m3, ...HOPPER, ...FEW, terms: 32 },
  { name: 'hopper-e5m2', a: e5m2, ...HOPPER, ...FEW, terms: 32 },
  { name: 'hopper-e4m3-e5m2', a: e4m3, b: e5m2, ...HOPPER, ...FEW, terms: 32, source: MMA_SIM },
  { name: 'hopper-e5m2-e4m3', a: e5m2, b: e4m3, ...HOPPER, ...FEW, terms: 32 },
  { name: 'hopper-e4m3-f16', a: e4m3, result: f16, ...HOPPER, fraction: 13, terms: 32 },
  { name: 'hopper-e5m2-f16', a: e5m2, result: f16, ...HOPPER, fraction: 13, terms: 32, source: MMA_SIM },
  { name: 'blackwell-f16', a: f16, ...BLACKWELL },
  { name: 'blackwell-f16-f16', a: f16, result: f16, ...BLACKWELL },
  { name: 'blackwell-bf16', a: bf16, ...BLACKWELL },
  { name: 'blackwell-tf32', a: tf32, ...BLACKWELL, terms: 8 },
  { name: 'blackwell-e4m3', a: e4m3, ...BLACKWELL, terms: 32 },
  { name: 'blackwell-e5m2', a: e5m2, ...BLACKWELL, terms: 32 },
];

function unitOf(row: Row): MatrixUnit {
  const { name, processors, a, b = a, result = f32, terms, fraction, fewer = 0, source = MMA_SIM } = row;
  const rounded = result === f32 ? cutTo32(fewer) : result.round;
  const operand =
    a === tf32 ? truncateToBits(tf32.precision, exponentOf(tf32.minNormal), tf32.maxFinite) : undefined;
  const adder = { a, b, result, terms, fraction, rounded, operand };
  const pair = a === b ? a.name : `${a.name} and ${b.name}`;
  const end = result === f32 ? `cut off at ${24 - fewer} bits` : `rounded to ${result.name}, to nearest`;
  return {
    name,
    what: `${processors}: ${terms} products of ${pair} and the sum, cut off ${fraction} bits behind the largest exponent, added exactly, ${end}.`,
    ...{ source, a, b, result, adder },
    multiply: (x, y, c, shape) => multiplyByBlocks(adder, x, y, c, shape),
  };
}

/** An instruction that Hopper performs by instructions of binary16. */
const widened = (a: Format): MatrixUnit => ({
  name: `hopper-${a.name}-mma`,
  what: `H100, H200: mma of ${a.name}, by two of f16 from zero, of every four products the first two and then the others; C is added in f32, to nearest.`,
  source: H200,
  ...{ a, b: a, result: f32 },
  multiply: (x, y, c, shape) => multiplyWidened(hopperF16, x, y, c, shape),
});

const hopperF16: BlockAdder = {
  ...{ a: f16, b: f16, result: f32, terms: HOPPER.terms, fraction: HOPPER.fraction },
  rounded: cutTo32(),
};

const PTX = 'NVIDIA, PTX ISA, mma and wgmma: .satfinite clamps a 32-bit integer, else it wraps';

/** The unit of integers, which all makers share, except for sums beyond 32 bits. */
const integerUnit = (a: Format, b: Format, overflow: IntegerOverflow, terms: number): MatrixUnit => ({
  name: `${a.name}${a === b ? '' : `-${b.name}`}-${overflow}`,
  what: `Products of ${a === b ? a.name : `${a.name} and ${b.name}`} added exactly in 32 bits, which ${overflow === 'wraps' ? 'wrap' : `saturate once every ${terms} products`}.`,
  source: PTX,
  ...{ a, b, result: i32 },
  multiply: (x, y, c, shape) => multiplyIntegers({ terms, overflow }, x, y, c, shape),
});

/** Matrix units whose models are exact to the last bit. */
export const matrixUnits: Registry<MatrixUnit> = registryOf('matrix unit', [
  ...rows.map(unitOf),
  ...[e4m3, e5m2].map(widened),
  integerUnit(int8, int8, 'wraps', 32),
  integerUnit(int8, int8, 'saturates', 32),
  integerUnit(uint8, uint8, 'wraps', 32),
  integerUnit(uint8, int8, 'wraps', 32),
  integerUnit(uint8, int8, 'saturates', 32),
  integerUnit(int4, int4, 'wraps', 64),
]);
