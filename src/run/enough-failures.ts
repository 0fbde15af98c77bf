import type { CaseResult } from '../evidence/case-result.ts';
import { isLongLife } from '../evidence/long-life.ts';
import { type Case, parseCase } from '../problem/case.ts';
import { formatCount } from '../report/numbers.ts';
import { type CaseBudget, estimateWork } from './spending.ts';

/** The most failures of a kernel, and the most cases after its first one. */
const [FAILURES, CASES] = [12, 60];
/** Failures as which one counts that depends on earlier products or on chance. The search for its cause takes many products. */
const OF_STATE = 4;
/** Limits of work: that of these cases together, and the largest share of the remaining work for one case. All take a few seconds. */
const [WORK, SHARE] = [2 ** 25, 1 / 8];

type Told = Pick<CaseResult, 'case' | 'kernel' | 'verdict' | 'waiver' | 'checks' | 'after' | 'unsteady'>;

interface Failing {
  failures: number;
  cases: number;
  work: number;
}

/** Limiter that ends the cases of a kernel that fails once enough small ones are judged to group its failures. No clock decides it. */
export class FailureLimiter {
  private readonly kernels = new Map<string, Failing>();
  /** Kernels with failures other than too large errors. */
  readonly wrong = new Set<string>();
  private spared = 0;

  /** True if a case must be judged: its kernel has not failed, or the case tells more about its failures. */
  wants(value: Case): boolean {
    const own = this.kernels.get(value.kernel);
    if (own === undefined) return true;
    const isOpen = own.failures < FAILURES && own.cases < CASES;
    const work = estimateWork(value);
    const isSmall = isSingle(value) && !isLongLife(value) && work <= SHARE * own.work;
    if (!isOpen || !isSmall) {
      this.spared++;
      return false;
    }
    own.cases++;
    own.work -= work;
    return true;
  }

  /** Returns a budget that affords only these cases. */
  within(budget: CaseBudget): CaseBudget {
    return {
      affords: (value) => this.wants(value) && budget.affords(value),
      spent: (...what) => budget.spent(...what),
      begin: (value) => budget.begin(value),
      isOver: () => budget.isOver(),
      state: (kernel) => budget.state(kernel),
      leaveOut: (value) => budget.leaveOut(value),
      reserve: (planned) => budget.reserve(planned),
      speedOf: (kernel) => budget.speedOf(kernel),
      expects: (value) => budget.expects(value),
    };
  }

  told(result: Told): void {
    const { kernel, verdict, waiver } = result;
    if (verdict !== 'fail' || waiver !== undefined) return;
    if (isWrong(result)) this.wrong.add(kernel);
    const own = this.kernels.get(kernel) ?? { failures: 0, cases: 0, work: WORK };
    this.kernels.set(kernel, own);
    own.failures += result.after === undefined && result.unsteady === undefined ? 1 : OF_STATE;
  }

  /** Returns a sentence on the cases that were not started, if there are any. */
  sentence(): string | undefined {
    if (this.spared === 0) return undefined;
    const them = this.spared === 1 ? 'it' : 'them';
    return `This is enough for a verdict, so ${formatCount(this.spared, 'other case')} did not run; --all runs ${them}.`;
  }
}

/** Checks of the size of errors. A kernel that fails only these may be right by another claim. */
const OF_ERRORS: readonly string[] = ['running-bound', 'sigma', 'drift'];

/** True if a failure is more than too large errors. */
function isWrong({ case: text, checks }: Told): boolean {
  const failed = checks.find(({ status }) => status === 'fail');
  // Products before a case end with the first wrong one, whatever the mistake.
  if (failed === undefined || !isSingle(parseCase(text))) return false;
  return !OF_ERRORS.includes(failed.name) || failed.looksLike !== undefined;
}

/** True if no products of other shapes come before that of a case. */
const isSingle = ({ problem: { program, sweep } }: Case): boolean => program === 0 && sweep === 0;
