import { problem } from '../problems.ts';
import { complementaryZeros } from './complementary-zeros.ts';
import { identity } from './identity.ts';
import { illConditioned } from './ill-conditioned.ts';
import type { InputFamily } from './input.ts';
import { integers } from './integers.ts';
import { inversePair } from './inverse-pair.ts';
import { permutation } from './permutation.ts';
import { powersOfTwo } from './powers-of-two.ts';
import { scaledRows } from './scaled-rows.ts';
import { specialValues } from './special-values.ts';
import { subnormals } from './subnormals.ts';
import { uniform } from './uniform.ts';
import { uniform01 } from './uniform-0-1.ts';
import { uniform25 } from './uniform-2-5.ts';
import { wideExponents } from './wide-exponents.ts';

/** Every family of test matrices, in the order reports list them. */
export const inputs: readonly InputFamily[] = [
  integers,
  inversePair,
  uniform,
  uniform25,
  uniform01,
  scaledRows,
  complementaryZeros,
  wideExponents,
  illConditioned,
  powersOfTwo,
  permutation,
  identity,
  specialValues,
  subnormals,
];

/** The family of a name. @throws Problem `unknown-name` when there is none. */
export function findInput(name: string): InputFamily {
  const found = inputs.find((family) => family.name === name);
  if (found !== undefined) return found;
  throw problem('unknown-name', { what: 'input', given: name, known: inputs.map((family) => family.name) });
}
