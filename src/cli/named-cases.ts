import { lookUp } from '../base/look-up.ts';
import type { Flags } from '../config/flags.ts';
import { parseText } from '../config/flags.ts';
import { conflictingOptions } from '../config/messages.ts';
import type { Options } from '../config/options.ts';
import { OF_A_CASE } from '../config/run-options.ts';
import { parseCase } from '../problem/case.ts';
import type { PlannedCase } from '../run/planned-case.ts';

/** What cases are looked for with. */
export interface Context {
  readonly options: Options;
  /** The kernels of the run. */
  readonly kernels: readonly string[];
}

/** A flag that names cases, in place of a campaign that is planned. */
interface Naming {
  readonly flag: string;
  /** The flag by its name in camel case, as `cac` gives it. */
  readonly key: string;
  /** Flags that choose cases of a campaign and that it may be given with. */
  readonly besides: (flags: Flags) => readonly string[];
  readonly cases: (flags: Flags, context: Context) => PlannedCase[] | Promise<PlannedCase[]>;
}

/** The precision of a kernel in a file that does not say it is part of how it is read. */
const ofFiles = ({ files }: Flags): readonly string[] => (files === undefined ? [] : ['files', 'precision']);

const namings: readonly Naming[] = [
  { flag: '--case', key: 'case', besides: ofFiles, cases: texts },
  {
    flag: '--last-failed',
    key: 'lastFailed',
    besides: (flags) => ['kernel', ...ofFiles(flags)],
    async cases(flags, { options, kernels }) {
      const { lastFailed } = await import('./last-failed.ts');
      return lastFailed(options.out, (flags.kernel ?? flags.files) === undefined ? undefined : kernels);
    },
  },
  {
    flag: '--replay',
    key: 'replay',
    besides: ofFiles,
    cases: async ({ replay }, { options }) =>
      (await import('./replayed-case.ts')).replayedCase(options.out, replay),
  },
  {
    flag: '--fault',
    key: 'fault',
    besides: () => [],
    async cases({ fault }) {
      const { casesFor } = await import('../gate/self-test.ts');
      const { findFault } = await import('../kernels/faults/faults.ts');
      return casesFor(findFault(parseText('--fault', fault)));
    },
  },
];

/** Whether flags name the cases of a run. */
export const namesCases = (flags: Flags): boolean =>
  namings.some(({ key }) => lookUp(flags, key) !== undefined);

/**
 * The cases that flags name; undefined where they name none, and a campaign is planned.
 * @throws ParanoiaError `conflicting-options`, `bad-case`, `unknown-name`, and those of what reads the results of earlier runs
 */
export async function namedCases(flags: Flags, context: Context): Promise<PlannedCase[] | undefined> {
  const [naming, other] = namings.filter(({ key }) => lookUp(flags, key) !== undefined);
  if (naming === undefined) return undefined;
  if (other !== undefined) throw conflictingOptions({ one: naming.flag, other: other.flag });
  const allowed = naming.besides(flags);
  const wrong = ['files', 'cases', ...OF_A_CASE].find(
    (name) => lookUp(flags, name) !== undefined && !allowed.includes(name),
  );
  if (wrong !== undefined) {
    const named = wrong === 'files' ? 'kernels in files' : `--${wrong}`;
    throw conflictingOptions({ one: naming.flag, other: named });
  }
  return naming.cases(flags, context);
}

function texts(flags: Flags): PlannedCase[] {
  return [flags.case].flat().map((given) => ({ ...parseCase(String(given)), series: false }));
}
