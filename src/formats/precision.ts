import { problem } from '../problems.ts';
import { bf16, type Format, f16, f32, f32x2, f64, tf32 } from './format.ts';

/** What a product is computed in: the formats of its entries, of its leaf products' operands, and of its sums. */
export interface Precision {
  readonly name: PrecisionName;
  /** As a person writes it: `tf32·f32`. */
  readonly title: string;
  /** One clause: what is rounded to what. */
  readonly what: string;
  /** The format of the entries of A, B and C. */
  readonly stored: Format;
  /** What leaf products round their operands to before they multiply; the stored format where they do not. */
  readonly operands: Format;
  /** What every sum and product is rounded to. */
  readonly working: Format;
}

export const precisionNames = ['f32', 'f16', 'f16-f32', 'bf16-f32', 'tf32-f32', 'f64', 'f32x2'] as const;
export type PrecisionName = (typeof precisionNames)[number];

function uniform(name: PrecisionName, format: Format, what: string): Precision {
  return { name, title: name, what, stored: format, operands: format, working: format };
}

function mixed(name: PrecisionName, operands: Format): Precision {
  const what = `binary32 entries, rounded to ${operands.name} before they are multiplied, summed in binary32`;
  return { name, title: `${operands.name}·f32`, what, stored: f32, operands, working: f32 };
}

/** Every precision, by name. */
export const precisions: Readonly<Record<PrecisionName, Precision>> = {
  f32: uniform('f32', f32, 'binary32 throughout'),
  f16: uniform('f16', f16, 'binary16 throughout, every operation rounded'),
  'f16-f32': mixed('f16-f32', f16),
  'bf16-f32': mixed('bf16-f32', bf16),
  'tf32-f32': mixed('tf32-f32', tf32),
  f64: uniform('f64', f64, 'binary64 in integer arithmetic, every operation correctly rounded'),
  f32x2: uniform('f32x2', f32x2, 'pairs of binary32, about 48 bits'),
};

/** The precision of a name; `tf32·f32` is `tf32-f32`. @throws Problem `unknown-name` */
export function findPrecision(name: string): Precision {
  const found = precisionNames.find((known) => known === String(name).replace('·', '-'));
  if (found !== undefined) return precisions[found];
  throw problem('unknown-name', { what: 'precision', given: name, known: precisionNames });
}
