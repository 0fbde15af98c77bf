import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unknownName } from '../../base/messages.ts';
import { removeAfterUs, runAtExit } from '../../sandbox/node/watchdog.ts';

export interface JudgedRun {
  readonly id: string;
  readonly folder: string;
  /** Arguments that a replay repeats: the file, and the options of judging. */
  readonly judged: readonly string[];
}

/** The number of runs of a session whose results are kept. */
const MOST = 20;

/** Opens the store of the runs of one session; the oldest is dropped first. Results are removed when this process ends, however it ends. */
export function openRuns() {
  const folder = mkdtempSync(join(tmpdir(), 'gemm-paranoia-mcp-'));
  const release = runAtExit(() => rmSync(folder, { recursive: true, force: true }));
  const forget = removeAfterUs(folder);
  const runs = new Map<string, JudgedRun>();
  let count = 0;
  return {
    begin(judged: readonly string[]): JudgedRun {
      count++;
      const id = `run-${count}`;
      const run = { id, folder: join(folder, id), judged };
      runs.set(id, run);
      const [oldest] = runs.values();
      if (runs.size > MOST) {
        runs.delete(oldest.id);
        rmSync(oldest.folder, { recursive: true, force: true });
      }
      return run;
    },
    /** Finds a run. @throws ParanoiaError `unknown-name` */
    find(id: string): JudgedRun {
      const found = runs.get(id);
      if (found === undefined) throw unknownName({ what: 'run', given: id, known: [...runs.keys()] });
      return found;
    },
    close() {
      release();
      rmSync(folder, { recursive: true, force: true });
      forget();
    },
  };
}
export type JudgedRuns = ReturnType<typeof openRuns>;
