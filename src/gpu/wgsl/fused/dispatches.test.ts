import { describe, expect, it } from 'vitest';
import { findAlgorithm } from '../../../algorithms/algorithms.ts';
import type { Shape } from '../../../matrix/dense.ts';
import { compile } from '../../../plan/compile.ts';
import { variantsOf } from '../../../plan/fused.ts';
import type { Style } from '../../../plan/plan.ts';
import { single } from '../../../precision/wgsl/numeric.ts';
import { OPERATIONS_AT_ONCE } from '../../tuning/tuning.ts';
import { compileProgram } from '../dispatches.ts';
import { findLeaf } from '../leaves/leaves.ts';
import { takesBlock } from './dispatches.ts';

const shape = { m: 64, k: 64, n: 64 };

function dispatchesOf(name: string, style: Style, levels: number, of: Shape = shape, blocking = 'small') {
  const plan = compile({ algorithm: findAlgorithm(name), shape: of, depth: { levels }, style });
  return { plan, dispatches: compileProgram(plan, findLeaf('naive', of), undefined, blocking).dispatches };
}

describe('the dispatches of fused products', () => {
  it.each([
    ['strassen', 1, 4, 4],
    ['strassen', 2, 10, 16],
    ['winograd', 1, 6, 7],
  ])('%s at %i levels: a shader for each of %i variants, %i dispatches', (name, levels, variants, count) => {
    const { plan, dispatches } = dispatchesOf(name, 'fused', levels);
    expect(variantsOf(plan.fused?.algorithm ?? plan.algorithm)).toHaveLength(variants);
    expect(new Set(dispatches.map(({ shader }) => shader)).size).toBe(variants);
    expect(dispatches).toHaveLength(count);
    expect(dispatches.reduce((sum, { workgroups }) => sum + (workgroups[2] ?? 1), 0)).toBe(plan.steps.length);
  });

  it('bind A, B and C once each, however many terms a product has', () => {
    for (const { blocks } of dispatchesOf('strassen', 'fused', 2).dispatches) {
      expect(blocks.map(({ buffer, offset }) => `${buffer}${offset}`)).toEqual(['A0', 'B0', 'C0']);
    }
  });

  it('in any order are one a variant, after one that clears C', () => {
    const { dispatches } = dispatchesOf('strassen', 'atomic', 1);
    expect(dispatches.map(({ workgroups }) => workgroups[2])).toEqual([undefined, 1, 2, 2, 2]);
  });

  const CHECK = 'if (i >= term.y || j >= term.z) { continue; }';

  it('leave out checks where nothing is cut off', () => {
    for (const { shader } of dispatchesOf('winograd', 'fused', 1).dispatches)
      expect(shader).not.toContain(CHECK);
  });

  it('keep them where blocks of C alone are cut off, which the product A11·B11 of Winograd updates all', () => {
    const cut = { m: 31, k: 32, n: 63 };
    const { dispatches } = dispatchesOf('winograd', 'fused', 1, cut);
    const whole = dispatches.filter(({ shader }) => !shader.includes(CHECK)).map(({ label }) => label);
    // Only A12·B21 updates just C11, which has no tail.
    expect(whole).toHaveLength(1);
    expect(whole[0]).toContain('(A12, B21, C11)');
  });

  it('are split by rows where one would take too long, at the tiles of the blocking', () => {
    const large = { m: 8192, k: 8192, n: 8192 };
    const { dispatches } = dispatchesOf('strassen', 'fused', 1, large, 'huge');
    const rows = dispatches.filter(({ label }) => label.includes('batch 2')).map(({ params }) => params[3]);
    expect(rows.length).toBeGreaterThan(1);
    expect(rows[0]).toBe(0);
    expect(rows.every((row) => row % 128 === 0)).toBe(true);
    for (const { operations } of dispatches) expect(operations).toBeLessThanOrEqual(OPERATIONS_AT_ONCE);
  });

  it('take the block shape of a leaf kernel where it divides all, products have an order and nothing else is asked for', () => {
    const leaf = findLeaf('staged-32x32-4x4-columns-double', shape);
    const takes = (style: Style, of: Shape = shape, blocking?: string) =>
      takesBlock(dispatchesOf('strassen', style, 1, of).plan, { numeric: single, blocking, leaf });
    expect([takes('fused'), takes('hybrid')]).toEqual([true, true]);
    expect([takes('atomic'), takes('fused', { ...shape, n: 68 }), takes('fused', shape, 'small')]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
