import type { Matrix } from '../matrix/dense.ts';
import { type Gemm, plainGemm } from '../matrix/gemm.ts';
import { memberOf, membersOf, type StackedOperands, stackRows } from '../matrix/members.ts';
import { type OperandReading, readOperand } from '../precision/activations/read-operand.ts';
import type { QuantizedOperand } from '../precision/activations/schemes.ts';
import { lineAccessOf, type Operand, scaleAt } from '../precision/coding/coding.ts';
import type { QuantizationDoubts } from '../readers/analysis.ts';
import { offsetsOf, rawSizes } from '../readers/zero-points-last.ts';
import type { KnownOperands, WeighingInput } from './evidence.ts';
import { productInDoubles } from './quantization.ts';

const known = new WeakMap<KnownOperands, WeakMap<QuantizedOperand, KnownOperands>>();

/**
 * Returns the job with operands as the kernel multiplies them: the one that it claims to quantize while it reads it is quantized. The
 * kernel itself receives the job as it is.
 */
export function quantizedJob<J extends WeighingInput>(job: J): J {
  const { kernel, operands, plan, gemm = plainGemm(plan.shape) } = job;
  const { activations } = kernel;
  if (activations === undefined) return job;
  const all = known.get(operands) ?? new WeakMap<QuantizedOperand, KnownOperands>();
  known.set(operands, all);
  const found = all.get(activations) ?? quantizedOperands(operands, gemm, activations, kernel);
  all.set(activations, found);
  return { ...job, operands: found };
}

function quantizedOperands(
  operands: KnownOperands,
  gemm: Gemm,
  activations: QuantizedOperand,
  kernel: WeighingInput['kernel'],
): KnownOperands {
  const { of } = activations;
  const rows = of === 'a' ? gemm.m : gemm.k;
  const count = rows === 0 ? 1 : Math.max(1, operands[of].rows / rows);
  const parts = Array.from({ length: count }, (_, p) =>
    readOperand(memberOf(operands[of], rows, p), activations),
  );
  const { ideal: _, ...rest } = operands;
  const read = stackRows(
    parts.map(({ decoded }) => decoded),
    { m: rows, n: operands[of].cols },
  );
  const isUnchanged = parts.every((part) => part.isUnchanged);
  const hasOffsets = activations.scheme.hasSums === true && kernel.zeroPoints === 'last';
  const offsets = hasOffsets ? offsetsOf(otherThan(of), operands, gemm, kernel) : undefined;
  const multiplied = { ...rest, a: of === 'a' ? read : operands.a, b: of === 'b' ? read : operands.b };
  return {
    ...multiplied,
    uncoded: { a: operands.a, b: operands.b },
    staysExact: operands.staysExact !== false && isUnchanged,
    doubts: {
      ...doubtsOf(operands, gemm, activations, parts, offsets),
      ...(kernel.zeroPoints === 'last' ? { size: sizesOf(rawSizes(multiplied, gemm, kernel), gemm) } : {}),
    },
  };
}

function sizesOf(operands: StackedOperands, gemm: Gemm): Float64Array {
  const parts = [...membersOf(operands, gemm)].map((own) => productInDoubles(own));
  const size = parts[0]?.length ?? 0;
  const all = new Float64Array(parts.length * size);
  for (const [p, part] of parts.entries())
    all.set(
      part.map((x) => x * Math.abs(gemm.alpha)),
      p * size,
    );
  return all;
}

const otherThan = (of: Operand): Operand => (of === 'a' ? 'b' : 'a');

/**
 * Adds up what is open in each entry of D: the doubt of each number times the other operand, and of each kept sum times the largest offset
 * that multiplies it.
 */
function doubtsOf(
  operands: KnownOperands,
  gemm: Gemm,
  { of, block }: QuantizedOperand,
  parts: readonly OperandReading[],
  offsets: Matrix | undefined,
): QuantizationDoubts {
  const { m, k, n, batch, alpha } = gemm;
  const bound = new Float64Array(batch * m * n);
  const squares = new Float64Array(bound.length);
  const other = otherThan(of);
  for (let p = 0; p < batch; p++) {
    const part = parts[Math.min(p, parts.length - 1)];
    const lines = lineAccessOf(of === 'a' ? { rows: m, cols: k } : { rows: k, cols: n }, of);
    const others = lineAccessOf(other === 'a' ? { rows: m, cols: k } : { rows: k, cols: n }, other);
    const beside = memberOf(operands[other], other === 'a' ? m : k, p).data;
    const offset = offsets && memberOf(offsets, other === 'a' ? m : k, p).data;
    const add = (line: number, index: number, most: number) => {
      const e = p * m * n + (of === 'a' ? line * n + index : index * n + line);
      bound[e] += most;
      squares[e] += most * most;
    };
    for (let line = 0; line < lines.lines; line++) {
      for (let q = 0; q < k; q++) {
        const doubt = part.doubt[lines.at(line, q)];
        if (doubt === 0) continue;
        for (let at = 0; at < others.lines; at++)
          add(line, at, times(doubt, Math.abs(beside[others.at(at, q)] * alpha)));
      }
      if (part.sums === undefined || offset === undefined) continue;
      for (let from = 0; from < k; from += block.entries) {
        const region = { lines: [line, line], entries: [from, from] } as const;
        const doubt = part.sums.data[scaleAt(region, block, part.sums)];
        for (let at = 0; at < others.lines; at++) {
          let largest = 0;
          for (let q = from; q < Math.min(k, from + block.entries); q++)
            largest = Math.max(largest, offset[others.at(at, q)]);
          add(line, at, times(doubt, largest * Math.abs(alpha)));
        }
      }
    }
  }
  return { bound, sigma: squares.map(Math.sqrt) };
}

/** Multiplies sizes; 0 times an infinite doubt stays infinite, since an infinite factor makes it NaN. */
const times = (doubt: number, size: number): number =>
  doubt === Number.POSITIVE_INFINITY ? doubt : doubt * size;
