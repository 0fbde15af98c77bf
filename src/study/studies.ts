import { registryOf } from '../base/registry.ts';
import { border2013 } from './papers/border-2013.ts';
import { davis2025 } from './papers/davis-2025.ts';
import { dobravec2017 } from './papers/dobravec-2017.ts';
import { huang2020 } from './papers/huang-2020.ts';
import { strassen2011 } from './papers/strassen-2011.ts';
import type { Study } from './study.ts';

/** Every published study that can be measured again. */
export const studies = registryOf<Study>('study', [
  strassen2011,
  davis2025,
  dobravec2017,
  huang2020,
  border2013,
]);
