import { describe, expect, it } from 'vitest';
import { stillClock } from '../src/base/time.ts';
import type { GivenStep } from '../src/epilogue/chain.ts';
import { readChains } from '../src/epilogue/chain-text.ts';
import { honestResult } from '../src/evidence/epilogue/honest.testing.ts';
import { contradictions, promisesOf } from '../src/inspect/contradictions.ts';
import { inspectKernel } from '../src/inspect/inspect-kernel.ts';
import { type Kernel, type ProductInput, sessionOf } from '../src/kernels/kernel.ts';
import { made } from './inspect-kernels.ts';

/** The law: inspection finds the steps behind sums from outputs alone, and the claims that these disprove. */
const METHOD = { levels: 0, fringe: 'pad', tail: 'mask' } as const;

/** Returns a kernel that claims epilogues and computes the steps of a change. */
function fused(
  claimed: string,
  change: (steps: readonly GivenStep[]) => readonly GivenStep[],
  precision = 'f32',
): Kernel {
  const kernel = made('fused', { precision });
  return {
    ...kernel,
    followsPlan: false,
    epilogues: readChains(claimed),
    session: sessionOf(({ operands: { a, b, epilogue = [] } }: ProductInput) =>
      honestResult({ a, b, precision, epilogue: epilogue.length === 0 ? [] : change(epilogue) }, false),
    ),
  };
}

async function inspected(kernel: Kernel) {
  const found = await inspectKernel(kernel, { quick: true, sizes: [16], clock: stillClock });
  const answers = found.findings.filter(({ id }) => id === 'epilogue');
  const against = contradictions(found, promisesOf(kernel, METHOD)).filter((one) => one.includes('epilogue'));
  return { found, answers, against };
}

const same = (steps: readonly GivenStep[]) => steps;
const named = (steps: readonly GivenStep[], name: string) =>
  steps.findIndex((one) => typeof one === 'object' && one.step === name);
/** Puts steps in the place of one. */
const inPlace =
  (name: string, ...by: readonly GivenStep[]) =>
  (steps: readonly GivenStep[]) =>
    steps.toSpliced(named(steps, name), 1, ...by);
const ahead = (name: string, step: GivenStep) => (steps: readonly GivenStep[]) =>
  steps.toSpliced(named(steps, name), 0, step);

describe('epilogues', () => {
  it.each<[claimed: string, change: typeof same, answer: string, precision?: string]>([
    ['bias:row,gelu', same, 'bias, then gelu, unrounded between, as claimed'],
    [
      'bias:row,gelu',
      inPlace('gelu', 'gelu-tanh'),
      'bias, then gelu-tanh, unrounded between: gelu-tanh was computed in place of gelu',
    ],
    [
      'bias:row,silu',
      (steps) => steps.toReversed(),
      'silu, then bias, unrounded between: bias was applied after silu',
    ],
    ['scale:column,bias:row', same, 'scale, then bias, unrounded between, as claimed'],
    [
      'scale:column,bias:row',
      (steps) => steps.toReversed(),
      'bias, then scale, unrounded between: scale was applied after bias',
    ],
    [
      'bias:row,silu',
      ahead('silu', { step: 'round', to: 'bf16' }),
      'bias, then rounded to bf16, then silu: entries were rounded to bf16 before silu',
    ],
    ['bias:row,round:bf16,silu', same, 'bias, then rounded to bf16, then silu, as claimed'],
    ['bias:row,round:bf16,silu', inPlace('round'), 'bias, then silu, unrounded between: round was skipped'],
    [
      'bias:row,tanh',
      ahead('tanh', { step: 'round', to: 'bf16' }),
      'bias, then rounded to bf16, then tanh: entries were rounded to bf16 before tanh',
      'bf16-f32-bf16',
    ],
    [
      'residual,relu,requantize:int8',
      inPlace('relu'),
      'residual, then requantize, unrounded between: relu was skipped',
    ],
  ])('%s of a kernel %#', async (claimed, change, answer, precision = 'f32') => {
    const { answers, against } = await inspected(fused(claimed, change, precision));
    expect(answers.map((one) => one.answer)).toEqual([answer]);
    const isClaimed = answer.endsWith('as claimed');
    expect(against).toHaveLength(isClaimed ? 0 : 1);
    if (!isClaimed)
      expect(against[0]).toContain(`It claims the epilogue ${claimed}, but ${answer.split(': ')[1]}.`);
  });

  it('that the outputs cannot tell apart are named', async () => {
    const { answers, against } = await inspected(fused('bias:row,relu', same, 'bf16-f32-bf16'));
    expect(answers[0].answer).toBe(
      'bias, then relu, unrounded between, as claimed; or entries were rounded to bf16 before relu',
    );
    expect(answers[0].confidence).toBe('likely');
    expect(against).toEqual([]);
  });

  it('of no known mistake disprove the claim', async () => {
    const { answers, against } = await inspected(
      fused('relu', () => [{ step: 'scale', values: 0.77 }, 'tanh']),
    );
    expect(answers[0].answer).toBe('not the claimed steps, nor a known mistake');
    expect(against).toEqual(['It claims the epilogue relu, but its outputs show other steps.']);
  });

  it('are asked only of kernels that have some, one product each', async () => {
    const plain = await inspected(made('plain', {}));
    const { found, answers } = await inspected(fused('none|relu|bias:row,tanh', same));
    expect([plain.answers.length, answers.length]).toEqual([0, 2]);
    expect(found.products).toBe(plain.found.products + 2);
    expect(plain.found.measures.epilogues).toBeUndefined();
  });
});
