import { type Registry, registryOf } from '../base/registry.ts';
import { bytes } from './bytes.ts';
import { complementaryZeros } from './complementary-zeros.ts';
import { ends } from './ends.ts';
import { factorEnds } from './factor-ends.ts';
import { identity } from './identity.ts';
import { illConditioned } from './ill-conditioned.ts';
import type { InputFamily } from './input.ts';
import { integers } from './integers.ts';
import { inversePair } from './inverse-pair.ts';
import { measurements } from './measurements.ts';
import { decimals, normal, relu, weights } from './normal.ts';
import { overflows } from './overflows.ts';
import { permutation } from './permutation.ts';
import { powersOfTwo } from './powers-of-two.ts';
import { rotations } from './rotations.ts';
import { scaledRows } from './scaled-rows.ts';
import { signals } from './signals.ts';
import { softmax } from './softmax.ts';
import { specialValues } from './special-values.ts';
import { subnormals } from './subnormals.ts';
import { uniform, uniform01, uniform25 } from './uniform.ts';
import { unitRows } from './unit-rows.ts';
import { wideExponents } from './wide-exponents.ts';
import { wild } from './wild/wild.ts';
import { wildIntegers } from './wild/wild-integers.ts';

/** The built-in families of test matrices, in the order reports list them. A config may bring more. */
export const inputRegistry: Registry<InputFamily> = registryOf('input', [
  integers,
  inversePair,
  uniform,
  uniform25,
  uniform01,
  normal,
  decimals,
  measurements,
  unitRows,
  weights,
  signals,
  rotations,
  bytes,
  ends,
  overflows,
  factorEnds,
  relu,
  softmax,
  scaledRows,
  complementaryZeros,
  wideExponents,
  illConditioned,
  powersOfTwo,
  permutation,
  identity,
  specialValues,
  subnormals,
  wild,
  wildIntegers,
]);

/** The built-in families. */
export const inputs: readonly InputFamily[] = inputRegistry.items;

/** Returns the families that suit every kernel, whatever its claims. */
export const listDefaultInputs = ({ items }: Registry<InputFamily> = inputRegistry): readonly InputFamily[] =>
  items.filter(({ leavesRange }) => leavesRange !== true);

/** Returns the built-in family of a name. @throws ParanoiaError `unknown-name` if there is none. */
export const findInput = (name: string): InputFamily => inputRegistry.find(name);
