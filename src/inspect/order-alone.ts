import type { Finding } from './inspection.ts';
import type { Lab } from './lab.ts';
import { type NamedOrder, nameOrder } from './name-order.ts';
import { picture, type Tree } from './summation-tree.ts';
import { scaleFor, treeOf } from './swamping.ts';

/** One length of sum, and the tree found for it; undefined where none explains the outputs. */
export interface AtLength {
  readonly k: number;
  readonly tree: Tree | undefined;
  readonly named: NamedOrder | undefined;
}

/** The longest sum that is asked alone: each question is a product then. */
const ALONE = 32;

/** Whether a single inner product, 1×k×1, is summed as one among many. */
export async function orderAlone(lab: Lab, found: readonly AtLength[]): Promise<Finding[]> {
  const { asker, quick } = lab;
  const [among] = found.filter(({ k, tree }) => k <= ALONE && tree !== undefined).slice(-1);
  if (quick || lab.stop() || among === undefined || asker.longestInBlock() !== undefined) return [];
  const { k } = among;
  const shape = { m: 1, k, n: 1 };
  const home = asker.home(k, true);
  const scale = await scaleFor(lab, k);
  if (asker.refuses(shape) !== undefined || home.m === 1 || scale === undefined) return [];
  const tree = await treeOf(lab, k, scale, shape);
  const same = JSON.stringify(tree) === JSON.stringify(among.tree);
  return [
    {
      id: 'order-alone',
      question: 'Is a single inner product summed in the same order?',
      answer: same
        ? 'yes'
        : tree === undefined
          ? 'no, in one that cannot be told'
          : `no: ${nameOrder(tree).words}`,
      value: same,
      confidence: tree === undefined ? 'likely' : 'measured',
      evidence: `${tree === undefined ? 'No tree explains' : picture(tree)} in 1×${k}×1, ${picture(among.tree as Tree)} in ${home.m}×${home.k}×${home.n}.`,
    },
  ];
}
