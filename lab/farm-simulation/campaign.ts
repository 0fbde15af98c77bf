import { algorithmRegistry } from '../../src/algorithms/algorithms.ts';
import { sha256 } from '../../src/base/canonical.ts';
import type { CaseResult } from '../../src/evidence/case-result.ts';
import { storeCampaign } from '../../src/farm/node/campaign-file.ts';
import type { Store } from '../../src/farm/queue.ts';
import type { StoredCampaign } from '../../src/farm/stored.ts';
import { type Case, parseCase } from '../../src/problem/case.ts';

/** The mean seconds of a case: ten times that of a mixed default campaign on one machine. */
export const MEAN_SECONDS = 0.4;

const KERNELS = ['classical:naive', 'classical:tiled', 'strassen:tiled', 'winograd:register'];

/** Makes cases of our kernels, which differ only in their seeds, since they are never computed. */
export function casesOf(count: number): Case[] {
  const models = KERNELS.map((kernel) => parseCase(`kernel=${kernel};input=uniform;m=16;k=16;n=16`));
  const each = Math.ceil(count / models.length);
  return Array.from({ length: count }, (_, at) => {
    const model = models[Math.floor(at / each)];
    return { ...model, problem: { ...model.problem, seed: at % each } };
  });
}

/** Stores a campaign, as `farm submit` does. */
export async function submitCampaign(store: Store, cases: readonly Case[]): Promise<StoredCampaign> {
  const id = await sha256(`simulation of ${cases.length}`);
  const speeds = new Map(KERNELS.map((kernel) => [kernel, { overhead: MEAN_SECONDS, rate: 1e12 }]));
  const planned = {
    ...{ cases, inspected: [], notes: [] },
    about: { id, cases: cases.length, whole: true, sources: await sha256('simulation') },
  };
  const about = {
    ...{ version: '0.0.0', command: 'simulation', seed: 1, sources: planned.about.sources, files: [] },
    ...{ thresholds: { sigmas: 6, drift: 2 }, waivers: [], thin: [], notes: [] },
    ...{
      replay: { before: '', behind: '' },
      catalog: { external: () => undefined, algorithms: algorithmRegistry },
    },
  };
  const machine = { fingerprint: { kind: 'hardware' } };
  const { campaign } = await storeCampaign(store, planned as never, about, machine as never, speeds);
  return campaign;
}

/** A stub result such as one of our kernels on SwiftShader: 1.2 kB of JSON, with numbers that differ between cases. */
export function stubResult(text: string, at: number): CaseResult {
  const { kernel, problem, method } = parseCase(text);
  const [algorithm, leaf] = kernel.split(':');
  const one = fraction(at);
  const message = `The worst error uses ${(10 * one).toFixed(2)} % of its bound.`;
  return {
    ...{ case: text, kernel, ...method, precision: 'f32', input: 'uniform', m: 16, k: 16, n: 16 },
    ...{ seed: problem.seed, algorithm, leaf, leafKernel: leaf, levelsUsed: 0, series: false },
    ...{ replay: `npx gemm-paranoia gate --case '${text}'`, verdict: 'pass', reason: message },
    checks: [
      { name: 'complete', status: 'pass', message: 'Every entry was written and nothing outside.' },
      { name: 'running-bound', status: 'pass', message, found: one / 10, allowed: 1 },
      { name: 'sigma', status: 'pass', message: 'The worst error is 1.36 sigmas.', found: one, allowed: 6 },
    ],
    exact: {
      ...{
        maxError: one * 4e-7,
        meanError: one * 9e-8,
        normalizedMax: one * 5e-7,
        normalizedMean: one * 1e-7,
      },
      ...{ componentwise: one, normwise: 5 * one, frobenius: one / 3, bits: 22 + one, unequal: 256 },
      disagreements: 0,
      worst: { i: 1, j: 2, computed: one, expected: one, error: one * 4e-7, quadrant: 'C' },
    },
    sigma: { worst: one, largest: one * 7e-7 },
    runningBound: { largest: one * 7e-6, used: one / 10, vacuous: false },
    equalsModel: true,
    aPriori: { bound: 0.000015, vacuous: false },
  } as CaseResult;
}

/** A pseudo-random number in [0, 1) from a place: every worker gets the same one for a case. */
const fraction = (at: number): number => (Math.imul(at + 1, 0x9e3779b1) >>> 0) / 2 ** 32;
