import { type ParanoiaError, settling } from '../base/errors.ts';
import type { Executable } from '../gpu/runner/device-job.ts';
import { type Outcome, type Product, productOf } from '../gpu/runner/product.ts';
import type { Timed as DeviceTimed, Timing } from '../gpu/runner/time.ts';
import { type Matrix, productShape, type Shape } from '../matrix/dense.ts';
import type { Diagonal } from '../matrix/diagonal.ts';
import type { Features } from '../matrix/features.ts';
import { askedOf, type ComplexEntries, describeGemm, type Gemm, plainGemm } from '../matrix/gemm.ts';
import type { Stacked } from '../matrix/members.ts';
import type { Scaling } from '../matrix/scaling.ts';
import type { Plan } from '../plan/plan.ts';
import type { Computation } from '../precision/precision.ts';
import type { LevelGrowth, Method } from '../problem/method.ts';
import type { Claims } from './claims.ts';
import { kernelRefuses } from './messages.ts';
import type { Surroundings } from './surroundings.ts';
import { thrownBy } from './thrown.ts';

/** A matrix multiplication whose claims can be checked, in a precision and an arithmetic. */
export interface Kernel extends Computation {
  /** The name cases and reports use: `strassen:register`. */
  readonly name: string;
  /** The algorithm it claims to be, by name. */
  readonly algorithm: string;
  /** The growth in that algorithm which its operands allow for. */
  readonly growth: LevelGrowth;
  /** What it promises beyond algorithm and precision; a built-in kernel's plan says all. */
  readonly claims?: Claims | undefined;
  /** Whether its plan is what it executes, to the order of its sums; else its claims say how it may recurse. @defaultValue true */
  readonly followsPlan?: boolean | undefined;
  /** The leaf kernel, by name as asked for; empty for a kernel that is not ours. */
  readonly leaf: string;
  /** The leaf kernel that a plan is executed with: what a family stands for on this device. */
  leafOf?(plan: Plan): string;
  /**
   * What the kernel claims to execute for a shape: bounds, expected errors and the mirror are read from it. Where it claims
   * no place for alpha and beta, the plan is that of A·B.
   * @throws ParanoiaError `bad-number` for sizes and levels no plan can be made for.
   */
  plan(shape: Shape, method: Method, scaling?: Scaling): Plan;
  /**
   * Why it does not compute a product, as a clause after "because"; undefined where it does. A shape alone is that of A·B of
   * dense matrices. By default it always does.
   */
  refuses?(asked: Shape | Gemm): string | undefined;
  /** What it takes beyond A·B of dense matrices. @defaultValue nothing */
  readonly takes?: Features | undefined;
  /** How operands are scaled before they are multiplied, and the product back. @defaultValue not at all */
  readonly diagonal?: Diagonal | undefined;
  /** How its complex entries lie, where its precision has them. @defaultValue 'interleaved' */
  readonly entries?: ComplexEntries | undefined;
  /** The kernel of complex matrices whose real parts these are. */
  readonly complex?: Kernel | undefined;
  /** What multiplies; kernels of one session are run together. */
  readonly session: Session;
  /** What the device executes for a plan of ours. @throws ParanoiaError `leaf-refused`, `fault-not-planted` */
  executable?(plan: Plan): Executable;
}

/** What is multiplied: A m×k, B k×n, C m×n; those of a batch one below the other. */
export interface Factors {
  readonly operands: Stacked;
  /** What is asked; left out, A·B of dense matrices. */
  readonly gemm?: Gemm | undefined;
  /** What is computed together with it. */
  readonly beside?: Beside<Factors> | undefined;
  /** What is asked for without waiting for it, or it for them: only errors of these are told. */
  readonly inFlight?: Beside<Factors> | undefined;
  /** Where it lies. @defaultValue in memory of its own, NaN where nothing is to be read */
  readonly memory?: Memory | undefined;
  /** What a kernel that is not trusted sees of the world around it. @defaultValue what is there */
  readonly surroundings?: Surroundings | undefined;
  /** Whether the products of a dense batch are asked for one after the other, each as A·B. @defaultValue false */
  readonly apart?: boolean | undefined;
}

/** How a product lies in memory, where what it shares with the product before is of the same lengths. */
export type Memory =
  /** Where the product before lay, described by the same object. */
  | 'again'
  /** In views of larger memory, with numbers where nothing is to be read. */
  | 'strewn'
  /** In parts of one memory. */
  | 'heap'
  /** B where that of the product before lay, described by the same object. */
  | 'same-b'
  /** A where D of the product before was. */
  | 'chained';

/** Other products, in their order. */
export interface Beside<J> {
  readonly before: readonly J[];
  readonly after: readonly J[];
}

/** A product with those that are computed together with it, in their order. */
export const listOf = <J extends { readonly beside?: Beside<J> | undefined }>(job: J): readonly J[] =>
  job.beside === undefined ? [job] : [...job.beside.before, job, ...job.beside.after];

