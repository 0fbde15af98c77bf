import { type Registry, registryOf } from '../base/registry.ts';
import { measurements, rotations, signals, softmax, unitRows } from './applications.ts';
import { complementaryZeros, illConditioned } from './cancellation.ts';
import { factorEnds } from './factor-ends.ts';
import type { InputFamily } from './input.ts';
import { bytes, ends, integers, overflows } from './integers.ts';
import { identity, inversePair, permutation } from './known-products.ts';
import { decimals, normal, relu, weights } from './normal.ts';
import { powersOfTwo, scaledRows, wideExponents } from './scaled.ts';
import { specialValues, subnormals } from './special-values.ts';
import { uniform, uniform01, uniform25 } from './uniform.ts';
import { wild, wildIntegers } from './wild/wild.ts';

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
