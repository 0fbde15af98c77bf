import type { Program } from '../../gpu/dispatches.ts';
import { ALL_LEVELS, dispatched, edited, FAST_LEVELS, type Fault, type Ladder } from './fault.ts';

type Dispatches = Program['dispatches'];

/** Faults in what waits for what. */
export const synchronisationFaults: readonly Fault[] = (
  [
    {
      name: 'stale-tile',
      what: 'no barrier between loading a tile and using it',
      kernel: 'classical:tiled',
      levels: ALL_LEVELS,
      pointsAt: /all \d+×\d+ entries|tile|row/,
      tampering: edited(['workgroupBarrier();\n    let depth', 'let depth']),
    },
    {
      name: 'overwritten-tile',
      what: 'no barrier between using a tile and loading the next',
      kernel: 'classical:tiled',
      levels: ALL_LEVELS,
      pointsAt: /all \d+×\d+ entries|tile|row|everything/,
      tampering: edited(['}\n    workgroupBarrier();\n  }', '}\n  }']),
    },
    {
      name: 'no-barriers',
      what: 'neither of the two barriers around a tile is there',
      kernel: 'strassen:tiled',
      levels: ALL_LEVELS,
      pointsAt: /\d+ of \d+ entries|row|everything/,
      tampering: edited(
        ['workgroupBarrier();\n    let depth', 'let depth'],
        ['}\n    workgroupBarrier();\n  }', '}\n  }'],
      ),
    },
    {
      name: 'race-for-a-tile',
      what: 'every workgroup also writes the tile of its left neighbour, and the last one wins',
      kernel: 'classical:tiled',
      levels: ALL_LEVELS,
      pointsAt: /\d+ of \d+ entries|tile|column/,
      tampering: edited([
        /(@workgroup_size\()(\d+)([\s\S]*)finish\(i \* params\.n \+ j, sum\);/,
        '$1$2$3finish(i * params.n + j, sum); if (j >= $2u) { finish(i * params.n + j - $2u, sum); }',
      ]),
    },
    {
      name: 'shared-accumulator',
      what: 'the invocations of a column of a tile add to one accumulator in workgroup memory',
      kernel: 'classical:tiled',
      levels: ALL_LEVELS,
      pointsAt: /\d+ of \d+ entries|row|everything/,
      tampering: edited(
        [/@compute @workgroup_size\((\d+)/, 'var<workgroup> shared_sums: array<f32, $1>;\n$&'],
        [
          /sum = fma\((.*), sum\);/,
          'shared_sums[local.x] = fma($1, shared_sums[local.x]); sum = shared_sums[local.x];',
        ],
      ),
    },
    {
      name: 'product-before-sum',
      what: 'the first product starts before the sum it multiplies is computed',
      kernel: 'strassen:register',
      levels: FAST_LEVELS,
      pointsAt: /C22|entries|never written/,
      tampering: dispatched((all) => exchanged(all, 1, 2)),
    },
    {
      name: 'fix-up-too-early',
      what: 'peeling adds its terms of k before the core they belong to is there',
      kernel: 'strassen:naive',
      levels: FAST_LEVELS,
      pointsAt: /entries/,
      tampering: dispatched((all) => [
        ...all.filter(({ layouts }) => layouts),
        ...all.filter(({ layouts }) => !layouts),
      ]),
    },
    {
      name: 'last-step-lost',
      what: 'C is read back before the last step has run',
      kernel: 'winograd:naive',
      levels: FAST_LEVELS,
      pointsAt: /entries/,
      tampering: dispatched((all) => all.slice(0, -1)),
    },
  ] satisfies Omit<Fault, 'class'>[]
).map((fault) => ({ ...fault, class: 'synchronisation' }));

function exchanged(all: Dispatches, one: number, other: number): Dispatches {
  return all.map((dispatch, at) =>
    at === one ? (all[other] ?? dispatch) : at === other ? all[one] : dispatch,
  );
}

/** How rarely workgroups may collide and still be noticed. */
export const synchronisationLadders: readonly Ladder[] = [
  {
    name: 'race',
    class: 'synchronisation',
    what: 'one workgroup in … also writes the first entry of its left neighbour',
    kernel: 'classical:naive',
    levels: [0],
    rungs: [2, 8, 32, 128, 512].map((count) => ({
      size: `${count}`,
      tampering: edited([
        'finish(i * params.n + j, sum);',
        `finish(i * params.n + j, sum);
  let group = (id.y / 8u) * ((params.n + 7u) / 8u) + id.x / 8u;
  if (group % ${count}u == ${count - 1}u && id.x % 8u == 0u && id.y % 8u == 0u && j >= 8u) { finish(i * params.n + j - 8u, sum); }`,
      ]),
    })),
  },
];
