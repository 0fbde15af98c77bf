import type { RunOptions } from '../../config/options.ts';
import { conflictingOptions } from '../../options/messages.ts';
import { flagOf, givenFlag } from '../../options/option.ts';
import { parseCase } from '../../problem/case.ts';
import type { PlannedCase } from '../../run/planned-case.ts';
import { type GateRequest, gateOptions } from './options.ts';

export interface NamedCasesContext {
  readonly options: RunOptions;
  readonly kernels: readonly string[];
}

/** A way to name cases, instead of planning a campaign. */
interface Naming {
  /** Its option. */
  readonly key: 'case' | 'lastFailed' | 'replay' | 'fault';
  /** Returns the options that choose cases of a campaign and may be combined with it. */
  readonly besides: (request: GateRequest) => readonly string[];
  readonly cases: (
    request: GateRequest,
    context: NamedCasesContext,
  ) => PlannedCase[] | Promise<PlannedCase[]>;
}

/** For kernels in files that do not state a precision, the option `precisions` decides how they are read. */
const ofFiles = ({ files }: GateRequest): readonly string[] =>
  files === undefined ? [] : ['files', 'precisions'];

const namings: readonly Naming[] = [
  { key: 'case', besides: ofFiles, cases: texts },
  {
    key: 'lastFailed',
    besides: (request) => ['kernels', ...ofFiles(request)],
    async cases(request, { options, kernels }) {
      const { lastFailed } = await import('./earlier-run.ts');
      return lastFailed(options.out, (request.kernels ?? request.files) === undefined ? undefined : kernels);
    },
  },
  {
    key: 'replay',
    besides: ofFiles,
    cases: async ({ replay }, { options }) =>
      (await import('./earlier-run.ts')).readReplayedCase(options.out, replay as number),
  },
  {
    key: 'fault',
    besides: () => [],
    async cases({ fault }) {
      const { casesFor } = await import('../../gate/self-test.ts');
      const { findFault } = await import('../../kernels/faults/faults.ts');
      return casesFor(findFault(fault as string));
    },
  },
];

export const namesCases = (request: GateRequest): boolean =>
  namings.some(({ key }) => request[key] !== undefined);

/**
 * Returns the cases that a request names; undefined if it names none, so that a campaign is planned.
 * @throws ParanoiaError `conflicting-options`, `bad-case`, `unknown-name`, and errors of reading results of earlier runs
 */
export async function namedCases(
  request: GateRequest,
  context: NamedCasesContext,
): Promise<PlannedCase[] | undefined> {
  const [naming, other] = namings.filter(({ key }) => request[key] !== undefined);
  if (naming === undefined) return undefined;
  const one = flagOf(gateOptions[naming.key]);
  if (other !== undefined) throw conflictingOptions({ one, other: flagOf(gateOptions[other.key]) });
  const allowed = naming.besides(request);
  if (request.files !== undefined && !allowed.includes('files'))
    throw conflictingOptions({ one, other: 'kernels in files' });
  const wrong = givenFlag(
    gateOptions,
    request,
    ({ scope }, key) => (key === 'cases' || scope === 'cases') && !allowed.includes(key),
  );
  if (wrong !== undefined) throw conflictingOptions({ one, other: wrong });
  return naming.cases(request, context);
}

function texts({ case: given = [] }: GateRequest): PlannedCase[] {
  return given.map((text) => ({ ...parseCase(text), series: false }));
}
