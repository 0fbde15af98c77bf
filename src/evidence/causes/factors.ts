import type { Gemm } from '../../matrix/gemm.ts';
import { type Cause, singlePrediction } from './cause.ts';
import { readAs } from './readings.ts';

/** Returns a change of the factors of a product; undefined where it changes nothing. */
type Change = (gemm: Gemm) => Partial<Gemm> | undefined;

const misreadAs = (name: string, says: string, change: Change): Cause =>
  singlePrediction(name, says, (scene) => {
    const changed = change(scene.gemm);
    return changed && readAs(scene, changed);
  });

/** Returns a cause that misreads factors without imaginary parts. */
const misread = (name: string, says: string, change: Change): Cause =>
  misreadAs(name, says, (gemm) => (gemm.imaginary === undefined ? change(gemm) : undefined));

const isScaled = ({ alpha, beta }: Gemm) => alpha !== 1 && beta !== 0;

/** Mistakes in alpha and beta. */
export const factorCauses: readonly Cause[] = [
  misread('c-left-out', 'beta·C was not added', ({ beta }) => (beta === 0 ? undefined : { beta: 0 })),
  misread('beta-ignored', 'C was added without beta', ({ beta }) =>
    beta === 0 || beta === 1 ? undefined : { beta: 1 },
  ),
  misread('c-twice', 'beta·C was added twice', ({ beta }) => (beta === 0 ? undefined : { beta: 2 * beta })),
  misread('c-subtracted', 'beta·C was subtracted', ({ beta }) => (beta === 0 ? undefined : { beta: -beta })),
  misread('beta-squared', 'C was multiplied by beta twice', ({ beta }) =>
    beta === 0 || beta === 1 ? undefined : { beta: beta * beta },
  ),
  misread('alpha-ignored', 'alpha was ignored', ({ alpha }) => (alpha === 1 ? undefined : { alpha: 1 })),
  misread('alpha-squared', 'alpha was applied twice', ({ alpha }) =>
    alpha === 1 ? undefined : { alpha: alpha * alpha },
  ),
  misread('alpha-on-c', 'alpha was applied to C too', (gemm) =>
    isScaled(gemm) ? { beta: gemm.alpha * gemm.beta } : undefined,
  ),
  misread('beta-on-all', 'beta was applied to A·B too', ({ alpha, beta }) =>
    beta === 0 || beta === 1 ? undefined : { alpha: alpha * beta },
  ),
  misread('alpha-for-beta', 'alpha and beta were swapped', ({ alpha, beta }) =>
    beta === 0 || alpha === beta ? undefined : { alpha: beta, beta: alpha },
  ),
  misread('product-left-out', 'A·B was not added', ({ alpha, beta }) =>
    alpha === 0 || beta === 0 ? undefined : { alpha: 0 },
  ),
];

/** Returns a cause that changes an imaginary part, and the real one if `re` is given. */
const turned = (
  name: string,
  says: string,
  of: 'alpha' | 'beta',
  to: (im: number) => number,
  re?: number,
): Cause =>
  misreadAs(name, says, ({ imaginary }) =>
    imaginary === undefined || (imaginary[of] === 0 && re === undefined)
      ? undefined
      : { imaginary: { ...imaginary, [of]: to(imaginary[of]) }, ...(re === undefined ? {} : { [of]: re }) },
  );

const none = () => 0;

/** Mistakes in alpha and beta with imaginary parts. */
export const complexFactorCauses: readonly Cause[] = [
  turned('alpha-conjugated', 'alpha was conjugated', 'alpha', (im) => -im),
  turned('beta-conjugated', 'beta was conjugated', 'beta', (im) => -im),
  turned('alpha-real-part', 'the imaginary part of alpha was ignored', 'alpha', none),
  turned('beta-real-part', 'the imaginary part of beta was ignored', 'beta', none),
  misreadAs('factors-real-parts', 'the imaginary parts of alpha and beta were ignored', (gemm) =>
    gemm.imaginary === undefined ? undefined : { imaginary: undefined },
  ),
  turned('alpha-ignored', 'alpha was ignored', 'alpha', none, 1),
  turned('beta-ignored', 'C was added without beta', 'beta', none, 1),
  turned('c-left-out', 'beta·C was not added', 'beta', none, 0),
];
