import type { Dispatch } from '../../gpu/dispatch.ts';
import type { Tampering } from '../builtin.ts';
import { ALL_LEVELS, edited, editShaders, type Fault, type Ladder } from './fault.ts';
import { counting } from './non-determinism.ts';

/** Keeps, for each shader, the uniform of the first product that used it. */
function keepingSizes(): Tampering {
  const first = new Map<string, Dispatch['params']>();
  return {
    program: (made) => ({
      ...made,
      dispatches: made.dispatches.map((dispatch) => {
        const params = first.get(dispatch.shader) ?? dispatch.params;
        first.set(dispatch.shader, params);
        return { ...dispatch, params };
      }),
    }),
  };
}

/** Faults that show in the company of other rows, or of other products. */
export const batchFaults: readonly Fault[] = [
  {
    name: 'stale-sizes',
    class: 'batch',
    what: 'the sizes of the first product are kept for those that follow',
    kernel: 'classical:naive',
    levels: [0],
    pointsAt: /never written|entries/,
    get tampering() {
      return keepingSizes();
    },
  },
  {
    name: 'later-products-shorter',
    class: 'batch',
    what: 'from the second product on, the last term of k is forgotten',
    kernel: 'classical:tiled',
    levels: ALL_LEVELS,
    pointsAt: /last term of k were missing|entries/,
    get tampering() {
      return counting((made, before) =>
        before === 0
          ? made
          : editShaders(
              made,
              ['p < params.k;', 'p + 1u < params.k;'],
              ['params.k - p)', 'params.k - 1u - p)'],
            ),
      );
    },
  },
  {
    name: 'accumulates-into-c',
    class: 'batch',
    what: 'the product is added to what lies in C',
    kernel: 'classical:naive',
    levels: [0],
    pointsAt: /never written|NaN/,
    tampering: edited(['s0[e] = r0;', 's0[e] = s0[e] + r0;']),
  },
  {
    name: 'operand-overwritten',
    class: 'batch',
    what: 'the kernel clears the first column of A while it works',
    kernel: 'classical:naive',
    levels: [0],
    pointsAt: /operands were overwritten/,
    tampering: edited([
      'finish(i * params.n + j, sum);',
      'finish(i * params.n + j, sum); x[i * params.k] = 0.0;',
    ]),
  },
  {
    name: 'second-batch-of-rows',
    class: 'batch',
    what: 'rows from 64 on are computed from those from 0 on',
    kernel: 'classical:naive',
    levels: [0],
    pointsAt: /row/,
    tampering: edited(['x[i * params.k + p]', 'x[(i % 64u) * params.k + p]']),
  },
  {
    name: 'odd-row-out',
    class: 'batch',
    what: 'where rows do not come in fours, the rows left over lose the last term of k',
    kernel: 'classical:naive',
    levels: ALL_LEVELS,
    pointsAt: /row|last term of k were missing/,
    tampering: edited(['p < params.k;', 'p < params.k - u32(i >= params.m - params.m % 4u);']),
  },
  {
    name: 'row-beside-row',
    class: 'batch',
    what: 'a row that is not alone takes the first term of the row before it',
    kernel: 'classical:naive',
    levels: [0],
    pointsAt: /row/,
    tampering: edited(['x[i * params.k + p]', 'x[select(i, i - 1u, p == 0u && i > 0u) * params.k + p]']),
  },
];

/** How many rows must come together for a fault to be met. */
export const batchLadders: readonly Ladder[] = [
  {
    name: 'rows-together',
    class: 'batch',
    what: 'rows from … on are computed from those from 0 on',
    kernel: 'classical:register',
    levels: [0],
    rungs: [16, 32, 64, 128, 192, 256, 512].map((rows) => ({
      size: `${rows}`,
      tampering: edited([/i \* params\.k \+ p/, `(i % ${rows}u) * params.k + p`]),
    })),
  },
  {
    name: 'wrong-product',
    class: 'batch',
    what: 'one product in … loses its last term',
    kernel: 'classical:naive',
    levels: ALL_LEVELS,
    rungs: [2, 8, 16, 32, 64].map((every) => ({
      size: `${every}`,
      get tampering() {
        return counting((made, before) =>
          before % every === every - 1 ? editShaders(made, ['p < params.k;', 'p + 1u < params.k;']) : made,
        );
      },
    })),
  },
];
