import { catchParanoiaErrorAsync, type ParanoiaError } from '../base/errors.ts';
import type { Chain } from '../epilogue/chain-text.ts';
import type { Executable } from '../gpu/runner/device-job.ts';
import { type Product, type ProductOutcome, requireProduct } from '../gpu/runner/product.ts';
import type { DeviceTiming, DeviceTimingOptions } from '../gpu/runner/time.ts';
import { type Matrix, productShape, type Shape } from '../matrix/dense.ts';
import type { Diagonal } from '../matrix/diagonal.ts';
import type { Scaling } from '../matrix/factor.ts';
import type { Features } from '../matrix/features.ts';
import { type ComplexEntries, describeGemm, type Gemm, plainGemm, requestedGemm } from '../matrix/gemm.ts';
import type { StackedOperands } from '../matrix/members.ts';
import type { Plan } from '../plan/plan.ts';
import type { Computation } from '../precision/precision.ts';
import type { LevelGrowth, Method } from '../problem/method.ts';
import type { Claims } from './claims.ts';
import { toKernelError } from './kernel-error.ts';
import { kernelRefuses } from './messages.ts';
import type { SimulatedClockAndPid } from './simulated-clock-and-pid.ts';

/** A matrix multiplication whose claims can be checked, in a precision and an arithmetic. */
export interface Kernel extends Computation {
  /** The name cases and reports use: `strassen:register`. */
  readonly name: string;
  /** The algorithm it claims to be, by name. */
  readonly algorithm: string;
  /** The growth of that algorithm for which its operands allow. */
  readonly growth: LevelGrowth;
  /** Its claims beyond algorithm and precision; for a built-in kernel the plan is complete. */
  readonly claims?: Claims | undefined;
  /** True if it executes its plan exactly, even in the order of sums; else its claims say how it may recurse. @defaultValue true */
  readonly followsPlan?: boolean | undefined;
  /** The leaf kernel, by the name requested; empty for an external kernel. */
  readonly leaf: string;
  /** Returns the leaf kernel that executes a plan: the choice of a family on this device. */
  leafOf?(plan: Plan): string;
  /**
   * Returns the plan that the kernel claims to execute for a shape: bounds, expected errors and the model follow from it. Without claims
   * on the places of alpha and beta, the plan is that of A·B.
   * @throws ParanoiaError `bad-number` for sizes and levels for which no plan exists.
   */
  plan(shape: Shape, method: Method, scaling?: Scaling): Plan;
  /**
   * Explains why it does not compute a product, as a clause after "because"; undefined where it does. A shape alone is that of A·B of
   * dense matrices.
   * @defaultValue it computes all
   */
  refuses?(asked: Shape | Gemm): string | undefined;
  /** Its features beyond A·B of dense matrices. @defaultValue none */
  readonly takes?: Features | undefined;
  /** The epilogues that it computes. @defaultValue none */
  readonly epilogues?: readonly Chain[] | undefined;
  /** Scaling of operands before they are multiplied, and of the product back. @defaultValue none */
  readonly diagonal?: Diagonal | undefined;
  /** Layout of its complex entries, where its precision has them. @defaultValue 'interleaved' */
  readonly entries?: ComplexEntries | undefined;
  /** The complex kernel whose real part this kernel is. */
  readonly complex?: Kernel | undefined;
  /** The session that computes its products; kernels of one session run together. */
  readonly session: KernelSession;
  /** Returns the program of the device for a built-in plan. @throws ParanoiaError `leaf-refused`, `fault-not-planted` */
  executable?(plan: Plan): Executable;
}

/** The factors of a product: A m×k, B k×n, C m×n; those of a batch one below the other. */
export interface ProductInput {
  readonly operands: StackedOperands;
  /** The requested product. @defaultValue A·B of dense matrices */
  readonly gemm?: Gemm | undefined;
  /** Products computed together with it. */
  readonly beside?: CallContext<ProductInput> | undefined;
  /** Products submitted concurrently; only their errors are reported. */
  readonly inFlight?: CallContext<ProductInput> | undefined;
  /** Its placement in memory. @defaultValue memory of its own, NaN where no operand lies */
  readonly memory?: MemoryPlacement | undefined;
  /** Simulated surroundings for an untrusted kernel. @defaultValue the true ones */
  readonly surroundings?: SimulatedClockAndPid | undefined;
  /**
   * Shapes of products that are computed one after the other, each as A·B by a call of its own. A, B and D hold the entries of all of
   * them, one product behind the other. @defaultValue none: it is a single product
   */
  readonly apart?: readonly Shape[] | undefined;
}

/** Placements of a product in memory; memory of the previous product is shared only where lengths agree. */
export type MemoryPlacement =
  /** At the previous product's place, in the same view objects. */
  | 'again'
  /** In views of larger memory, with numbers instead of NaN where no operand lies. */
  | 'strewn'
  /** In parts of one memory. */
  | 'heap'
  /** B at the place of the previous B, in the same view object. */
  | 'same-b'
  /** A at the place of the previous D. */
  | 'chained';

/** Other products, in their order. */
export interface CallContext<J> {
  readonly before: readonly J[];
  readonly after: readonly J[];
}

/** Returns a product with those that are computed together with it, in their order. */
export const listOf = <J extends { readonly beside?: CallContext<J> | undefined }>(job: J): readonly J[] =>
  job.beside === undefined ? [job] : [...job.beside.before, job, ...job.beside.after];

/** Returns the product requested of a kernel, in entries of its precision. @throws ParanoiaError `shapes-differ` */
export const gemmOfInput = ({ operands: { a, b }, gemm }: ProductInput): Gemm =>
  requestedGemm(gemm ?? plainGemm(productShape(a, b)));

