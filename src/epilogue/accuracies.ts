import { type Item, type Registry, registryOf } from '../base/registry.ts';
import { type EpilogueArithmetic, gamma } from './interval.ts';

/** An error of at most `relative`·|result| + `absolute`. */
export interface FunctionError {
  readonly relative: number;
  readonly absolute: number;
}

/** The accuracy of the functions of which activations are made. An error of n units in the last place is at most 2nu, relatively. */
export interface Accuracy extends Item {
  readonly source: string;
  /** The error of e^x, for abs(x) up to a size. */
  exp(size: number, arithmetic: EpilogueArithmetic): FunctionError;
  tanh(arithmetic: EpilogueArithmetic): FunctionError;
  erf(arithmetic: EpilogueArithmetic): FunctionError;
  /** The error of a quotient, in units in the last place. */
  readonly quotientUlps: number;
}

const relative = (ulps: number, arithmetic: EpilogueArithmetic): FunctionError => ({
  relative: gamma(2 * ulps, arithmetic),
  absolute: 0,
});

const cuda: Accuracy = {
  name: 'cuda',
  what: 'exp, tanh and erf within 2 ulps, as those of CUDA and of C libraries',
  source: 'NVIDIA, CUDA C++ Programming Guide, mathematical functions: expf, tanhf, erff, x/y',
  exp: (_, arithmetic) => relative(2, arithmetic),
  tanh: (arithmetic) => relative(2, arithmetic),
  erf: (arithmetic) => relative(2, arithmetic),
  quotientUlps: 0.5,
};

/** The relative error of __tanhf. */
const TANH_APPROX = 2 ** -11;

const cudaFast: Accuracy = {
  name: 'cuda-fast',
  what: 'exp within 2 + 1.173·|x| ulps, tanh within 2⁻¹¹ of its value, erf and quotients within 2 ulps: -use_fast_math',
  source: 'NVIDIA, CUDA C++ Programming Guide, intrinsic functions: __expf, __tanhf, __fdividef',
  exp: (size, arithmetic) => relative(2 + 1.173 * size, arithmetic),
  tanh: (arithmetic) => ({ relative: TANH_APPROX + gamma(2, arithmetic), absolute: 0 }),
  erf: cuda.erf,
  quotientUlps: 2,
};

/** The error of the polynomial for erf of Abramowitz and Stegun, 7.1.26, before roundings. */
const ERF_POLYNOMIAL = 1.5e-7;

const wgsl: Accuracy = {
  name: 'wgsl',
  what: 'exp within 3 + 2·|x| ulps, tanh within 10⁻⁵ or that of its exp, quotients within 2.5 ulps, erf by the polynomial with error 1.5·10⁻⁷',
  source: 'WebGPU Shading Language, accuracy of built-in functions; Abramowitz and Stegun, 7.1.26',
  exp: (size, arithmetic) => relative(3 + 2 * size, arithmetic),
  // sinh and cosh each have the error of two exponentials; beyond abs(x) = 10, tanh is 1 in binary32.
  tanh: (arithmetic) => ({
    relative: 0,
    absolute: Math.max(1e-5, gamma(2 * (2 * (3 + 2 * 10) + 2), arithmetic)),
  }),
  erf: (arithmetic) => ({ relative: 0, absolute: ERF_POLYNOMIAL + gamma(16, arithmetic) }),
  quotientUlps: 2.5,
};

/** Documented accuracies of functions, by name. */
export const accuracies: Registry<Accuracy> = registryOf<Accuracy>('accuracy', [cuda, cudaFast, wgsl]);
