import { EXIT } from '../../base/errors.ts';
import { Evaluator } from '../../evidence/evaluate.ts';
import { exactProduct } from '../../exact/exact.ts';
import { type FaultOutcome, selfTest } from '../../gate/self-test.ts';
import { isAsExpected, summarizeFaults } from '../../gate/self-test-summary.ts';
import { compareBinary64 } from '../../gpu/compare-f64.ts';
import { openNodeDevice } from '../../gpu/node/open.ts';
import { faults, findFault, rungs } from '../../kernels/faults/faults.ts';
import { classTables, faultJson, faultText, verdictText } from '../../pages/selftest.ts';
import { formatCount } from '../../report/numbers.ts';
import type { SelfTestRequest } from '../options.ts';
import { printTables } from '../print-tables.ts';
import { createStopper } from '../stopper.ts';

/** Runs the self-test. @returns the exit code */
export const runSelfTest = (request: SelfTestRequest): Promise<number> =>
  request.binary64 === undefined ? plantFaults(request) : compareOnDevice(request, request.binary64);

async function plantFaults({ fault, json, adapter }: SelfTestRequest): Promise<number> {
  const planted = fault?.map(findFault) ?? [...faults, ...rungs];
  const open = await openNodeDevice({ adapter });
  const onFault = (outcome: FaultOutcome) => {
    if (json !== true) console.log(faultText(outcome));
  };
  if (json !== true)
    console.log(`On ${open.fingerprint.name}: ${formatCount(planted.length, 'planted fault')}.\n`);
  const stop = createStopper(undefined);
  try {
    const evaluator = new Evaluator(exactProduct);
    const outcomes = await selfTest(open, evaluator, { planted, onFault, stop: stop.asked });
    if (json === true) {
      const adapter = open.fingerprint.name;
      const found = { adapter, faults: outcomes.map(faultJson), classes: summarizeFaults(outcomes) };
      console.log(JSON.stringify(found, undefined, 2));
    } else {
      printTables(...classTables(outcomes));
      console.log(`\n${verdictText(outcomes)}`);
    }
    if (!outcomes.every(isAsExpected)) return EXIT.fail;
    return outcomes.length === planted.length ? EXIT.pass : EXIT.inconclusive;
  } finally {
    stop.release();
    open.close();
  }
}

async function compareOnDevice(
  { json, seed = 1, adapter }: SelfTestRequest,
  random: number,
): Promise<number> {
  const open = await openNodeDevice({ adapter });
  const { compared, mismatches, first } = await compareBinary64(open, { random, seed });
  open.close();
  const { name } = open.fingerprint;
  if (json === true)
    console.log(JSON.stringify({ adapter: name, compared, mismatches, first }, undefined, 2));
  else {
    console.log(`On ${name}: ${compared} results of binary64 sums, products and multiply-adds compared.`);
    console.log(mismatches === 0 ? 'All have the same bits.' : `${mismatches} differ; the first: ${first}`);
  }
  return mismatches === 0 ? EXIT.pass : EXIT.fail;
}
