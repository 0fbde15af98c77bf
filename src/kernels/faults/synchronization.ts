import { ALL_LEVELS, FAST_LEVELS, type Fault, faultsIn, laddersIn } from './fault.ts';

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
