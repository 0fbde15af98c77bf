import { type Registry, registryOf } from '../base/registry.ts';
import type { Algorithm } from './algorithm.ts';
import { classical } from './classical.ts';
import { hopcroftKerr223, hopcroftKerr234 } from './hopcroft-kerr.ts';
import { laderman } from './laderman.ts';
import { strassen, winograd } from './strassen.ts';
import { threeM } from './three-m.ts';

/** The built-in algorithms: a new one is a data file and a line here. A config may bring more. */
export const algorithmRegistry: Registry<Algorithm> = registryOf('algorithm', [
  classical,
  strassen,
  winograd,
  laderman,
  hopcroftKerr223,
  hopcroftKerr234,
  threeM,
]);

/** True if an algorithm multiplies only complex matrices. */
export const isOfComplex = ({ operands }: Pick<Algorithm, 'operands'>): boolean => operands === 'complex';

/** The allowed levels of such algorithms, as a clause. */
export const ONE_LEVEL = '0 or 1: blocks of its factors are not complex matrices';

/** The built-in algorithms for matrices of any form. */
export const algorithms: readonly Algorithm[] = algorithmRegistry.items.filter((one) => !isOfComplex(one));

/** Returns the built-in algorithm of a name. @throws ParanoiaError `unknown-name` */
export const findAlgorithm = (name: string): Algorithm => algorithmRegistry.find(name);
