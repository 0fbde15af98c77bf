import type { Registry } from '../base/registry.ts';
import type { Precision } from './precision.ts';

/** The names of the formats of A, B and D. */
export interface FormatNames {
  readonly a: string;
  readonly b: string;
  /** @defaultValue any */
  readonly d?: string | undefined;
}

/**
 * Finds the precision of a product by the formats of A, B and D: A and B are multiplied as they are, and summed in the widest format of
 * all such precisions, as libraries do. Undefined if no precision has these formats.
 */
export function precisionOfFormats(
  { a, b, d }: FormatNames,
  precisions: Registry<Precision>,
): Precision | undefined {
  const fitting = precisions.items.filter(
    (one) =>
      one.coded === undefined &&
      one.complex !== true &&
      (d === undefined || one.d.name === d) &&
      one.multiplied.name === a &&
      (b === a || (one.a.name === a && one.b.name === b)),
  );
  const bits = ({ accumulated }: Precision) => accumulated.precision;
  return fitting.reduce<Precision | undefined>(
    (widest, one) => (widest === undefined || bits(one) > bits(widest) ? one : widest),
    undefined,
  );
}
