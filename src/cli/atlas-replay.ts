import type { CaseRow, KernelRecord, Statement } from '../atlas/entry.ts';
import { rowOf } from '../atlas/rows.ts';
import { canonicalText } from '../base/canonical.ts';
import { ParanoiaError, settling } from '../base/errors.ts';
import { lookUp } from '../base/look-up.ts';
import { optionsOf } from '../config/node/options-of.ts';
import { defaultThresholds } from '../evidence/checks/check.ts';
import { Evaluator } from '../evidence/evaluate.ts';
import { resultOf } from '../evidence/result-of.ts';
import { exactProduct } from '../exact/exact.ts';
import { findAdapters } from '../gpu/node/adapters.ts';
import { allBuiltinNames } from '../kernels/builtin-plan.ts';
import type { Catalogue } from '../kernels/catalogue.ts';
import { parseCase } from '../problem/case.ts';
import { openNodeMachine } from '../run/node/open-machine.ts';
import { processor } from '../run/node/processor.ts';
import type { OpenMachine, Versions } from '../run/open-machine.ts';

/** A case that is computed again, and the kernel that it is of. */
export interface Drawn {
  readonly row: CaseRow;
  readonly record: KernelRecord;
}

/**
 * Computes cases again on the adapter that they are told of, where it is here: of kernels of ours every bit of the errors must be the same,
 * of others the verdict.
 * @param refuse makes the error of a case that comes out otherwise, and what does, as a clause.
 * @returns what was done, as a clause.
 * @throws what `refuse` makes
 */
export async function replayOnDevice(
  statement: Statement,
  drawn: readonly Drawn[],
  refuse: (row: CaseRow, why: string) => Error,
): Promise<string> {
  const { catalogue, sessionOf } = await optionsOf({});
  const known = drawn.filter(({ record }) => isKnown(record, catalogue));
  if (known.length === 0) return 'none was asked again on a device, for its kernels are not known here';
  if (!(await isHere(statement))) return 'none was asked again on a device, for its adapter is not here';
  const names = [...new Set(known.map(({ record }) => record.kernel))];
  const { name, toggles } = statement.adapter;
  const opened = await openNodeMachine(names, { catalogue, sessionOf, toggles, adapter: name });
  try {
    if (opened.machine.fingerprint.id !== statement.adapter.id)
      return 'none was asked again on a device, for its adapter is not here as it was';
    const missing = await settling(opened.start(names));
    if (missing instanceof ParanoiaError) return `none was asked again on a device: ${missing.message}`;
    const evaluator = new Evaluator(exactProduct, { kept: 1 });
    const found: { readonly one: Drawn; readonly why: string | undefined }[] = [];
    for (const one of known) found.push({ one, why: await difference(one, opened, evaluator) });
    // Programs say their versions with their first product.
    const versions = await opened.versions();
    const same = found.filter(({ one }) => isSame(one.record, versions));
    for (const { one, why } of same) if (why !== undefined) throw refuse(one.row, why);
    const others = known.length - same.length;
    const why = others === 0 ? '' : `, and not ${others} of kernels that are not here in their versions`;
    return `${same.length} were asked again on the same adapter${why}`;
  } finally {
    await opened.close();
  }
}

const isOurs = ({ kernel }: Pick<KernelRecord, 'kernel'>): boolean => allBuiltinNames.includes(kernel);

const isKnown = (record: KernelRecord, catalogue: Catalogue): boolean =>
  isOurs(record) || catalogue.external(record.kernel) !== undefined;

const isSame = ({ kernel, versions = {} }: KernelRecord, here: Versions): boolean =>
  canonicalText(lookUp(here, kernel) ?? {}) === canonicalText(versions);

/** Whether an adapter of this name is here; what decides its results is compared when it is open. */
async function isHere({ adapter }: Statement): Promise<boolean> {
  if (adapter.backend === 'processor') return processor().fingerprint.id === adapter.id;
  if (adapter.backend === 'browser') return false;
  return (await findAdapters()).adapters.some(({ name }) => name === adapter.name);
}

/** What is otherwise when a case is asked again, as a clause. */
async function difference(
  { row, record }: Drawn,
  { machine, kernelOf }: OpenMachine,
  evaluator: Evaluator,
): Promise<string | undefined> {
  // What fails after others, or by chance, is not asked alone.
  if (row.after !== undefined || row.unsteady !== undefined) return undefined;
  const value = parseCase(row.case);
  const kernel = await kernelOf({ kernel: value.kernel, precision: value.problem.precision }, machine);
  const found = await evaluator.attempt({ case: value, kernel }, machine);
  const again = rowOf(await resultOf(value, kernel, found, defaultThresholds));
  const keys =
    isOurs(record) && record.repeats !== false
      ? (['verdict', 'max', 'mean', 'unequal'] as const)
      : (['verdict'] as const);
  const key = keys.find((one) => again[one] !== row[one]);
  return key && `its ${WORDS[key]} is told to be ${row[key]}, and is ${again[key]}`;
}

const WORDS = {
  verdict: 'verdict',
  max: 'largest error',
  mean: 'mean error',
  unequal: 'number of entries that differ',
} as const;
