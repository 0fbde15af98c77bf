import { type Registry, registryOf } from '../base/registry.ts';
import type { EpilogueStep } from './step.ts';
import { clamp, leakyRelu, relu, squaredRelu } from './steps/clamps.ts';
import { requantize } from './steps/requantize.ts';
import { geglu, gegluTanh, round, swiglu } from './steps/round.ts';
import { gelu, geluTanh, sigmoid, silu, tanh } from './steps/smooth.ts';
import { bias, residual, scale } from './steps/with-tensors.ts';

/** The steps of which epilogues are made. */
export const epilogueSteps: Registry<EpilogueStep> = registryOf<EpilogueStep>('epilogue step', [
  ...[bias, residual, scale],
  ...[relu, leakyRelu, squaredRelu, clamp],
  ...[gelu, geluTanh, silu, sigmoid, tanh],
  ...[swiglu, geglu, gegluTanh],
  ...[round, requantize],
]);
