import { computeOnce } from '../../base/memo.ts';
import type { Matrix } from '../../matrix/dense.ts';
import type { Gemm } from '../../matrix/gemm.ts';
import { memberOf, type StackedOperands, stackRows } from '../../matrix/members.ts';
import type { CodedMatrix, Entries } from '../../matrix/operands.ts';
import type { Precision } from '../precision.ts';
import type { Coding, Operand } from './coding.ts';
import { quantize } from './quantize.ts';
import { type ScaleLayoutName, scaleLayouts, toScaleLayout } from './scale-layouts.ts';

/** The factors and zero points of an operand. Those of a batch lie one below the other: see {@link CodedMatrix}. */
export interface CodedFactors extends Pick<CodedMatrix, 'scales' | 'zeros'> {
  /** The number of matrices. */
  readonly members: number;
}

/** Operands as kernels receive them: elements and factors if they are coded, otherwise the numbers themselves. */
export interface KernelOperands extends StackedOperands {
  readonly factors: { readonly [of in Operand]?: CodedFactors | undefined };
}

/** The codes of operands that came without codes. */
const found = new WeakMap<Matrix, CodedMatrix>();

/** Returns operands in the form that kernels of a precision receive. Operands without codes are coded here, and rounded if necessary. */
export function kernelOperandsOf(
  operands: StackedOperands,
  gemm: Gemm,
  { coded = {} }: Precision,
): KernelOperands {
  const [a, b] = (['a', 'b'] as const).map((of) => {
    const coding = coded[of];
    return coding && codesOf(operands, of, coding, gemm);
  });
  return {
    ...operands,
    a: a?.elements ?? operands.a,
    b: b?.elements ?? operands.b,
    factors: {
      a: a && { ...a, members: membersIn(operands.a, gemm.m) },
      b: b && { ...b, members: membersIn(operands.b, gemm.k) },
    },
  };
}

function codesOf(operands: StackedOperands, of: Operand, coding: Coding, gemm: Gemm): CodedMatrix {
  const decoded = operands[of];
  const known = operands.coded?.[of];
  if (known?.decoded === decoded) return known.coded;
  return computeOnce(found, decoded, () => stackedCodes(decoded, of, coding, of === 'a' ? gemm.m : gemm.k));
}

/**
 * Codes a stack of matrices.
 * @param rows rows of each matrix.
 */
function stackedCodes(decoded: Matrix, of: Operand, coding: Coding, rows: number): CodedMatrix {
  const count = rows === 0 ? 1 : Math.max(1, decoded.rows / rows);
  const parts = Array.from(
    { length: count },
    (_, p) => quantize(memberOf(decoded, rows, p), of, coding).coded,
  );
  return joinCodes(parts);
}

/** Returns the number of matrices in a stack, from the rows of each. */
const membersIn = (all: Matrix, rows: number): number => (rows === 0 ? 1 : Math.max(1, all.rows / rows));

/** Copies factors to a layout; those of the matrices of a batch follow one another. */
export function arrangeScales({ scales, members }: CodedFactors, layout: ScaleLayoutName): Entries[] {
  const order = scaleLayouts.find(layout);
  return scales.map(({ rows, cols, data }) => {
    const each = rows / members;
    const parts = Array.from({ length: members }, (_, p) =>
      toScaleLayout(data.subarray(p * each * cols, (p + 1) * each * cols), each, cols, order),
    );
    if (parts.length === 1) return parts[0];
    const all = new (data.constructor as new (length: number) => Entries)(members * order.size(each, cols));
    for (const [p, part] of parts.entries()) all.set(part, p * part.length);
    return all;
  });
}

/** Joins the codes of the products of a batch. */
export function joinCodes(parts: readonly CodedMatrix[]): CodedMatrix {
  const below = (matrices: readonly Matrix[]) =>
    stackRows(matrices, { m: matrices[0].rows, n: matrices[0].cols });
  const zeros = parts.flatMap((part) => part.zeros ?? []);
  return {
    elements: below(parts.map(({ elements }) => elements)),
    scales: parts[0].scales.map((_, level) => below(parts.map(({ scales }) => scales[level]))),
    ...(zeros.length === 0 ? {} : { zeros: below(zeros) }),
  };
}