export interface KernelJob extends ProductInput {
  readonly kernel: Kernel;
  readonly plan: Plan;
  readonly beside?: CallContext<KernelJob> | undefined;
}

/** A session that computes products: on a device, by a function, or in a process. */
export interface KernelSession<J = KernelJob> {
  /**
   * Computes products.
   * @param meanwhile work for this thread while they are computed, called at most once.
   * @returns their outcomes, in their order: after a failure the next product is tried as usual.
   * @throws ParanoiaError `device-lost`
   */
  run(jobs: readonly J[], meanwhile?: () => void): Promise<ProductOutcome[]>;
  /**
   * Computes a product repeatedly and times it.
   * @param clock the device's clock to use, where it has several.
   * @returns undefined where the kernel has no clock of its own.
   * @throws ParanoiaError any error that `runJobs` returns as an outcome.
   */
  time?(
    job: J,
    timing: DeviceTimingOptions,
    clock?: DeviceTiming['clock'],
  ): Promise<ProductTiming | undefined>;
  /**
   * Prepares for the first product, so that a time limit need not include it; otherwise the first product does it. If it throws, every
   * product fails with that error.
   */
  start?(): Promise<void>;
  /**
   * Forgets the state of earlier products. The next product runs in a new process; a function in this process is released and prepared
   * again. A session without state does nothing.
   */
  renew?(): Promise<void>;
  /**
   * Begins a renewal in advance, while other products are computed: at most one process at a time, and only a few in all.
   * @param whoever true if the process is for the first products that come, whatever their surroundings.
   */
  ahead?(surroundings: SimulatedClockAndPid, whoever?: boolean): void;
  /** True if it supports several products in flight and reused memory; else these are ignored. @defaultValue false */
  readonly isCalled?: boolean | undefined;
  /** True if it supports {@link ProductInput.apart}. @defaultValue false */
  readonly asksApart?: boolean | undefined;
  /** Versions that a report states, by name. */
  versions?(): Promise<Readonly<Record<string, string>>>;
  close?(): Promise<void>;
}

/** A product timed with its operands in place, by the clock of a device or of the kernel itself. */
export interface ProductTiming extends Omit<DeviceTiming, 'clock' | 'whole'> {
  readonly clock: DeviceTiming['clock'] | 'own';
  readonly whole?: number;
  /** True if the kernel reports that it computed on a GPU. */
  readonly onGpu?: boolean;
}

/**
 * Computes products, those of a session together. All products pass here.
 * @param meanwhile work for this thread while they are computed, called at most once.
 * @returns their outcomes in their order: `kernel-refuses` for shapes that its kernel does not multiply, `kernel-threw` for whatever a
 * session throws, `device-lost` for all that were together on the device.
 */
export async function runJobs(jobs: readonly KernelJob[], meanwhile?: () => void): Promise<ProductOutcome[]> {
  const outcomes: ProductOutcome[] = [];
  const places = new Map<KernelSession, number[]>();
  for (const [at, { kernel, plan, gemm = plainGemm(plan.shape), apart }] of jobs.entries()) {
    const refused = refusalOf(kernel, apart === undefined ? gemm : plainGemm(apart[0]));
    if (refused !== undefined) outcomes[at] = refused;
    else places.set(kernel.session, [...(places.get(kernel.session) ?? []), at]);
  }
  let idle = meanwhile;
  for (const [session, own] of places) {
    const found = await outcomesOf(
      session,
      own.map((at) => jobs[at]),
      idle,
    );
    for (const [i, at] of own.entries()) outcomes[at] = found[i];
    idle = undefined;
  }
  return outcomes;
}

/** Computes one product. @throws ParanoiaError where {@link runJobs} has one as its outcome */
export async function multiply(job: KernelJob, meanwhile?: () => void): Promise<Product> {
  return requireProduct((await runJobs([job], meanwhile))[0]);
}

function refusalOf({ name, refuses }: Kernel, gemm: Gemm): ParanoiaError | undefined {
  try {
    const why = refuses?.(gemm);
    return why === undefined ? undefined : kernelRefuses({ kernel: name, shape: describeGemm(gemm), why });
  } catch (error) {
    return toKernelError(name, error);
  }
}

async function outcomesOf(
  session: KernelSession,
  jobs: readonly KernelJob[],
  meanwhile?: () => void,
): Promise<ProductOutcome[]> {
  try {
    return await session.run(jobs, meanwhile);
  } catch (error) {
    return jobs.map(({ kernel }) => toKernelError(kernel.name, error));
  }
}

/** Runs jobs one after the other, by a function that computes one product or throws a `ParanoiaError`. */
export function runInSequence<J>(compute: (job: J) => Promise<Product>): KernelSession<J>['run'] {
  return async (jobs, meanwhile) => {
    const outcomes: ProductOutcome[] = [];
    for (const [at, job] of jobs.entries()) {
      const outcome = catchParanoiaErrorAsync(compute(job));
      if (at === 0) meanwhile?.();
      outcomes.push(await outcome);
    }
    return outcomes;
  };
}

/** Returns a session of a function that computes C and has no visible side effects. The time of a product ends when C is there. */
export function sessionOf<J>(compute: (job: J) => Matrix | Promise<Matrix>): KernelSession<J> {
  return {
    run: runInSequence(async (job) => {
      const start = performance.now();
      const c = await compute(job);
      const seconds = (performance.now() - start) / 1000;
      return { c, unwritten: 0, overwritten: 0, changed: 0, seconds };
    }),
  };
}