/** What is asked of a kernel, in entries of its precision. @throws ParanoiaError `shapes-differ` */
export const gemmOf = ({ operands: { a, b }, gemm }: Factors): Gemm =>
  askedOf(gemm ?? plainGemm(productShape(a, b)));

/** A product that a kernel is to compute, as its plan says. */
export interface Job extends Factors {
  readonly kernel: Kernel;
  readonly plan: Plan;
  readonly beside?: Beside<Job> | undefined;
}

/** What multiplies: a device, a function, a process. */
export interface Session<J = Job> {
  /**
   * Computes products.
   * @param meanwhile what to do in this thread while they are computed, at most once.
   * @returns their outcomes, in their order: after a failure the next product is tried as if nothing had happened.
   * @throws ParanoiaError `device-lost`
   */
  run(jobs: readonly J[], meanwhile?: () => void): Promise<Outcome[]>;
  /**
   * Computes a product again and again.
   * @param clock the device's that is wanted, where it has several.
   * @returns undefined where the kernel has no clock of its own.
   * @throws ParanoiaError what `run` gives as an outcome.
   */
  time?(job: J, timing: Timing, clock?: DeviceTimed['clock']): Promise<Timed | undefined>;
  /**
   * Does what comes before the first product, so that a time limit need not count it; the first product does it
   * otherwise. What it throws, every product fails with.
   */
  start?(): Promise<void>;
  /**
   * Forgets what the products so far have left behind: the next one is computed in a new process, or, of a function in this
   * process, when it was released and prepared again. What needs none has nothing to forget.
   */
  renew?(): Promise<void>;
  /**
   * Begins what a renewal waits for, while other products are computed: at most one process at a time, and no more than a few.
   * @param whoever whether the first process is meant, whatever its products see around them.
   */
  ahead?(surroundings: Surroundings, whoever?: boolean): void;
  /** Whether it takes several products in flight and memory that is used again; else it is asked as ever. @defaultValue false */
  readonly isCalled?: boolean | undefined;
  /** Whether it takes products that are to be asked for {@link Factors.apart}. @defaultValue false */
  readonly asksApart?: boolean | undefined;
  /** Versions that a report states, by name. */
  versions?(): Promise<Readonly<Record<string, string>>>;
  close?(): Promise<void>;
}

/** A product that was computed again and again where its operands lay, by the clock of a device or of the kernel itself. */
export interface Timed extends Omit<DeviceTimed, 'clock' | 'whole'> {
  readonly clock: DeviceTimed['clock'] | 'own';
  readonly whole?: number;
  /** Whether the kernel says that it computed on a GPU. */
  readonly onGpu?: boolean;
}

/**
 * Computes products, those of a session together: the one way to a product.
 * @param meanwhile what to do in this thread while they are computed, at most once.
 * @returns in their order what came of each: `kernel-refuses` for shapes that its kernel does not multiply, `kernel-threw`
 *   for whatever a session throws, `device-lost` for all that were together on the device.
 */
export async function run(jobs: readonly Job[], meanwhile?: () => void): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const places = new Map<Session, number[]>();
  for (const [at, { kernel, plan, gemm = plainGemm(plan.shape), apart }] of jobs.entries()) {
    const refused = refusalOf(kernel, apart === true ? { ...gemm, batch: 1 } : gemm);
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

/** One product. @throws ParanoiaError where {@link run} has one as its outcome */
export async function multiply(job: Job, meanwhile?: () => void): Promise<Product> {
  return productOf((await run([job], meanwhile))[0]);
}

function refusalOf({ name, refuses }: Kernel, gemm: Gemm): ParanoiaError | undefined {
  try {
    const why = refuses?.(gemm);
    return why === undefined ? undefined : kernelRefuses({ kernel: name, shape: describeGemm(gemm), why });
  } catch (error) {
    return thrownBy(name, error);
  }
}

async function outcomesOf(
  session: Session,
  jobs: readonly Job[],
  meanwhile?: () => void,
): Promise<Outcome[]> {
  try {
    return await session.run(jobs, meanwhile);
  } catch (error) {
    return jobs.map(({ kernel }) => thrownBy(kernel.name, error));
  }
}

/** Runs jobs one after the other, by what computes one product or throws a `ParanoiaError`. */
export function oneByOne<J>(compute: (job: J) => Promise<Product>): Session<J>['run'] {
  return async (jobs, meanwhile) => {
    const outcomes: Outcome[] = [];
    for (const [at, job] of jobs.entries()) {
      const outcome = settling(compute(job));
      if (at === 0) meanwhile?.();
      outcomes.push(await outcome);
    }
    return outcomes;
  };
}

/** The session of what leaves C and, as far as can be seen, nothing else. Its time is that until C is there. */
export function sessionOf<J>(compute: (job: J) => Matrix | Promise<Matrix>): Session<J> {
  return {
    run: oneByOne(async (job) => {
      const start = performance.now();
      const c = await compute(job);
      const seconds = (performance.now() - start) / 1000;
      return { c, unwritten: 0, overwritten: 0, changed: 0, seconds };
    }),
  };
}
