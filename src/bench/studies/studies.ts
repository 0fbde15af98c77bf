import { problem } from '../../problems.ts';
import { border2013 } from './border-2013.ts';
import { davis2025 } from './davis-2025.ts';
import { dobravec2017 } from './dobravec-2017.ts';
import { huang2020 } from './huang-2020.ts';
import { strassen2011 } from './strassen-2011.ts';
import type { BenchStudy } from './study.ts';

/** Every speed study that can be run again. */
export const benchStudies: readonly BenchStudy[] = [
  strassen2011,
  davis2025,
  dobravec2017,
  huang2020,
  border2013,
];

/** The study of a name. @throws Problem `unknown-name` */
export function findBenchStudy(name: string): BenchStudy {
  const found = benchStudies.find((study) => study.name === name);
  if (found !== undefined) return found;
  throw problem('unknown-name', {
    what: 'study',
    given: name,
    known: benchStudies.map((study) => study.name),
  });
}
