import { type Blocking, blockWork, type ModelMachine, type OperandCounts, PLAIN } from './product-time.ts';

const BYTES = 4;
/** Registers of a thread (section 5.2). */
const REGISTERS = 255;

/** What a blocking must hold to, by the number of its equation. */
export type Constraint = 13 | 15 | 16 | 17 | 18;

/**
 * The equations among 13 and 15–18 that a blocking violates: global and workgroup memory that cannot keep up with the
 * arithmetic, registers, the size of workgroup memory, and too few invocations to prefetch a tile.
 * @param k terms of a sum: the bounds on memory are those of a large product.
 * @param sharedBytes workgroup memory of a multiprocessor.
 */
export function violated(
  blocking: Blocking,
  machine: ModelMachine,
  counts: OperandCounts = PLAIN,
  { k = 2 ** 14, sharedBytes = 96 * 1024 } = {},
): Constraint[] {
  const { mS, nS, kS, mR, nR } = blocking;
  const { flops, gmops, smops } = blockWork(k, blocking, counts);
  const invocations = (mS * nS) / (mR * nR);
  const holds: Readonly<Record<Constraint, boolean>> = {
    13: flops / gmops >= (BYTES * machine.tauFlop) / machine.tauGmop,
    15: flops / smops >= (BYTES * machine.tauFlop) / machine.tauSmop,
    16: mR * nR + (2 + counts.wA) * mR + (2 + counts.wB) * nR < REGISTERS,
    17: BYTES * (mS + nS) * kS < sharedBytes,
    18: mR * invocations >= mS * kS && nR * invocations >= nS * kS,
  };
  return ([13, 15, 16, 17, 18] as const).filter((equation) => !holds[equation]);
}
