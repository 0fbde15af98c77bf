import type { Reporter, TestModule } from 'vitest/node';
import { lackOf, type NeedName } from '../tests/support/needs.ts';

/** Checks that did not run, by their reason. */
type Reasons = Map<string, string[]>;

/**
 * Names the checks that did not run because this machine lacks something, says what would bring it, and counts them in the last line.
 * A check that is skipped because only the nightly tier asks it is none of them.
 */
export const notRun: Reporter = {
  onTestRunEnd(modules) {
    const reasons: Reasons = new Map();
    for (const module of modules) collect(module, reasons);
    const count = [...reasons.values()].flat().length;
    for (const [reason, names] of reasons) {
      console.log(`\nNot run, because ${reason}:`);
      for (const name of names) console.log(`  ${name}`);
    }
    console.log(`\nNot run for lack of something on this machine: ${count} check${count === 1 ? '' : 's'}.`);
  },
};

function collect(module: TestModule, reasons: Reasons): void {
  for (const test of module.children.allTests('skipped')) {
    const result = test.result();
    const reason = reasonOf(test.fullName, result.state === 'skipped' ? result.note : undefined);
    if (reason === undefined) continue;
    const name = `${module.relativeModuleId}: ${test.fullName.replace(/ \[needs [\w-]+\]/, '')}`;
    reasons.set(reason, [...(reasons.get(reason) ?? []), name]);
  }
}

/** The reason in a check's name, or in what it said as it skipped itself. */
function reasonOf(name: string, note: string | undefined): string | undefined {
  const [, need] = /\[needs ([\w-]+)\]/.exec(name) ?? [];
  if (need === undefined) return note;
  return lackOf(need as NeedName);
}
