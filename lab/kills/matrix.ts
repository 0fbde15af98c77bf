import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { writeWhole } from '../../src/base/node/write-file.ts';
import type { GroupAnswers } from './ask.ts';
import type { SpecimenGroup } from './groups.ts';
import type { Specimen } from './specimens.ts';

/** The kill matrix: which case of the default design kills which wrong kernel, and at what cost. */
export interface KillMatrix {
  readonly version: string;
  readonly createdAt: string;
  readonly command: string;
  readonly seed: number;
  readonly groups: readonly MatrixGroup[];
}

/** A group of kernels, its cases in the order of its plan. */
export interface MatrixGroup extends Pick<SpecimenGroup, 'half' | 'seed' | 'spec'> {
  /** A hash of the texts of its cases, to recognize a plan that has changed. */
  readonly plan: string;
  readonly costs: MatrixCosts;
  readonly kernels: readonly MatrixKernel[];
}

/** Costs of the cases of a group. Each is accurate to a tenth. */
export interface MatrixCosts {
  /** Seconds of the judge: for operands, exact product and bounds, and for the answer. */
  readonly judge: readonly number[];
  readonly calls: readonly number[];
  readonly products: readonly number[];
}

/** A wrong kernel, and the places of the cases that kill it. */
export interface MatrixKernel extends Pick<Specimen, 'name' | 'corpus' | 'fault'> {
  readonly kills: ReadonlySet<number>;
  /** Seconds of a call, and of a multiplication. */
  readonly call: number;
  readonly product: number;
}

/** Joins the answers to all parts of a group. Cases of lost parts kill no kernel. */
export function joinAnswers(
  { half, seed, spec, specimens }: SpecimenGroup,
  plan: { readonly hash: string; readonly cases: number },
  answers: readonly GroupAnswers[],
): MatrixGroup {
  const empty = () => Array.from({ length: plan.cases }, () => 0);
  const costs = { judge: empty(), calls: empty(), products: empty() };
  for (const { cases, costs: own } of answers) {
    for (const [place, at] of cases.entries()) {
      costs.judge[at] = (own[place].shared + own[place].own) / 1000;
      costs.calls[at] = own[place].calls;
      costs.products[at] = own[place].products;
    }
  }
  const kernels = specimens.map(({ name, corpus, fault }, who) => {
    const kills = new Set(answers.flatMap((one) => one.kills[who].map((place) => one.cases[place])));
    const times = answers.flatMap(({ cases, times }) =>
      cases.map((at, place) => ({ at, seconds: times[who][place] / 1000 })),
    );
    return { name, corpus, fault, kills, ...fitCosts(times, costs) };
  });
  return { half, seed, spec, plan: plan.hash, costs, kernels };
}

/** Multiplications of a call up to which its time is that of a call, and from which that of multiplications. */
const [SMALL, LARGE] = [2 ** 9, 2 ** 15];

/** Fits the seconds of a call and of a multiplication of a kernel: medians, which ignore the first calls and other delays. */
function fitCosts(
  times: readonly { readonly at: number; readonly seconds: number }[],
  { calls, products }: MatrixCosts,
): Pick<MatrixKernel, 'call' | 'product'> {
  const asked = times.filter(({ at }) => calls[at] > 0);
  const eachOf = ({ at }: { readonly at: number }) => products[at] / calls[at];
  const product = median(
    asked.filter((one) => eachOf(one) >= LARGE).map(({ at, seconds }) => seconds / products[at]),
  );
  const call = median(
    asked
      .filter((one) => eachOf(one) <= SMALL)
      .map(({ at, seconds }) => Math.max(0, seconds - product * products[at]) / calls[at]),
  );
  return { call: Number(call.toPrecision(3)), product: Number(product.toPrecision(3)) };
}

const median = (all: readonly number[]): number => [...all].sort((x, y) => x - y)[all.length >> 1] ?? 0;

/** Stored numbers are powers of 2 with this many steps of the exponent, from the least on: a byte reaches 2⁴³. */
const [STEPS, LEAST] = [4, -20];

/** Writes numbers as bytes in base64: 0, or a logarithm. */
const packNumbers = (all: readonly number[]): string =>
  Buffer.from(
    all.map((x) => (x <= 0 ? 0 : Math.min(255, Math.max(1, 1 + Math.round(STEPS * (Math.log2(x) - LEAST)))))),
  ).toString('base64');
const unpackNumbers = (text: string): number[] =>
  [...Buffer.from(text, 'base64')].map((byte) => (byte === 0 ? 0 : 2 ** (LEAST + (byte - 1) / STEPS)));

const packPlaces = (places: ReadonlySet<number>, count: number): string => {
  const bytes = Buffer.alloc(Math.ceil(count / 8));
  for (const at of places) bytes[at >> 3] |= 1 << (at & 7);
  return bytes.toString('base64');
};
const unpackPlaces = (text: string): Set<number> =>
  new Set(
    [...Buffer.from(text, 'base64')].flatMap((byte, at) =>
      [0, 1, 2, 3, 4, 5, 6, 7].flatMap((bit) => (((byte >> bit) & 1) === 1 ? [8 * at + bit] : [])),
    ),
  );

/** A matrix as it is stored. */
interface Stored extends Omit<KillMatrix, 'groups'> {
  readonly groups: readonly (Omit<MatrixGroup, 'costs' | 'kernels'> & {
    readonly cases: number;
    readonly costs: Readonly<Record<keyof MatrixCosts, string>>;
    readonly kernels: readonly (Omit<MatrixKernel, 'kills'> & { readonly kills: string })[];
  })[];
}

/** Writes a matrix as compressed JSON, with bits and bytes in base64. */
export function writeMatrix(file: string, matrix: KillMatrix): void {
  const groups = matrix.groups.map(({ costs, kernels, ...group }) => {
    const cases = costs.judge.length;
    const [judge, calls, products] = [costs.judge, costs.calls, costs.products].map(packNumbers);
    return {
      ...{ ...group, cases, costs: { judge, calls, products } },
      kernels: kernels.map(({ kills, ...kernel }) => ({ ...kernel, kills: packPlaces(kills, cases) })),
    };
  });
  const stored: Stored = { ...matrix, groups };
  writeWhole(file, gzipSync(JSON.stringify(stored), { level: 9 }));
}

/** Reads a matrix that {@link writeMatrix} wrote. */
export function readMatrix(file: string): KillMatrix {
  const { groups, ...matrix }: Stored = JSON.parse(gunzipSync(readFileSync(file)).toString());
  return {
    ...matrix,
    groups: groups.map(({ costs: { judge, calls, products }, kernels, cases: _, ...group }) => ({
      ...group,
      costs: {
        judge: unpackNumbers(judge),
        calls: unpackNumbers(calls),
        products: unpackNumbers(products),
      },
      kernels: kernels.map((kernel) => ({ ...kernel, kills: unpackPlaces(kernel.kills) })),
    })),
  };
}
