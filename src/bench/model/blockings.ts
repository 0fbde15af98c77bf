import { stagedBlocks } from '../../gpu/leaves/staged-blocks.ts';
import type { Blocking } from './product-time.ts';

/** Entries that an invocation of `register` computes: rows and columns. */
const registerEntries: Readonly<Record<string, readonly [number, number]>> = {
  '64x64': [8, 4],
  '64x64-16x16': [16, 16],
  '32x32': [4, 4],
  '8x16': [2, 4],
  '4x128': [4, 4],
  '128x4': [4, 4],
};

/** Workgroups that a multiprocessor is taken to run at a time, as with the paper's largest blocks (footnote 15). */
const ACTIVE = 2;

/** How a leaf kernel of ours cuts products, in the model's terms; undefined for leaves that it does not describe. */
export function blockingOf({ name, tile }: Tiled): Blocking | undefined {
  const common = { mS: tile.m, nS: tile.n, kS: tile.k, active: ACTIVE };
  const staged = stagedBlocks.find((block) => block.name === name);
  if (staged !== undefined) return { ...common, mR: staged.rows, nR: staged.cols };
  const entries = registerEntries[name.replace(/^register-/, '')];
  if (entries !== undefined) return { ...common, mR: entries[0], nR: entries[1] };
  return name.startsWith('tiled') ? { ...common, mR: 1, nR: 1 } : undefined;
}

/** A leaf kernel: its name and the rows, depth and columns of its tile. */
interface Tiled {
  readonly name: string;
  readonly tile: { readonly m: number; readonly k: number; readonly n: number };
}
