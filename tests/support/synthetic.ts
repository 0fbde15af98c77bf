import type { CaseResult, Verdict } from '../../src/evidence/case-result.ts';
import type { Results, StudyResult } from '../../src/run/results.ts';
import { RESULTS_SCHEMA } from '../../src/run/results-schema.ts';

/** Synthetic results with every part that a report may show; the same every time. */
export function syntheticResults(): Results {
  const cases = [...series(), ...timed(), ...others(900 - 288 - 27)];
  const count = (verdict: Verdict) => cases.filter((result) => result.verdict === verdict).length;
  const summary = {
    planned: cases.length,
    run: cases.length,
    comparedWithModel: cases.length,
    equalToModel: cases.length,
  };
  return {
    schema: RESULTS_SCHEMA,
    createdAt: '2026-01-02T03:04:05.678Z',
    version: '0.1.0',
    command: 'gemm-paranoia gate --out reports/local',
    seed: 1,
    adapter: {
      id: 'made-up-adapter-01234567',
      kind: 'hardware',
      name: 'Made-up Adapter 9000',
      vendor: 'nobody',
      architecture: 'imaginary',
      device: 'none',
      driver: 'none 1.2.3',
      backend: 'vulkan',
      dawn: 'webgpu 0.0.0',
      features: ['shader-f16', 'subgroups'],
      toggles: [],
      chosenBecause: 'it is the only one',
    },
    arithmetic: { fused: true, flushesSubnormals: true, flushesBelow: 2 ** -126 },
    probe: probe(),
    verdict: 'fail',
    reason: '4 of 900 cases failed.',
    summary: {
      ...summary,
      pass: count('pass'),
      fail: count('fail'),
      inconclusive: count('inconclusive'),
      seconds: 61,
      interrupted: false,
    },
    growth: growth(),
    cases,
    study: study(cases[0].case),
  };
}

type Place = Pick<CaseResult, 'algorithm' | 'levels' | 'input' | 'n' | 'seed'> & Partial<CaseResult>;

const FACTORS: Readonly<Record<string, number>> = { classical: 1, strassen: 2.6, winograd: 4.4 };
const ALGORITHMS = Object.keys(FACTORS);

/** A case whose error grows realistically, and varies with the seed. */
export function syntheticCase({ algorithm, levels, input, n, seed, ...rest }: Place): CaseResult {
  const scatter = 1 + 0.3 * Math.sin(12.9898 * seed + n + 3 * levels);
  const error =
    scatter * 2 ** -24 * n ** (input === 'inverse-pair' ? 1.1 : 0.6) * FACTORS[algorithm] ** levels;
  const leaf = rest.leaf ?? 'register';
  const kernel = rest.kernel ?? `${algorithm}:${leaf}`;
  const { precision = 'f32', m = n, k = n } = rest;
  const parts = { kernel, levels, fringe: rest.fringe ?? 'pad', tail: 'mask' as const, input, m, k, n, seed };
  const text = Object.entries({ ...parts, ...(precision === 'f32' ? {} : { precision }) })
    .map(([key, value]) => `${key}=${value}`)
    .join(';');
  const measures = {
    maxError: error,
    meanError: error / 40,
    normalizedMax: error,
    normalizedMean: error / 40,
    componentwise: 3,
    normwise: 1,
    frobenius: 0.5,
    bits: 22 - 1.3 * levels * Math.log2(FACTORS[algorithm] + 0.1),
    unequal: n,
    disagreements: 0,
    worst: {
      i: Math.floor(m / 3),
      j: Math.floor(n / 2),
      computed: 1,
      expected: 1 - error,
      error,
      quadrant: 'C12',
    },
  };
  const reason = `The worst error uses ${(10 * scatter).toFixed(1)} % of its bound.`;
  return {
    case: text,
    algorithm,
    leaf,
    levelsUsed: levels,
    precision,
    series: false,
    verdict: 'pass',
    reason,
    replay: `npx gemm-paranoia gate --case '${text}'`,
    checks: [{ name: 'running-bound', status: 'pass', message: reason, found: 0.1, allowed: 1 }],
    exact: measures,
    ...(input === 'inverse-pair' ? { ideal: measures } : {}),
    sigma: { worst: 2 + scatter, largest: error / 3 },
    runningBound: { largest: error * 30, used: scatter / 10, vacuous: false },
    aPriori: { bound: error * 900 * 2 ** levels, vacuous: levels > 2 },
    equalsModel: true,
    ...parts,
    ...rest,
  };
}

/** The growth series: 3 algorithms, 4 levels, 4 sizes, 2 inputs, 3 seeds; one error is 0, and one infinite. */
function series(): CaseResult[] {
  const places = ALGORITHMS.flatMap((algorithm) =>
    ['uniform', 'inverse-pair'].flatMap((input) =>
      [0, 1, 2, 3].flatMap((levels) =>
        [32, 64, 128, 256].flatMap((n) =>
          [1, 2, 3].map((seed) => syntheticCase({ algorithm, levels, input, n, seed, series: true })),
        ),
      ),
    ),
  );
  const [first, second] = places;
  first.exact = { ...first.exact!, maxError: 0, meanError: 0 };
  second.exact = { ...second.exact!, maxError: 'Infinity', meanError: 'NaN' };
  return places;
}

