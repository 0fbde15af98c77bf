import { EXIT } from '../base/errors.ts';
import type { Flags } from '../config/flags.ts';
import { deviceOf, parseList, parseNumber } from '../config/flags.ts';
import { conflictingOptions } from '../config/messages.ts';
import { Evaluator } from '../evidence/evaluate.ts';
import { exactProduct } from '../exact/exact.ts';
import { type FaultOutcome, selfTest } from '../gate/self-test.ts';
import { isAsExpected, summarise } from '../gate/self-test-summary.ts';
import { compareBinary64 } from '../gpu/compare-f64.ts';
import { openNodeDevice } from '../gpu/node/open.ts';
import { faults, findFault, rungs } from '../kernels/faults/faults.ts';
import { ranges } from '../problem/ranges.ts';
import { counted } from '../report/numbers.ts';
import { vainOption } from './messages.ts';
import { printTables } from './print-tables.ts';
import { classTables, faultJson, faultText, verdictText } from './selftest-text.ts';
import { stopper } from './stopper.ts';

/** @returns the exit code. */
export async function runSelfTest(flags: Flags): Promise<number> {
  const { fault, binary64, seed } = flags;
  if (binary64 === undefined) {
    if (seed !== undefined) throw vainOption({ option: '--seed', without: '--binary64' });
    return plantFaults(flags);
  }
  if (fault !== undefined) throw conflictingOptions({ one: '--binary64', other: '--fault' });
  return compareOnDevice(flags);
}

async function plantFaults(flags: Flags): Promise<number> {
  const { fault, json } = flags;
  const planted = fault === undefined ? [...faults, ...rungs] : parseList('--fault', fault).map(findFault);
  const open = await openNodeDevice(deviceOf(flags));
  const onFault = (outcome: FaultOutcome) => {
    if (json !== true) console.log(faultText(outcome));
  };
  if (json !== true)
    console.log(`On ${open.fingerprint.name}: ${counted(planted.length, 'planted fault')}.\n`);
  const stop = stopper(undefined);
  try {
    const evaluator = new Evaluator(exactProduct);
    const outcomes = await selfTest(open, evaluator, { planted, onFault, stop: stop.asked });
    if (json === true) {
      const adapter = open.fingerprint.name;
      const found = { adapter, faults: outcomes.map(faultJson), classes: summarise(outcomes) };
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

async function compareOnDevice(flags: Flags): Promise<number> {
  const { binary64, json, seed } = flags;
  const random = parseNumber('--binary64', binary64, ranges.patterns);
  const options = { random, seed: seed === undefined ? 1 : parseNumber('--seed', seed, ranges.seed) };
  const open = await openNodeDevice(deviceOf(flags));
  const { compared, mismatches, first } = await compareBinary64(open, options);
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
