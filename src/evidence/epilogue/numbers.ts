import { loadPart } from '../../base/part.ts';
import { NO_EPILOGUE } from '../../epilogue/chain-text.ts';
import type { EpilogueCall } from '../../matrix/epilogue-call.ts';
import type { Gemm } from '../../matrix/gemm.ts';
import type { StackedOperands } from '../../matrix/members.ts';
import type { Case } from '../../problem/case.ts';
import type { drawEpilogue, EpilogueDrawing } from './draw-epilogue.ts';

let draw: typeof drawEpilogue | undefined;

/** Loads the part that draws the numbers of a case's epilogue, if it has one. @throws ParanoiaError `part-missing` */
export async function loadEpilogueDrawing({ problem }: Case): Promise<void> {
  if (problem.epilogue === NO_EPILOGUE || draw !== undefined) return;
  ({ drawEpilogue: draw } = await loadPart('draws epilogues', () => import('./draw-epilogue.ts')));
}

/**
 * Draws the numbers of a product's epilogue, if it has one.
 * @throws Error before {@link loadEpilogueDrawing}
 */
export function epilogueNumbers(
  operands: StackedOperands,
  gemm: Gemm,
  drawing: EpilogueDrawing,
): readonly EpilogueCall[] | undefined {
  const { chain } = gemm;
  if (chain === undefined) return undefined;
  if (draw === undefined) throw new Error('the part that draws epilogues is not loaded');
  return draw(operands, { ...gemm, chain }, drawing);
}
