import { campaignsOf } from '../../src/farm/node/campaign-file.ts';
import { collect } from '../../src/farm/node/collect.ts';
import { folderStore } from '../../src/farm/node/open-store.ts';

/** The cost of a step in a process of its own: processor seconds, and the peak memory until then in bytes. */
export interface StepCost {
  readonly processor: number;
  readonly memory: number;
}

/** The costs of a starting worker's first step, and of `farm collect`. */
export interface SimulationVerdict {
  readonly reading: StepCost;
  readonly collecting: StepCost;
  readonly verdict: string;
  /** The number of cases with results. */
  readonly cases: number;
}

const step = (): StepCost => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return { processor: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS * 1024 };
};

/** The cost of a step since another one. */
const since = (before: StepCost): StepCost => ({ ...step(), processor: step().processor - before.processor });

// verdict.ts <store>
const store = await folderStore(process.argv[2], false);
const begin = step();
const [campaign] = await campaignsOf(store);
const reading = since(begin);
const read = step();
const stamp = { createdAt: new Date().toISOString(), command: 'simulation' };
const { verdict, cases } = await collect(store, campaign, { allowMixed: false, stamp });
const found: SimulationVerdict = { ...{ reading, collecting: since(read), verdict, cases: cases.length } };
process.stdout.write(`${JSON.stringify(found)}\n`);