/** Larger products with times: some with a map and a histogram, one sampled, some failing. */
function timed(): CaseResult[] {
  const places = ALGORITHMS.flatMap((algorithm) =>
    [0, 1, 2].flatMap((levels) =>
      [512, 1024, 2048].map((n) => {
        const seconds = 1e-12 * n ** 3 * 0.9 ** levels * (algorithm === 'classical' ? 1.2 ** levels : 1);
        return syntheticCase({ algorithm, levels, input: 'uniform', n, seed: 7, fringe: 'peel', seconds });
      }),
    ),
  );
  return places.map((result, at) => ({
    ...result,
    ...(at % 4 === 0 ? { errorMap: map(result), histogram: bell() } : {}),
    ...(at === 5 ? { checkedShare: 0.004 } : {}),
    ...(at % 9 === 1 ? failing(at) : {}),
    ...(at === 20 ? { verdict: 'inconclusive' as const, reason: 'No check could judge it.' } : {}),
  }));
}

function failing(at: number): Partial<CaseResult> {
  const message = `${at} of 262144 entries exceed their error bounds: all in C12; the worst error is 1.84 times its bound.`;
  return {
    verdict: 'fail',
    reason: message,
    checks: [
      { name: 'running-bound', status: 'fail', message, found: 1.84, allowed: 1 },
      { name: 'sigma', status: 'fail', message: 'The worst error is 9 sigmas.', found: 9, allowed: 6 },
    ],
  };
}

function map({ levels }: CaseResult) {
  const cells = Array.from({ length: 64 * 64 }, (_, at) => {
    const [i, j] = [Math.floor(at / 64), at % 64];
    const block = 2 ** (((i >> (6 - levels)) * 3 + (j >> (6 - levels)) * 5) % 7);
    return at % 997 === 0 ? 0 : 1e-6 * block * (1 + 0.8 * Math.sin(at * 78.233));
  });
  return { rows: 64, cols: 64, cells };
}

function bell() {
  const width = 0.25;
  const counts = Array.from({ length: 48 }, (_, at) => {
    const x = (at - 23.5) * width;
    return Math.round(262144 * width * 0.52 * Math.exp(-((x / 0.78) ** 2) / 2));
  });
  return { width, counts };
}

function others(count: number): CaseResult[] {
  const inputs = ['integers', 'scaled-rows', 'wide-exponents', 'special-values'];
  return Array.from({ length: count }, (_, at) => {
    const n = 1 + ((at * 37) % 131);
    return syntheticCase({
      algorithm: ALGORITHMS[at % 3],
      leaf: ['naive', 'tiled', 'register'][(at >> 2) % 3],
      levels: at % 4,
      input: inputs[at % 4],
      n,
      m: 1 + ((at * 17) % 129),
      seed: 1 + (at >> 7),
      ...(at % 5 === 0 ? { precision: 'f16' } : {}),
    });
  });
}

function growth(): Results['growth'] {
  return ALGORITHMS.flatMap((algorithm) =>
    (['maxError', 'meanError'] as const).flatMap((measure) => [
      ...[0, 1, 2, 3].map((fixed) => ({
        kernel: `${algorithm}:register`,
        precision: 'f32',
        input: 'uniform',
        measure,
        over: 'size' as const,
        fixed,
        points: [32, 64, 128, 256].map((n) => ({ x: n, error: 1e-8 * n ** 0.6 * 1.9 ** fixed })),
        slope: 0.6,
        interval: [0.52, 0.68] as [number, number],
      })),
      {
        kernel: `${algorithm}:register`,
        precision: 'f32',
        input: 'uniform',
        measure,
        over: 'levels' as const,
        fixed: 256,
        ...(algorithm === 'winograd'
          ? { points: [], reason: 'all errors are 0' }
          : {
              points: [0, 1, 2, 3].map((levels) => ({ x: levels, error: 3e-7 * 2 ** (1.4 * levels) })),
              slope: 1.4,
            }),
      },
    ]),
  );
}

function probe(): NonNullable<Results['probe']> {
  const standings = ['ieee', 'allowed', 'broken', 'absent'] as const;
  return standings.map((standing, at) => ({
    id: `f32.add.${at}`,
    group: at < 2 ? 'addition' : 'fused multiply-add',
    question: 'How are sums that lie halfway between two numbers rounded?',
    answer: 'To the one whose last bit is 0.',
    promise: 'Correctly rounded, in any direction.',
    standing,
  }));
}

function study(linked: string): StudyResult {
  const sizes = ['2048', '4096', '8192', '16384'];
  const cell = (figure: string, title: string, row: string, at: number) => ({
    figure,
    title,
    row,
    column: `n = ${sizes[at]}`,
    published: 8e-5 * 2 ** at,
    ...(at < 2 ? { measured: 8.1e-5 * 2 ** at, ratio: 1.01 } : {}),
    status:
      at === 1 && row === 'Winograd'
        ? ('departs' as const)
        : at < 2
          ? ('close' as const)
          : ('not-measured' as const),
    ...(at < 2 ? {} : { note: 'Too large for this adapter.' }),
    ...(at === 0 && row === 'classical' ? { case: linked } : {}),
  });
  const rows = ['classical', 'Strassen', 'Winograd'];
  const tables: [string, string][] = [
    ['Figure 30', 'Maximum error, f32'],
    ['Figure 31', 'Mean error, f32'],
  ];
  return {
    name: 'Strassen on GPUs',
    source: 'Li, Ranka and Sahni: Strassen’s Matrix Multiplication on GPUs (2011).',
    method: 'The inverse pair, initialised in single precision. A ratio from 0.5 to 2 counts as close.',
    cells: tables.flatMap(([figure, title]) =>
      rows.flatMap((row) => sizes.map((_, at) => cell(figure, title, row, at))),
    ),
    counts: rows.flatMap((row, at) =>
      ['arithmetics', 'volume'].map((column) => ({
        figure: 'Figure 14',
        title: 'One level',
        row,
        column,
        published: '7n³/4 + 11n²/4',
        computed: at === 2 ? '7n³/4 + 2n²' : '7n³/4 + 11n²/4',
        equal: at !== 2,
      })),
    ),
  };
}
