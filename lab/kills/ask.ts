import { ParanoiaError } from '../../src/base/errors.ts';
import { createRandom } from '../../src/base/random.ts';
import { defaultThresholds } from '../../src/evidence/checks/check.ts';
import { checks } from '../../src/evidence/checks/checks.ts';
import { Evaluator } from '../../src/evidence/evaluate.ts';
import { verdictOfChecks } from '../../src/evidence/result-of.ts';
import { exactProduct } from '../../src/exact/exact.ts';
import type { Machine } from '../../src/gpu/device.ts';
import { externalKernel } from '../../src/kernels/external-kernel.ts';
import { openFunctionKernel } from '../../src/kernels/function-kernel.ts';
import { type Kernel, type KernelJob, type KernelSession, listOf } from '../../src/kernels/kernel.ts';
import type { FunctionKernel } from '../../src/kernels/user-kernel.ts';
import { precisions } from '../../src/precision/precisions.ts';
import { externalComputation } from '../../src/run/open-machine.ts';
import type { PlannedCase } from '../../src/run/planned-case.ts';
import { hashOf, planGroup, plannedKernel, type SpecimenGroup } from './groups.ts';
import { loadSpecimens } from './specimens.ts';

/** The cost of a case, in milliseconds, calls and multiplications. */
export interface CaseCost {
  /** Time of the judge for operands, exact product and bounds, which kernels share here. */
  readonly shared: number;
  /** Time of the judge for each kernel. */
  readonly own: number;
  readonly calls: number;
  readonly products: number;
}

/** The answers of the kernels of a group to some of its cases. */
export interface GroupAnswers {
  /** The places of these cases in the plan of the group. */
  readonly cases: readonly number[];
  readonly costs: readonly CaseCost[];
  /** For each kernel, the cases that fail it, as places in `cases`. */
  readonly kills: readonly (readonly number[])[];
  /** For each kernel, its time in milliseconds for each case. */
  readonly times: readonly (readonly number[])[];
}

/**
 * Asks all kernels of a group the cases of one part of their plan. Operands, exact product and bounds of a case are made once. A kernel
 * with state is loaded anew for each case, so that the answers depend on the case alone.
 */
export async function askGroup(group: SpecimenGroup, part: number, parts: number): Promise<GroupAnswers> {
  const plan = planGroup(group);
  const cases = [...plan.keys()].filter((at) => at % parts === part);
  const stage = await Stage.open(group);
  const costs: CaseCost[] = [];
  const kills: number[][] = group.specimens.map(() => []);
  const times: number[][] = group.specimens.map(() => []);
  for (const [place, at] of cases.entries()) {
    const kernels = await stage.kernels();
    let [shared, own, calls, products] = [0, Number.POSITIVE_INFINITY, 0, 0];
    for (const [who, kernel] of kernels.entries()) {
      seedChance(`${group.specimens[who].name} ${at}`);
      const said = await stage.ask(kernel, plan[at]);
      if (said.isKilled) kills[who].push(place);
      times[who].push(rounded(said.kernel));
      if (who === 0) shared = said.judge;
      own = Math.min(own, said.judge);
      calls = Math.max(calls, said.calls);
      products = Math.max(products, said.products);
    }
    costs.push({ shared: rounded(shared - own), own: rounded(own), calls, products });
  }
  return { cases, costs, kills, times };
}

const rounded = (milliseconds: number) => Number(milliseconds.toPrecision(3));

/** Makes races and other chance in kernels depend on the kernel and the case alone. */
function seedChance(text: string): void {
  const random = createRandom(hashOf(text));
  Math.random = () => random.uniform01();
}

interface Answer {
  readonly isKilled: boolean;
  /** Milliseconds of the kernel and of the judge. */
  readonly kernel: number;
  readonly judge: number;
  readonly calls: number;
  readonly products: number;
}

/** A kernel in the place of which others answer, so that they share everything that depends on the kernel of a case. */
class Stage {
  private readonly group: SpecimenGroup;
  private readonly evaluator = new Evaluator(exactProduct);
  private readonly kernel: Kernel;
  private readonly lasting: readonly FunctionKernel[];
  private session: KernelSession | undefined;
  private spent = { kernel: 0, calls: 0, products: 0 };

  static async open(group: SpecimenGroup): Promise<Stage> {
    const { precision = 'f32', claims } = group.spec;
    const computation = await externalComputation(precisions.find(precision), claims);
    return new Stage(group, computation, await loadSpecimens(group.specimens));
  }

  private constructor(
    group: SpecimenGroup,
    computation: Parameters<typeof externalKernel>[2],
    lasting: readonly FunctionKernel[],
  ) {
    this.group = group;
    this.lasting = lasting;
    const session: KernelSession = {
      run: (jobs, meanwhile) => this.run(jobs, meanwhile),
      isCalled: true,
      renew: async () => this.session?.renew?.(),
    };
    this.kernel = externalKernel(plannedKernel(group), session, computation);
  }

  /** Returns the kernels for a case: those with state as new ones. */
  async kernels(): Promise<readonly FunctionKernel[]> {
    const { specimens } = this.group;
    const stateful = specimens.filter(({ hasState }) => hasState);
    if (stateful.length === 0) return this.lasting;
    const fresh = (await loadSpecimens(stateful, true)).values();
    return specimens.map(({ hasState }, at) =>
      hasState ? (fresh.next().value as FunctionKernel) : this.lasting[at],
    );
  }

  /** Asks a kernel a case, and judges the answer as the gate does. */
  async ask(kernel: FunctionKernel, value: PlannedCase): Promise<Answer> {
    this.session = openFunctionKernel(kernel, undefined, this.kernel.precision);
    this.spent = { kernel: 0, calls: 0, products: 0 };
    const start = performance.now();
    const found = await this.evaluator.attempt({ case: value, kernel: this.kernel }, {} as Machine);
    const isKilled =
      found instanceof ParanoiaError
        ? found.blames === 'kernel'
        : verdictOfChecks(
            checks.items.map((check) => ({ name: check.name, ...check.judge(found, defaultThresholds) })),
          ).verdict === 'fail';
    await this.session.close?.();
    return { isKilled, ...this.spent, judge: performance.now() - start - this.spent.kernel };
  }

  private async run(jobs: readonly KernelJob[], meanwhile?: () => void) {
    meanwhile?.();
    const start = performance.now();
    const outcomes = await (this.session as KernelSession).run(jobs);
    this.spent.kernel += performance.now() - start;
    for (const job of jobs) {
      const { before = [], after = [] } = job.inFlight ?? {};
      const beside = [...before, job, ...after].flatMap((one) => listOf(one));
      this.spent.calls += beside.length;
      for (const { gemm, operands } of beside) {
        const { m, k, n, batch } = gemm ?? {
          m: operands.a.rows,
          k: operands.a.cols,
          n: operands.b.cols,
          batch: 1,
        };
        this.spent.products += m * k * n * batch;
      }
    }
    return outcomes;
  }
}
