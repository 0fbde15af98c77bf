import { campaignsOf } from '../../src/farm/node/campaign-file.ts';
import { collect } from '../../src/farm/node/collect.ts';
import { folderStore } from '../../src/farm/node/folder-store.ts';

/** What a step took, in a process of its own: seconds of the processor, and the most memory until then, in bytes. */
export interface Step {
  readonly processor: number;
  readonly memory: number;
}

/** What a worker that begins does first, and what `farm collect` does. */
export interface Verdict {
  readonly reading: Step;
  readonly collecting: Step;
  readonly verdict: string;
  /** Cases of which the results say something. */
  readonly cases: number;
}

const step = (): Step => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return { processor: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS * 1024 };
};

/** The step since another one. */
const since = (before: Step): Step => ({ ...step(), processor: step().processor - before.processor });

// verdict.ts <store>
const store = await folderStore(process.argv[2], false);
const begin = step();
const [campaign] = await campaignsOf(store);
const reading = since(begin);
const read = step();
const stamp = { createdAt: new Date().toISOString(), command: 'simulation' };
const { verdict, cases } = await collect(store, campaign, { allowMixed: false, stamp });
const found: Verdict = { ...{ reading, collecting: since(read), verdict, cases: cases.length } };
process.stdout.write(`${JSON.stringify(found)}\n`);
