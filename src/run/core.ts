import { group } from 'd3-array';
import { NO_EPILOGUE } from '../epilogue/chain-text.ts';
import { placeInLargeGroup } from '../evidence/neighbors.ts';
import { showsRounding } from '../inputs/edits/edited-family.ts';
import { specialValues } from '../inputs/special-values.ts';
import { builtinCaseItems, type CaseItems } from '../kernels/case-items.ts';
import type { ScaleFactor } from '../matrix/factor.ts';
import { features } from '../matrix/features.ts';
import { type Gemm, requestedGemm } from '../matrix/gemm.ts';
import { toGemm } from '../problem/gemm-of.ts';
import { type GemmProblem, plainStorage } from '../problem/problem.ts';
import { belongsToClass, sizeClasses } from '../problem/size-classes.ts';
import { orderByKills, placeOfLargest, usualSpeed } from './order/case-order.ts';
import type { PlannedCase } from './planned-case.ts';
import { estimateWork } from './spending.ts';

/** Most cases of a kernel's core. */
export const CORE = 150;

/** Work of a case that costs as much as a call, its operands and its judgment. */
const OF_A_CASE = 2 ** 22;

/** A property of cases. The core of a kernel has a case for each value that any of its planned cases has. */
interface Aspect {
  readonly name: string;
  valuesOf(value: PlannedCase, gemm: Gemm, items: CaseItems): readonly string[];
}

/** The largest size of products that are tiny in all dimensions. */
const TINY = 3;
/** The last power of two of which the core has the next size, in each dimension. */
const POWER = 1024;
/** Sides of a usual tile; terms of long sums in batches; and the size that all sizes of a large product exceed. */
const [TILE, LONG, LARGE] = [32, 32_767, 512];
/** Sides of a large block, and two slices of k. A kernel that takes slices in pairs has one left. */
const [BLOCK, SLICE] = [256, 128];
/** Entries of all matrices of a batch, above which their offsets may overflow. */
const MANY = 2 ** 20;

const aspects: readonly Aspect[] = [
  { name: 'sizes', valuesOf: ({ problem }) => pairsOf(problem) },
  {
    name: 'k of sums that round',
    valuesOf: ({ problem }, _, items) =>
      showsRounding(problem, items) ? classesOf(problem.k).map(String) : [],
  },
  {
    name: 'one beyond a power of two',
    valuesOf: ({ problem }) =>
      (['m', 'k', 'n'] as const).flatMap((key) => {
        const before = problem[key] - 1;
        return before > 1 && before <= POWER && Number.isInteger(Math.log2(before))
          ? [`${key} ${before}`]
          : [];
      }),
  },
  {
    name: 'features',
    valuesOf(_, gemm) {
      const asked = requestedGemm(gemm);
      const own = features.filter(({ needs }) => needs(asked)).map(({ key }) => key);
      const isTiny = Math.max(gemm.m, gemm.k, gemm.n) <= TINY;
      return isTiny ? [...own, ...own.map((key) => `${key}, tiny`)] : own;
    },
  },
  {
    name: 'general strides and addresses, of each matrix',
    valuesOf: ({ problem }) =>
      (['a', 'b', 'c', 'd'] as const).flatMap((name) => {
        const { inc = 1, gap } = problem[name] ?? plainStorage;
        const isListed = gap === 'listed' && problem.batch > 2;
        return [...(inc > 1 ? [`${name}, strides`] : []), ...(isListed ? [`${name}, addresses`] : [])];
      }),
  },
  {
    name: 'places in large groups',
    valuesOf({ problem }) {
      const place = placeInLargeGroup(problem);
      return place === undefined ? [] : [`${place} ${problem.beta === 0 ? '' : 'with C'}`];
    },
  },
  { name: 'structure', valuesOf: ({ problem: { structure } }) => [structure] },
  {
    name: 'factors',
    valuesOf: ({ problem: { alpha, beta, init } }) => [`${kindOf(alpha)}, ${kindOf(beta)}, ${init}`],
  },
  {
    name: 'factors of tiny products',
    valuesOf: ({ problem: { alpha, beta } }, { m, k, n }) =>
      Math.max(m, k, n) <= TINY ? [`alpha ${kindOf(alpha)}`, `beta ${kindOf(beta)}`] : [],
  },
  {
    name: 'batches',
    valuesOf: ({ problem: { m, k, n, batch } }) => [
      ...(batch > 1 && Math.min(m, k, n) > TILE && k % TILE > 0 ? ['of blocks, with an edge along k'] : []),
      ...(batch > 1 && k >= LONG ? ['of long sums'] : []),
      ...Object.entries({ A: m * k, B: k * n, D: m * n }).flatMap(([name, size]) =>
        batch > 1 && batch * size > MANY ? [`of more than 2^20 entries of ${name}`] : [],
      ),
    ],
  },
  {
    name: 'all sizes large',
    valuesOf: ({ problem: { m, k, n } }) => (Math.min(m, k, n) > LARGE ? [`beyond ${LARGE}`] : []),
  },
  {
    name: 'whole blocks, and an odd slice of k',
    valuesOf: ({ problem: { m, k, n } }) =>
      m > 0 && n > 0 && m % BLOCK === 0 && n % BLOCK === 0 && k % SLICE === SLICE / 2 ? ['whole'] : [],
  },
  { name: 'entries', valuesOf: ({ problem }) => [problem.input, problem.edit] },
  {
    name: 'special entries of vectors',
    valuesOf: ({ problem: { m, k, n, input } }) =>
      input !== specialValues.name || k < 2
        ? []
        : [...(n === 1 ? ['times a column'] : []), ...(m === 1 ? ['a row times'] : [])],
  },
  {
    name: 'epilogues',
    valuesOf: ({ problem: { epilogue, m, n, batch, beta } }) =>
      epilogue === NO_EPILOGUE
        ? []
        : [
            epilogue,
            ...(batch > 1 ? [`${epilogue}, of a batch`] : []),
            ...(beta === 0 ? [] : [`${epilogue}, with C`]),
            ...(m % TILE > 0 && n % TILE > 0 && Math.min(m, n) > TILE ? [`${epilogue}, with tails`] : []),
          ],
  },
  {
    name: 'calls',
    valuesOf: ({ problem: { repeats, program }, after = [] }) => [
      ...(repeats > 1 ? ['repeated'] : []),
      ...(program > 0 ? ['a program'] : []),
      ...(after.length > 0 ? ['after others'] : []),
    ],
  },
  {
    name: 'method',
    valuesOf: ({ method: { levels, fringe, tail } }) => [
      `${levels}`,
      `${levels} ${fringe}`,
      `${levels} ${tail}`,
    ],
  },
];

