import { mergeCertificates } from '../exact/certificate.ts';
import type { ProductPart } from '../exact/parts.ts';
import { takeCols, takeRows } from '../exact/sampled.ts';
import type { Matrix } from '../matrix/dense.ts';
import { type Gemm, plainGemm } from '../matrix/gemm.ts';
import { memberOf } from '../matrix/members.ts';
import type { Reference, ReferenceInput } from './compared.ts';
import { normsOf } from './whole-reference.ts';

/** Returns a part of a product as a product of its own. */
export function takePart(
  operands: ReferenceInput,
  { m, k, alpha, beta }: Gemm,
  { member, rows, cols }: ProductPart,
): { operands: ReferenceInput; gemm: Gemm } {
  const lines = (x: Matrix, size: number) => {
    const own = memberOf(x, size, member);
    return rows === undefined ? own : takeRows(own, rows);
  };
  const columns = (x: Matrix) => (cols === undefined ? x : takeCols(x, cols));
  const [a, b] = [lines(operands.a, m), columns(memberOf(operands.b, k, member))];
  const c = operands.c && columns(lines(operands.c, m));
  return { operands: { a, b, c }, gemm: { ...plainGemm({ m: a.rows, k, n: b.cols }), alpha, beta } };
}

/** A part of a product with all of its entries. */
export interface ComparedPart {
  readonly part: ProductPart;
  readonly reference: Reference;
}

/** Places of the entries of parts in their product. */
export interface PartPlaces {
  /** The places in ascending order, each once. */
  readonly at: Float64Array;
  /** Picks the numbers at these places from arrays of the entries of each part. */
  taken(parts: readonly Float64Array[]): Float64Array;
}

/** Returns the places of parts of a product. */
export function placesOfParts(parts: readonly ProductPart[], { m, n }: Gemm): PartPlaces {
  const first = new Map<number, number>();
  let count = 0;
  for (const { member, rows = upTo(m), cols = upTo(n) } of parts) {
    for (const i of rows) {
      for (const j of cols) {
        const e = (member * m + i) * n + j;
        if (!first.has(e)) first.set(e, count);
        count++;
      }
    }
  }
  const at = Float64Array.from(first.keys()).sort();
  return {
    at,
    taken(parts) {
      const all = new Float64Array(count);
      let from = 0;
      for (const part of parts) {
        all.set(part, from);
        from += part.length;
      }
      return at.map((e) => all[first.get(e) as number]);
    },
  };
}

/** Joins the entries of parts of a product; if the parts cover it, the result is a whole reference. */
export function joinReferenceParts(
  found: readonly ComparedPart[],
  operands: ReferenceInput,
  gemm: Gemm,
  places = placesOfParts(
    found.map(({ part }) => part),
    gemm,
  ),
): Reference {
  const taken = (name: 'value' | 'low' | 'size') =>
    places.taken(found.map(({ reference }) => reference[name]));
  const { at } = places;
  const checked = at.length / (gemm.m * gemm.n * gemm.batch);
  return {
    ...{ value: taken('value'), low: taken('low'), size: taken('size'), checked },
    ...(checked === 1 ? {} : { at }),
    certificate: mergeCertificates(found.map(({ reference }) => reference.certificate)),
    norms: normsOf(operands, gemm),
  };
}

const upTo = (size: number) => Array.from({ length: size }, (_, at) => at);
