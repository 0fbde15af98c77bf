import type { CaseResult } from '../evidence/case-result.ts';
import { isLongLife } from '../evidence/long-life.ts';
import type { Case } from '../problem/case.ts';
import { counted } from '../report/numbers.ts';
import { workOf } from './spending.ts';

/** The most failures of a kernel, and the most cases after its first one. */
const [FAILURES, CASES] = [12, 60];
/** Work of these cases together, and the part of what is left that one may have: all of them take few seconds. */
const [WORK, SHARE] = [2 ** 27, 1 / 8];

interface Failing {
  failures: number;
  cases: number;
  work: number;
}

/** Ends the cases of a kernel that fails once enough small ones are judged to group its failures. No clock decides it. */
export class EnoughFailures {
  private readonly kernels = new Map<string, Failing>();
  private spared = 0;

  /** True if a case is to be judged: its kernel has not failed, or the case tells more of its failures. */
  wants(value: Case): boolean {
    const own = this.kernels.get(value.kernel);
    if (own === undefined) return true;
    const isOpen = own.failures < FAILURES && own.cases < CASES;
    const work = workOf(value);
    const isSmall = value.problem.program === 0 && !isLongLife(value) && work <= SHARE * own.work;
    if (!isOpen || !isSmall) {
      this.spared++;
      return false;
    }
    own.cases++;
    own.work -= work;
    return true;
  }

  /** Takes note of a result. */
  told({ kernel, verdict, waived }: Pick<CaseResult, 'kernel' | 'verdict' | 'waived'>): void {
    if (verdict !== 'fail' || waived !== undefined) return;
    const own = this.kernels.get(kernel) ?? { failures: 0, cases: 0, work: WORK };
    this.kernels.set(kernel, own);
    own.failures++;
  }

  /** A sentence on the cases that were not begun, if there are any. */
  sentence(): string | undefined {
    if (this.spared === 0) return undefined;
    const [were, them] = this.spared === 1 ? ['was', 'it'] : ['were', 'them'];
    return `${counted(this.spared, 'more case')} of what fails ${were} not begun: --all runs ${them}.`;
  }
}