const classesOf = (size: number): number[] =>
  sizeClasses.flatMap((own, at) => (belongsToClass(size, own) ? [at] : []));

/** Returns the pairs of classes of two dimensions that a problem meets. */
function pairsOf({ m, k, n }: GemmProblem): string[] {
  const [ofM, ofK, ofN] = [m, k, n].map(classesOf);
  const cross = (name: string, xs: readonly number[], ys: readonly number[]) =>
    xs.flatMap((x) => ys.map((y) => `${name} ${x} ${y}`));
  return [...cross('mk', ofM, ofK), ...cross('mn', ofM, ofN), ...cross('kn', ofK, ofN)];
}

const kindOf = (factor: ScaleFactor): string =>
  factor === 0 || factor === 1 || factor === -1 ? String(factor) : 'another';

/**
 * Marks the cases that a pass needs, and orders all: those of each kernel by the faults that they are expected to show for their time.
 * Kernels alternate, so that they share the exact products of equal problems.
 */
export function orderPlanned(
  planned: readonly PlannedCase[],
  items: CaseItems = builtinCaseItems,
): PlannedCase[] {
  const lists = [...group(markCore(planned, items), ({ kernel }) => kernel).values()].map((own) =>
    orderByKills(own, usualSpeed),
  );
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((own) => own.slice(at, at + 1))).flat();
}

/**
 * Marks the cases that a pass needs: the core of each kernel, in their order. The core has a case for each value of each aspect, at the
 * least work, chosen greedily.
 */
export function markCore(
  planned: readonly PlannedCase[],
  items: CaseItems = builtinCaseItems,
): PlannedCase[] {
  const core = new Set(
    [...group(planned, ({ kernel }) => kernel).values()].flatMap((own) => coreOf(own, items)),
  );
  return planned.map((value) => (core.has(value) ? { ...value, needed: true } : value));
}

/** Chooses the core among the cases of one kernel: always the case with the most new values for its work. */
function coreOf(cases: readonly PlannedCase[], items: CaseItems): PlannedCase[] {
  const ids = new Map<string, number>();
  const idOf = (value: string) => {
    const id = ids.get(value) ?? ids.size;
    ids.set(value, id);
    return id;
  };
  // A sweep of a slow kernel takes long.
  const all = cases
    .filter(({ problem }) => problem.sweep === 0)
    .map((value) => ({
      value,
      own: valuesOf(value, items).map(idOf),
      cost: OF_A_CASE + estimateWork(value),
    }));
  const isMet = new Uint8Array(ids.size);
  const found: PlannedCase[] = [];
  const take = ({ value, own }: (typeof all)[number]) => {
    found.push(value);
    for (const id of own) isMet[id] = 1;
  };
  const gainOf = ({ own, cost }: (typeof all)[number]) =>
    own.reduce((sum, id) => sum + 1 - isMet[id], 0) / cost;
  for (const one of all) if (one.value.needed === true) take(one);
  // Gains only shrink: a case whose gain is as it was, and the best of all that were, is the next one.
  const gains = all.map(gainOf);
  while (found.length < CORE) {
    const at = placeOfLargest(gains);
    if (!(gains[at] > 0)) break;
    const gain = gainOf(all[at]);
    if (gain === gains[at]) take(all[at]);
    gains[at] = gain === gains[at] ? 0 : gain;
  }
  return found;
}

function valuesOf(value: PlannedCase, items: CaseItems): string[] {
  const gemm = toGemm(value.problem);
  return aspects.flatMap(({ name, valuesOf: of }) => of(value, gemm, items).map((one) => `${name}: ${one}`));
}
