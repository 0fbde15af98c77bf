import type { WrongProductScene } from './cause.ts';

/** An entry to compare: its place, its computed and its exact value. */
export interface ComparedEntry {
  readonly i: number;
  readonly j: number;
  /** Index of the product in the batch. */
  readonly p: number;
  readonly at: number;
  readonly found: number;
  readonly expected: number;
  /** |found − exact|; infinite where one of the two is not finite. */
  readonly error: number;
}

/** The most entries compared: wrong ones, and right ones. */
const MOST = { wrong: 2048, right: 512 };
/** About the most multiplications for comparing one prediction. */
const COST = 2 ** 22;
/** The number of entries compared however long their sums are. */
const LEAST = 64;

/** Picks wrong entries and right ones, spread over the product; all of them where they are few. */
export function pickEntries(scene: WrongProductScene, wrong: Uint8Array) {
  const { m, k, n } = scene.gemm;
  const room = Math.max(LEAST, Math.floor(COST / Math.max(1, k)));
  const pick = (mark: 0 | 1, most: number) => {
    const count = wrong.reduce((sum, one) => sum + Number(one === mark), 0);
    const step = Math.max(1, count / Math.min(most, room));
    const chosen: ComparedEntry[] = [];
    for (let at = 0, seen = 0; at < wrong.length; at++) {
      if (wrong[at] !== mark) continue;
      if (seen++ >= chosen.length * step) chosen.push(placeAt(scene, at, m, n));
    }
    return { count, chosen };
  };
  const bad = pick(1, MOST.wrong);
  return { wrong: bad.chosen, isSample: bad.chosen.length < bad.count, right: pick(0, MOST.right).chosen };
}

function placeAt(scene: WrongProductScene, at: number, m: number, n: number): ComparedEntry {
  const row = Math.floor(at / n);
  const [i, j, p] = [row % m, at % n, Math.floor(row / m)];
  const [found, expected] = [scene.found(i, j, p), scene.expected(i, j, p)];
  const difference = Math.abs(found - expected - (scene.low?.[at] ?? 0));
  const error = Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference;
  return { i, j, p, at, found, expected, error };
}
