import { type Registry, registryOf } from '../../base/registry.ts';
import type { Check } from './check.ts';
import { complete } from './complete.ts';
import { drift } from './drift.ts';
import { empty } from './empty.ts';
import { epilogue } from './epilogue.ts';
import { exactness } from './exactness.ts';
import { exceptions } from './exceptions.ts';
import { projections } from './projections.ts';
import { realDiagonal } from './real-diagonal.ts';
import { repeatable, unbiased } from './repeated.ts';
import { runningBound } from './running-bound.ts';
import { sigma } from './sigma.ts';

/** The built-in checks. The first that fails gives the reason of a verdict; checks of a config come last. */
export const checks: Registry<Check> = registryOf<Check>('check', [
  complete,
  realDiagonal,
  empty,
  exactness,
  exceptions,
  epilogue,
  runningBound,
  projections,
  sigma,
  repeatable,
  unbiased,
  drift,
]);
