import { registryOf } from '../base/registry.ts';
import { benson2015 } from './papers/benson-2015.ts';
import { border2013 } from './papers/border-2013.ts';
import { davis2025 } from './papers/davis-2025.ts';
import { dobravec2017 } from './papers/dobravec-2017.ts';
import { dumas2025 } from './papers/dumas-2025.ts';
import { huang2020 } from './papers/huang-2020.ts';
import { mary2025 } from './papers/mary-2025.ts';
import { strassen2011 } from './papers/strassen-2011.ts';
import type { Study } from './study.ts';

/** Every published study that can be measured again. */
export const studies = registryOf<Study>('study', [
  strassen2011,
  davis2025,
  dobravec2017,
  huang2020,
  border2013,
  dumas2025,
  mary2025,
  benson2015,
]);
