import { findAlgorithm } from '../algorithms/algorithms.ts';
import { growthOfKernel, sharedGrowth } from '../algorithms/shared-growth.ts';
import { editedFamily, inputOf } from '../inputs/edits/edited-family.ts';
import { parseEdits } from '../inputs/edits/edits.ts';
import type { InputFamily, InputShape } from '../inputs/input.ts';
import { findInput } from '../inputs/inputs.ts';
import { precisions } from '../precision/precisions.ts';
import { type Case, caseOf, flat, type Said } from '../problem/case.ts';
import { gemmOf } from '../problem/gemm-of.ts';
import type { Flat } from '../problem/problem.ts';
import { unserved } from '../problem/served.ts';
import type { Target } from './target.ts';

/** The case that drawn fields make, with the next input that accepts it and the edits that this one does; undefined where none does. */
export function settled(
  drawn: Partial<Flat>,
  {
    kernel,
    precision,
    algorithm,
    fault,
    claimed,
    refuses,
  }: Pick<Target, 'kernel' | 'precision' | 'algorithm' | 'fault' | 'claimed' | 'refuses'>,
  inputs: readonly string[],
): Case | undefined {
  const value = caseOf({ ...(drawn as Said), kernel, precision, fault });
  const { m, k, n, input, edit } = value.problem;
  if (unserved(value) !== undefined || refuses(gemmOf(value.problem)) !== undefined) return undefined;
  const levels = claimed?.({ m, k, n }) ?? value.method.levels;
  const growth = algorithm === undefined ? growthOfKernel(kernel) : sharedGrowth(findAlgorithm(algorithm));
  const asked = { m, k, n, levels, growth, precision: precisions.find(precision) };
  const at = Math.max(0, inputs.indexOf(input));
  const family = [...inputs.slice(at), ...inputs].map(findInput).find((one) => one.accepts(asked).ok);
  if (family === undefined) return undefined;
  return caseOf({ ...flat(value), levels, input: family.name, edit: allowedEdits(edit, family, asked) });
}

/**
 * Those edits of a text that a family and a shape allow. Terms are made to cancel only where errors are random: elsewhere
 * nothing could judge the result, its bound would exceed it.
 */
export function allowedEdits(text: string, family: InputFamily, shape: InputShape): string {
  const chosen: string[] = [];
  for (const edit of text === 'none' ? [] : text.split(',')) {
    const before = inputOf({ input: family.name, edit: chosen.join() || 'none' });
    if (edit.startsWith('cancel') && before.statistics !== 'random') continue;
    const edits = parseEdits([...chosen, edit].join());
    if (editedFamily(family, edits).accepts(shape).ok) chosen.push(edit);
  }
  return chosen.join() || 'none';
}
