import { lookUp } from '../../base/objects.ts';
import { type Gemm, startOf } from '../../matrix/gemm.ts';
import type { Entries } from '../../matrix/operands.ts';
import {
  type BlasOperands,
  type BlasSymbol,
  CBLAS,
  isFactor,
  isLetter,
  isMatrix,
  letters,
  liesByColumns,
  type Role,
  signatures,
  valuesOf,
} from './blas-call.ts';

/** Products of one shape each, the members of a batch by their addresses: a group of the batch interface of MKL and OpenBLAS. */
export interface BlasGroup extends BlasOperands {
  readonly gemm: Gemm;
}

/** Returns the types of the arguments of a batched function, in koffi's notation. */
export function batchParameters({ convention, isLong, operation }: BlasSymbol): readonly string[] {
  const arrays = signatures[operation].flatMap((role) =>
    isMatrix(role) ? ['void *', 'void *'] : ['void *'],
  );
  if (convention === 'fortran') return [...arrays, 'void *', 'void *'];
  return ['int', ...arrays, isLong ? 'int64_t' : 'int', 'void *'];
}

/**
 * Returns the arguments of a batched function: an array for each argument of the product, with a number for each group or an address for
 * each matrix; then the number of groups and their sizes.
 * @param address returns the address of an array in memory.
 */
export function batchArguments(
  groups: readonly BlasGroup[],
  symbol: BlasSymbol,
  address: (entries: Entries) => bigint,
): unknown[] {
  const isFortran = symbol.convention === 'fortran';
  const [{ gemm }] = groups;
  const all = groups.map((one) => valuesOf(one.gemm, one, symbol, isFortran && !liesByColumns(one.gemm.c)));
  const whole = (values: readonly number[]) =>
    symbol.isLong ? BigInt64Array.from(values, BigInt) : Int32Array.from(values);
  const letter = (role: keyof typeof letters) => {
    const texts = all.map((of) => of.letter[role]);
    return isFortran
      ? Uint8Array.from(texts, (text) => text.charCodeAt(0))
      : Int32Array.from(texts, (text) => lookUp<number>(letters[role], text) as number);
  };
  const pointers = (role: Role) =>
    groups.flatMap((one, at) => {
      const entries = one[all[at].nameOf(role)];
      const base = address(entries);
      return Array.from({ length: one.gemm.batch }, (_, p) => {
        const start = startOf(one.gemm[all[at].nameOf(role)], p);
        return base + BigInt(start * entries.BYTES_PER_ELEMENT);
      });
    });
  const factors = (role: Role) => {
    const values = all.flatMap((of) => [...of.factor(role)]);
    return symbol.precision === 'f32' ? Float32Array.from(values) : Float64Array.from(values);
  };
  const arrays = signatures[symbol.operation].flatMap((role): unknown[] => {
    if (isLetter(role)) return [letter(role)];
    if (isFactor(role)) return [factors(role)];
    if (isMatrix(role)) return [BigUint64Array.from(pointers(role)), whole(all.map((of) => of.ld(role)))];
    return [whole(all.map((of) => of.size(role)))];
  });
  const sizes = whole(groups.map((one) => one.gemm.batch));
  if (isFortran) return [...arrays, whole([groups.length]), sizes];
  return [liesByColumns(gemm.c) ? CBLAS.columns : CBLAS.rows, ...arrays, groups.length, sizes];
}
