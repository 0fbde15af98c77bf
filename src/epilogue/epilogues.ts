import { type Registry, registryOf } from '../base/registry.ts';
import type { EpilogueStep } from './step.ts';
import { bias, residual } from './steps/added.ts';
import { clamp, leakyRelu, relu, squaredRelu } from './steps/clamps.ts';
import { geglu, gegluTanh, swiglu } from './steps/gates.ts';
import { requantize } from './steps/requantize.ts';
import { round } from './steps/round.ts';
import { scale } from './steps/scale.ts';
import { gelu, geluTanh, sigmoid, silu, tanh } from './steps/smooth.ts';

/** The steps of which epilogues are made. */
export const epilogueSteps: Registry<EpilogueStep> = registryOf<EpilogueStep>('epilogue step', [
  ...[bias, residual, scale],
  ...[relu, leakyRelu, squaredRelu, clamp],
  ...[gelu, geluTanh, silu, sigmoid, tanh],
  ...[swiglu, geglu, gegluTanh],
  ...[round, requantize],
]);
