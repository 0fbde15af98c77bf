import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT } from '../../src/base/errors.ts';
import { essence, olderOf, resultsIn } from './outputs.ts';
import { type Ran, runOnce, type Suffering } from './run-once.ts';
import { KERNELS, type Scenario } from './scenarios.ts';
import { filesIn, openWorkspace, temporaryFolders, type Workspace, writeMatrix } from './workspace.ts';

/** A run of a scenario without a fault, with which every other run of it is compared. */
export interface Golden {
  readonly scenario: Scenario;
  readonly code: number | null;
  /** The paths that it writes, relative to its working folder. */
  readonly writes: readonly string[];
  /** Files at its start, with older versions of those that it writes, as an earlier run would leave them. */
  readonly begins: ReadonlyMap<string, Buffer>;
  readonly ends: ReadonlyMap<string, Buffer>;
  readonly essence: string | undefined;
  /** The adapter in its results, if they name one. */
  readonly adapter: string | undefined;
  /** Runs the scenario in a new folder; `look` inspects it before its removal. */
  run<T>(
    suffering: Suffering | undefined,
    look: (ran: Ran, files: Map<string, Buffer>, again: Again) => Promise<T>,
  ): Promise<T>;
}

/** Runs the scenario again in the same place. @returns its outcome, and the files after it */
export type Again = () => Promise<{ readonly ran: Ran; readonly files: Map<string, Buffer> }>;

/**
 * Prepares a scenario.
 * @param cache the user's cache, which contains the driver from npm
 * @throws Error if the scenario, or a command that prepares it, does not end as expected
 */
export async function prepare(scenario: Scenario, cache: string): Promise<Golden> {
  const { args, before = [], writes: patterns, isFirst = false, isCold = false } = scenario;
  const first = openWorkspace(undefined, cache);
  try {
    if (scenario.name !== 'init') writeFileSync(join(first.cwd, 'k.mjs'), KERNELS);
    writeMatrix(join(first.cwd, 'a.npy'), 1);
    writeMatrix(join(first.cwd, 'b.npy'), 5);
    for (const command of before) {
      const { code, stderr } = await runOnce(command, first);
      if (code !== 0) throw new Error(`${scenario.name} cannot be prepared: ${stderr}`);
    }
    const prepared = filesIn(first.cwd);
    await runOnce(args, first);
    const made = filesIn(first.cwd);
    const writes = patterns.flatMap((pattern) => matching(pattern, [...made.keys()]));
    const older = isFirst
      ? []
      : writes.map((path) => [path, olderOf(path, prepared.get(path) ?? made.get(path)!)] as const);
    const begins = new Map([...prepared, ...older]);
    const open = () => {
      const workspace = openWorkspace(undefined, isCold ? undefined : cache);
      for (const [path, content] of begins) {
        mkdirSync(dirname(join(workspace.cwd, path)), { recursive: true });
        writeFileSync(join(workspace.cwd, path), content);
      }
      return workspace;
    };
    const second = open();
    const { code, stderr } = await runOnce(args, second);
    const ends = filesIn(second.cwd);
    second.remove();
    if (code === EXIT.internal || writes.length < patterns.length)
      throw new Error(`${scenario.name} does not run: ${stderr}`);
    return {
      ...{ scenario, code, writes, begins, ends },
      essence: essenceOf(ends),
      adapter: resultsIn(ends.get('out/results.json'))?.adapter.name,
      async run(suffering, look) {
        const workspace = open();
        try {
          const ran = await runOnce(args, workspace, suffering);
          return await look(ran, allIn(workspace), async () => {
            const again = await runOnce(args, workspace);
            return { ran: again, files: allIn(workspace) };
          });
        } finally {
          workspace.remove();
        }
      },
    };
  } finally {
    first.remove();
  }
}

/** The essence of a run's results, if it writes any. */
export function essenceOf(files: ReadonlyMap<string, Buffer>): string | undefined {
  const results = resultsIn(files.get('out/results.json'));
  return results === undefined ? undefined : essence(results);
}

/** Files in the folder of a run, by their paths from the working folder; paths outside it begin with `../`. */
function allIn({ root }: Workspace): Map<string, Buffer> {
  const files = [...filesIn(root)].filter(([path]) => !path.startsWith('steps'));
  const folders = temporaryFolders(root).map((path) => [`${path}/`, Buffer.alloc(0)] as const);
  return new Map(
    [...files, ...folders].map(([path, content]) => [
      path.startsWith('cwd/') ? path.slice(4) : `../${path}`,
      content,
    ]),
  );
}

function matching(pattern: string, paths: readonly string[]): string[] {
  const [start, end] = pattern.split('*');
  return paths.filter((path) =>
    end === undefined ? path === pattern : path.startsWith(start) && path.endsWith(end),
  );
}
