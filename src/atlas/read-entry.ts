import { canonicalText } from '../base/canonical.ts';
import { ParanoiaError, settled } from '../base/errors.ts';
import { firstFault, plainWords } from '../base/plain-words.ts';
import { parseCase } from '../problem/case.ts';
import { type CaseRow, ENTRY_SCHEMA, type Entry, entry, type KernelRecord, LARGEST_ENTRY } from './entry.ts';
import { badEntry, newerEntry } from './messages.ts';
import { worstOf } from './rows.ts';

/**
 * Reads the text of an entry. Hash and signature are looked at elsewhere.
 * @throws ParanoiaError `bad-entry`, `newer-entry`
 */
export function readEntry(text: string, file: string): Entry {
  if (text.length > LARGEST_ENTRY)
    throw badEntry({
      file,
      why: `it is ${text.length} characters long, and at most ${LARGEST_ENTRY} are read`,
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badEntry({ file, why: `it is not JSON (${(error as Error).message})` }, error);
  }
  const schema = (value as { schema?: unknown } | null)?.schema;
  const [, major] = /^gemm-paranoia\/atlas\/(\d+)$/.exec(String(schema)) ?? [];
  if (Number(major) > Number(ENTRY_SCHEMA.split('/')[2]))
    throw newerEntry({ file, schema: String(schema), reads: ENTRY_SCHEMA });
  const read = entry.safeParse(value, { error: plainWords });
  if (!read.success) throw badEntry({ file, why: firstFault(read.error, value) }, read.error);
  // What the schema does not know would be hashed here and not there.
  if (canonicalText(read.data) === canonicalText(value)) return read.data;
  throw badEntry({ file, why: `it holds keys that ${ENTRY_SCHEMA} does not have` });
}

/** Clocks differ: a day is let through. */
const SLACK = 24 * 3600 * 1000;

/** What an entry says and its own cases contradict, a sentence each: it may have been written by hand. */
export function entryFaults({ run, kernels }: Entry, now: Date): string[] {
  const time = Date.parse(run.createdAt);
  const names = kernels.map(({ kernel, precision }) => JSON.stringify([kernel, precision]));
  return [
    ...(time <= now.getTime() + SLACK ? [] : [`it was made at ${run.createdAt}, which has not been`]),
    ...(new Set(names).size < names.length ? ['a kernel is there twice in one precision'] : []),
    ...kernels.flatMap((one) => kernelFaults(one).map((fault) => `${one.kernel}: ${fault}`)),
    ...verdictFaults(run.verdict, kernels),
  ];
}

function verdictFaults(verdict: Entry['run']['verdict'], kernels: readonly KernelRecord[]): string[] {
  const failing = kernels.some(
    ({ counts: { fail, waived }, disproved = [] }) => fail > waived || disproved.length > 0,
  );
  if (failing && verdict !== 'fail') return [`its verdict is ${verdict}, and it has failures`];
  const undecided = kernels.some(({ counts }) => counts.inconclusive > 0);
  return undecided && verdict === 'pass' ? ['it passes, and has cases that could not be judged'] : [];
}

function kernelFaults(record: KernelRecord): string[] {
  const { counts, cases, kernel, precision, failures = [] } = record;
  const { pass, fail, inconclusive } = counts;
  const of = (verdict: CaseRow['verdict']) => cases.filter((row) => row.verdict === verdict).length;
  const isWhole = cases.length === counts.cases;
  const faults: string[] = [];
  if (pass + fail + inconclusive !== counts.cases) faults.push('its counts do not add up');
  if (fail !== of('fail') || inconclusive !== of('inconclusive') || of('pass') > pass)
    faults.push('its counts are not those of its cases');
  if (isWhole && of('pass') !== pass) faults.push('its counts are not those of its cases');
  if (isWhole && canonicalText(worstOf(cases)) !== canonicalText(record.worst))
    faults.push('the worst that it tells of is not the worst of its cases');
  const mirrored = cases.filter(({ mirror }) => mirror !== undefined).length;
  if (isWhole && mirrored !== counts.mirrored)
    faults.push('other cases were compared with the mirror than it counts');
  const strange = cases.find((row) => !isOf(row, kernel, precision));
  if (strange !== undefined) faults.push(`${strange.case} is no case of it`);
  const unheard = failures.find(({ example }) => !isOf(example, kernel, undefined));
  if (unheard !== undefined) faults.push(`${unheard.example.case} is no case of it`);
  return faults;
}

/** An example may be of another precision of the same kernel, of which the same is said. */
function isOf(
  { case: text }: { readonly case: string },
  kernel: string,
  precision: string | undefined,
): boolean {
  const read = settled(() => parseCase(text));
  if (read instanceof ParanoiaError) return false;
  if (read.fault !== undefined) return false;
  return read.kernel === kernel && (precision === undefined || read.problem.precision === precision);
}
