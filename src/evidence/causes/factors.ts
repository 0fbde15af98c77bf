import type { Gemm } from '../../matrix/gemm.ts';
import { type Cause, oneWay } from './cause.ts';
import { readAs } from './readings.ts';

/** Returns a change of the factors of a product; undefined where it changes nothing. */
type Change = (gemm: Gemm) => Partial<Gemm> | undefined;

const misreadAs = (name: string, says: string, change: Change): Cause =>
  oneWay(name, says, (scene) => {
    const changed = change(scene.gemm);
    return changed && readAs(scene, changed);
  });

/** Returns a cause that misreads factors without imaginary parts. */
const misread = (name: string, says: string, change: Change): Cause =>
  misreadAs(name, says, (gemm) => (gemm.imaginary === undefined ? change(gemm) : undefined));

const isScaled = ({ alpha, beta }: Gemm) => alpha !== 1 && beta !== 0;

/** Mistakes in alpha and beta. */
export const factorCauses: readonly Cause[] = [
  misread('c-left-out', 'as if beta·C were not added', ({ beta }) => (beta === 0 ? undefined : { beta: 0 })),
  misread('beta-ignored', 'as if C were added without beta', ({ beta }) =>
    beta === 0 || beta === 1 ? undefined : { beta: 1 },
  ),
  misread('c-twice', 'as if beta·C were added twice', ({ beta }) =>
    beta === 0 ? undefined : { beta: 2 * beta },
  ),
  misread('c-subtracted', 'as if beta·C were subtracted', ({ beta }) =>
    beta === 0 ? undefined : { beta: -beta },
  ),
  misread('beta-squared', 'as if C were multiplied by beta twice', ({ beta }) =>
    beta === 0 || beta === 1 ? undefined : { beta: beta * beta },
  ),
  misread('alpha-ignored', 'as if alpha were left out', ({ alpha }) =>
    alpha === 1 ? undefined : { alpha: 1 },
  ),
  misread('alpha-squared', 'as if alpha were multiplied twice', ({ alpha }) =>
    alpha === 1 ? undefined : { alpha: alpha * alpha },
  ),
  misread('alpha-on-c', 'as if alpha multiplied C too', (gemm) =>
    isScaled(gemm) ? { beta: gemm.alpha * gemm.beta } : undefined,
  ),
  misread('beta-on-all', 'as if beta multiplied all of it', ({ alpha, beta }) =>
    beta === 0 || beta === 1 ? undefined : { alpha: alpha * beta },
  ),
  misread('alpha-for-beta', 'as if alpha and beta were exchanged', ({ alpha, beta }) =>
    beta === 0 || alpha === beta ? undefined : { alpha: beta, beta: alpha },
  ),
  misread('product-left-out', 'as if A·B were left out', ({ alpha, beta }) =>
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
  turned('alpha-conjugated', 'as if alpha were conjugated', 'alpha', (im) => -im),
  turned('beta-conjugated', 'as if beta were conjugated', 'beta', (im) => -im),
  turned('alpha-real-part', 'as if the imaginary part of alpha were left out', 'alpha', none),
  turned('beta-real-part', 'as if the imaginary part of beta were left out', 'beta', none),
  misreadAs('factors-real-parts', 'as if the imaginary parts of alpha and beta were left out', (gemm) =>
    gemm.imaginary === undefined ? undefined : { imaginary: undefined },
  ),
  turned('alpha-ignored', 'as if alpha were left out', 'alpha', none, 1),
  turned('beta-ignored', 'as if C were added without beta', 'beta', none, 1),
  turned('c-left-out', 'as if beta·C were not added', 'beta', none, 0),
];
