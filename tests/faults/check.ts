import { EXIT } from '../../src/base/errors.ts';
import { fileReason } from '../../src/base/node/read-file.ts';
import { essenceOf, type Golden } from './golden.ts';
import { resultsIn, standingOf } from './outputs.ts';
import type { Ran } from './run-once.ts';

/** An injected fault, as the checks need it. */
export interface Injected {
  readonly kind: string;
  readonly role: string;
  readonly how: string;
  /** The step that failed. */
  readonly step: string;
}

/** A run with its fault, and the files after it. */
export interface Outcome {
  readonly golden: Golden;
  readonly ran: Ran;
  readonly files: ReadonlyMap<string, Buffer>;
  readonly injected: Injected;
}

/** A requirement for every run: the reason why it is not met, or undefined. */
type Check = (outcome: Outcome) => string | undefined;

const DOCUMENTED: readonly number[] = Object.values(EXIT);
const SIGNAL = /^SIG/;
/** Exit codes that an injected fault must not cause: a failed claim, a fault of the user's code, a bug of this program. */
const NEVER: Readonly<Record<number, string>> = {
  [EXIT.fail]: 'a claim that fails',
  [EXIT.crash]: 'a crash of a kernel',
  [EXIT.ended]: 'a file of the user that ended the program',
  [EXIT.internal]: 'a fault of this program',
};

const isKilled = ({ ran, injected }: Outcome) => ran.signal !== null && ran.signal === injected.how;

const says = ({ stdout, stderr }: Ran) => `${stdout}\n${stderr}`;

const checks: Readonly<Record<string, Check>> = {
  ends: ({ ran }) => (ran.hung ? 'it hangs' : undefined),

  'leaves no process': ({ ran: { left } }) =>
    left.length === 0 ? undefined : `still running: ${left.join('; ')}`,

  'documented exit code': (outcome) => {
    const { ran, golden, injected } = outcome;
    if (isKilled(outcome) || ran.hung) return undefined;
    if (ran.signal !== null) return `it was ended by ${ran.signal}`;
    const code = ran.code as number;
    if (code === golden.code) return undefined;
    if (!DOCUMENTED.includes(code)) return `exit code ${code}`;
    // Errors of a kernel's process, and of a broken pipe, are blamed on the kernel, since their origin cannot be told.
    const isCharged = injected.role === 'host' || injected.kind === 'pipe';
    if (code === EXIT.fail && isCharged) return undefined;
    return code in NEVER ? `exit code ${code}: it is told as ${NEVER[code]}` : undefined;
  },

  'one sentence': ({ ran, injected }) => {
    // The output of a kernel's process goes to our standard error unchanged.
    const text = injected.role === 'host' ? ran.stdout : says(ran);
    const trace = /^ {2,}at .*$|node:internal|UnhandledPromise|^Node\.js v/m.exec(text);
    if (trace !== null) return `a stack: ${trace[0].trim()}`;
    return /itself went wrong[^\n]*/.exec(text)?.[0];
  },

  'says why': (outcome) => {
    const { ran, golden, injected } = outcome;
    const isMute = injected.kind === 'output' && injected.step.endsWith('to 2');
    if (isKilled(outcome) || ran.hung || ran.code === golden.code || isMute) return undefined;
    const text = says(ran);
    if (text.trim() === '') return 'it says nothing';
    const isRefusal = ['files', 'own'].includes(injected.kind) && injected.role === 'main';
    if (!isRefusal) return undefined;
    const { how: code, step } = injected;
    // A file that cannot be looked up counts as missing.
    const reasons = step.includes('exists ') ? ['not exist', 'no '] : [code, fileReason({ code })];
    return reasons.some((reason) => text.includes(reason))
      ? undefined
      : `without the reason: ${lastOf(text)}`;
  },

  'older files are whole': ({ golden, files }) => {
    for (const path of golden.writes) {
      const standing = standingOf(path, files.get(path), golden.begins.get(path));
      if (standing === 'broken') return `${path} is ${files.has(path) ? 'half-written' : 'gone'}`;
    }
    for (const path of golden.scenario.keeps ?? []) {
      const content = golden.begins.get(path);
      if (content === undefined || files.get(path)?.equals(content) !== true) return `${path} was touched`;
    }
    return undefined;
  },

  'leaves no temporary file': (outcome) => {
    if (isKilled(outcome) && outcome.injected.how === 'SIGKILL') return undefined;
    const stray = straysOf(outcome);
    return stray.length === 0 ? undefined : `left: ${stray.join(', ')}`;
  },

  'no false pass': ({ golden, ran, files, injected }) => {
    const passes = ran.code === 0 && ran.signal === null;
    const isLast = ran.stdout.includes('NOT WRITTEN');
    const promised = /^PASS/m.test(ran.stdout) && !isLast;
    if (!passes && !promised) return undefined;
    for (const path of golden.writes)
      if (standingOf(path, files.get(path), golden.begins.get(path)) !== 'new')
        return `${passes ? 'exit code 0' : 'PASS'}, and ${path} is not written`;
    if (passes && golden.essence !== undefined && essenceOf(files) !== golden.essence)
      return 'exit code 0, and the results are others than without the fault';
    const isCut = injected.kind === 'output' && injected.step.endsWith('to 1') && injected.how !== 'EPIPE';
    return passes && isCut && injected.role === 'main'
      ? 'exit code 0, and what it prints is lost'
      : undefined;
  },

  'nothing finished is lost': (outcome) => {
    const { ran, golden, files, injected } = outcome;
    if (SIGNAL.test(injected.how) && ran.signal !== null) return undefined;
    const finished = [...ran.stderr.matchAll(/^[.F?w]+$/gm)].join('').length;
    if (finished === 0 || !golden.writes.includes('out/results.json')) return undefined;
    if (ran.stdout.includes('NOT WRITTEN') && /^(PASS|FAIL|INCONCLUSIVE)/m.test(ran.stdout)) return undefined;
    const own = standingOf(
      'out/results.json',
      files.get('out/results.json'),
      golden.begins.get('out/results.json'),
    );
    const kept = own === 'new' ? resultsIn(files.get('out/results.json')) : undefined;
    // A campaign keeps only telling cases, but counts all.
    const count = (kept?.fuzz === undefined ? kept?.cases.length : kept.summary.run) ?? 0;
    return count < finished ? `${finished} cases were judged, ${count} are in results.json` : undefined;
  },
};

/** Files and folders that exist after a run, but neither before it nor after one without a fault. */
export function straysOf({ golden, files, ran }: Pick<Outcome, 'golden' | 'files' | 'ran'>): string[] {
  const text = says(ran);
  // Files written elsewhere instead are named in the output.
  const isNamed = (path: string) => text.includes(path.replace(/^\.\.\//, '').replace(/\/$/, ''));
  const isCache = (path: string) =>
    path.startsWith('../cache/') && !/\.tmp$|[0-9a-f]{12}(\.old)?\//.test(path);
  return [...files.keys()].filter(
    (path) => !golden.begins.has(path) && !golden.ends.has(path) && !isCache(path) && !isNamed(path),
  );
}

/** The requirements that a run does not meet, each with the reason. */
export function faultsOf(outcome: Outcome): string[] {
  return Object.entries(checks).flatMap(([name, check]) => {
    const why = check(outcome);
    return why === undefined ? [] : [`${name}: ${why}`];
  });
}

const lastOf = (text: string) => text.trim().split('\n').at(-1)?.slice(0, 200);
