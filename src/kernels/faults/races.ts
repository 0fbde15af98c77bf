import {
  ALL_LEVELS,
  everyNth,
  FAST_LEVELS,
  type Fault,
  faultsIn,
  laddersIn,
  type ShaderEdit,
} from './fault.ts';

/** Faults in synchronization: a missing barrier, or a wrong order. */
export const synchronizationFaults: readonly Fault[] = [
  ...faultsIn('synchronisation', 'classical:tiled', ALL_LEVELS, {
    'stale-tile': {
      what: 'no barrier between loading a tile and using it',
      pointsAt: /all \d+×\d+ entries|tile|row/,
      edits: [['workgroupBarrier();\n    let depth', 'let depth']],
    },
    'overwritten-tile': {
      what: 'no barrier between using a tile and loading the next',
      pointsAt: /all \d+×\d+ entries|tile|row|everything/,
      edits: [['}\n    workgroupBarrier();\n  }', '}\n  }']],
    },
    'race-for-a-tile': {
      what: 'every workgroup also writes the tile of its left neighbor, and the last one wins',
      pointsAt: /\d+ of \d+ entries|tile|column/,
      edits: [
        [
          /(@workgroup_size\()(\d+)([\s\S]*)finish\(i \* params\.n \+ j, sum\);/,
          '$1$2$3finish(i * params.n + j, sum); if (j >= $2u) { finish(i * params.n + j - $2u, sum); }',
        ],
      ],
    },
    'shared-accumulator': {
      what: 'the invocations of a column of a tile add to one accumulator in workgroup memory',
      pointsAt: /\d+ of \d+ entries|row|everything/,
      edits: [
        [/@compute @workgroup_size\((\d+)/, 'var<workgroup> shared_sums: array<f32, $1>;\n$&'],
        [
          /sum = fma\((.*), sum\);/,
          'shared_sums[local.x] = fma($1, shared_sums[local.x]); sum = shared_sums[local.x];',
        ],
      ],
    },
  }),
  ...faultsIn('synchronisation', 'strassen:tiled', ALL_LEVELS, {
    'no-barriers': {
      what: 'both barriers around a tile are missing',
      pointsAt: /\d+ of \d+ entries|row|everything/,
      edits: [
        ['workgroupBarrier();\n    let depth', 'let depth'],
        ['}\n    workgroupBarrier();\n  }', '}\n  }'],
      ],
    },
  }),
  ...faultsIn('synchronisation', 'strassen:register', FAST_LEVELS, {
    'product-before-sum': {
      what: 'the first product starts before the sum it multiplies is computed',
      pointsAt: /C22|entries|never written/,
      steps: ([zero, one, two, ...rest]) => [zero, two, one, ...rest],
    },
  }),
  ...faultsIn('synchronisation', 'strassen:naive', FAST_LEVELS, {
    'fix-up-too-early': {
      what: 'peeling adds its terms of k before their core is computed',
      steps: (all) => [
        ...all.filter(({ slots: [slot] }) => slot.window !== undefined),
        ...all.filter(({ slots: [slot] }) => slot.window === undefined),
      ],
    },
  }),
  ...faultsIn('synchronisation', 'winograd:naive', FAST_LEVELS, {
    'last-step-lost': {
      what: 'C is read back before the last step has run',
      steps: (all) => all.slice(0, -1),
    },
  }),
];

/** Faults by how rarely workgroups collide. */
export const synchronizationLadders: readonly Fault[] = laddersIn('synchronisation', 'classical:naive', [0], {
  race: {
    what: 'one workgroup in ‹#› also writes the first entry of its left neighbor',
    sizes: [2, 8, 32, 128, 512],
    plant: (count) => ({
      edits: [
        [
          'finish(i * params.n + j, sum);',
          `finish(i * params.n + j, sum);
  let group = (id.y / 8u) * ((params.n + 7u) / 8u) + id.x / 8u;
  if (group % ${count}u == ${count - 1}u && id.x % 8u == 0u && id.y % 8u == 0u && j >= 8u) { finish(i * params.n + j - 8u, sum); }`,
        ],
      ],
    }),
  },
});

const TERM = 'fma(x[i * params.k + p], y[p * params.n + j], sum)';

/** Edits that add from the last term to the first. */
const BACKWARDS: readonly ShaderEdit[] = [
  ['x[i * params.k + p]', 'x[i * params.k + (params.k - 1u - p)]'],
  ['y[p * params.n + j]', 'y[(params.k - 1u - p) * params.n + j]'],
];

/** Edits that add the even terms, then the odd ones. */
const EVEN_FIRST: readonly ShaderEdit[] = [
  [
    `sum = ${TERM};`,
    `let half = (params.k + 1u) / 2u;
    let q = select(2u * p, 2u * (p - half) + 1u, p >= half);
    sum = fma(x[i * params.k + q], y[q * params.n + j], sum);`,
  ],
];

const DIFFERS = /the same product ran again/;

/** Faults that give different bits for the same product. */
export const nonDeterminismFaults: readonly Fault[] = [
  ...faultsIn('non-determinism', 'classical:naive', ALL_LEVELS, {
    'order-by-run': {
      what: 'every second product is summed backwards, as if by the first worker to arrive',
      pointsAt: DIFFERS,
      meets: everyNth(2),
      edits: BACKWARDS,
    },
  }),
  ...faultsIn('non-determinism', 'strassen:naive', ALL_LEVELS, {
    'split-by-run': {
      what: 'every second product adds the even terms first, as if k were split over two workers',
      pointsAt: DIFFERS,
      meets: everyNth(2),
      edits: EVEN_FIRST,
    },
  }),
  ...faultsIn('non-determinism', 'classical:naive', [0], {
    'uninitialised-accumulator': {
      what: 'the sum starts with the old contents of C',
      pointsAt: /never written|NaN/,
      edits: [['var sum = 0.0;', 'var sum = s0[i * params.n + j];']],
    },
  }),
  ...faultsIn('non-determinism', 'classical:tiled', [0], {
    'uninitialised-tile': {
      what: 'the sum of a tile starts with the old contents of C in rows of an odd index',
      pointsAt: /row|never written|NaN/,
      edits: [['var sum = 0.0;', 'var sum = select(0.0, s0[i * params.n + j], (i & 1u) == 1u);']],
    },
  }),
  ...faultsIn('non-determinism', 'winograd:naive', ALL_LEVELS, {
    'entry-by-run': {
      what: 'every second product loses the last term in its last entry',
      pointsAt: /single entry|the same product ran again|\d+ of \d+ entries/,
      meets: everyNth(2),
      edits: [['p < params.k;', 'p < params.k - select(0u, 1u, i + 1u == params.m && j + 1u == params.n);']],
    },
  }),
];

/** Faults by how rarely a product differs. */
export const nonDeterminismLadders: readonly Fault[] = laddersIn(
  'non-determinism',
  'classical:naive',
  ALL_LEVELS,
  {
    'other-order': {
      what: 'one product in ‹#› is summed backwards',
      sizes: [2, 4, 8, 16, 32, 64],
      plant: (every) => ({ meets: everyNth(every), edits: BACKWARDS }),
    },
  },
);
