import { problem } from '../problems.ts';
import { strassen2011 } from './strassen-2011.ts';
import type { StudyRecord } from './study.ts';

/** Every published study that can be measured again. */
export const studies: readonly StudyRecord[] = [strassen2011];

/** The study of a name. @throws Problem `unknown-name` */
export function findStudy(name: string): StudyRecord {
  const found = studies.find((study) => study.name === name);
  if (found !== undefined) return found;
  throw problem('unknown-name', { what: 'study', given: name, known: studies.map((study) => study.name) });
}
