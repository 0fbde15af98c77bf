import { NO_EPILOGUE } from '../epilogue/chain-text.ts';
import { editedFamily } from '../inputs/edits/edited-family.ts';
import { parseEdits } from '../inputs/edits/edits.ts';
import type { InputFamily, InputShape } from '../inputs/input.ts';
import { fullInnerSize } from '../matrix/structured-operands.ts';
import { type Case, type CaseFields, caseOf, flattenCase } from '../problem/case.ts';
import { fitStructure } from '../problem/fit-structure.ts';
import { toGemm } from '../problem/gemm-of.ts';
import type { FlatCase } from '../problem/problem.ts';
import { whyImpossible } from '../problem/why-impossible.ts';
import type { Target } from './target.ts';

/**
 * Makes a case from drawn fields, with the next input that accepts the shape and the edits that this input allows. Undefined if none does.
 */
export function settleFields(
  drawn: Partial<FlatCase>,
  {
    kernel,
    limits,
    fault,
    claimed,
    refuses,
  }: Pick<Target, 'kernel' | 'limits' | 'fault' | 'claimed' | 'refuses'>,
  families: readonly InputFamily[],
): Case | undefined {
  const made = caseOf({ ...(drawn as CaseFields), kernel, precision: limits.precision.name, fault });
  const value = { ...made, problem: fitStructure(made.problem) };
  const { m, n, input, edit } = value.problem;
  if (whyImpossible(value) !== undefined) return undefined;
  const gemm = toGemm(value.problem);
  if (refuses(gemm) !== undefined) return undefined;
  const k = fullInnerSize(gemm);
  const levels = claimed?.({ m, k, n }) ?? value.method.levels;
  const asked = { m, k, n, levels, ...limits };
  const at = Math.max(
    0,
    families.findIndex(({ name }) => name === input),
  );
  const family = [...families.slice(at), ...families].find((one) => one.accepts(asked).ok);
  if (family === undefined) return undefined;
  const edits = value.problem.epilogue === NO_EPILOGUE ? edit : withoutUnbounded(edit);
  return caseOf({
    ...flattenCase(value),
    levels,
    input: family.name,
    edit: allowedEdits(edits, family, asked),
  });
}

/** True if sums of edits cancel or fill the range, so that bounds may exceed them. */
export const isUnbounded = (edits: string): boolean => /cancel|opposed|far-bands|near-largest/.test(edits);

const withoutUnbounded = (edits: string): string =>
  edits
    .split(',')
    .filter((edit) => !isUnbounded(edit))
    .join() || 'none';

/**
 * Returns the edits of a text that a family and a shape allow. Terms cancel only where errors are random: elsewhere the bound would exceed
 * the result, and no check could decide it.
 */
export function allowedEdits(text: string, family: InputFamily, shape: InputShape): string {
  const chosen: string[] = [];
  for (const edit of text === 'none' ? [] : text.split(',')) {
    const before = chosen.length === 0 ? family : editedFamily(family, parseEdits(chosen.join()));
    if (edit.startsWith('cancel') && before.statistics !== 'random') continue;
    const edits = parseEdits([...chosen, edit].join());
    if (editedFamily(family, edits).accepts(shape).ok) chosen.push(edit);
  }
  return chosen.join() || 'none';
}
