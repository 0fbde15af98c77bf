import type { KernelSession } from '../../kernels/kernel.ts';
import type { UserKernel } from '../../kernels/user-kernel.ts';
import type { JobOptions, StartedJobs } from '../../run/node/job-process.ts';
import type { MachineOptions } from '../../run/open-machine.ts';

type JobStarter = (jobs: JobOptions) => StartedJobs | Promise<StartedJobs>;

const startInNode: JobStarter = async (jobs) =>
  (await import('../../run/node/job-process.ts')).startJobs(jobs);

/**
 * Processes that start while cases are planned: that of the first kernel, and those that judge. Planning takes one core about as long as
 * their start takes another.
 */
export class StartedAhead {
  private readonly sessions = new Map<string, KernelSession>();
  private jobs: StartedJobs | undefined;
  private readonly start: JobStarter;

  /** @param start starts the processes that judge. @defaultValue in Node */
  constructor(start: JobStarter = startInNode) {
    this.start = start;
  }

  /** Starts the process of the first kernel, and those that judge. An error is told by the first product. */
  async begin(
    external: readonly UserKernel[],
    { catalog, sessionOf }: Pick<MachineOptions, 'catalog' | 'sessionOf'>,
    jobs: JobOptions,
  ): Promise<void> {
    if (jobs.count > 1) this.jobs = await this.start(jobs);
    const [spec] = external;
    if (spec === undefined) return;
    const session = await sessionOf(spec, noDevice, catalog.precisions.find(spec.precision ?? 'f32'));
    this.sessions.set(spec.name, session);
    session.versions?.().catch(() => {});
  }

  /** Returns a function that hands out the started session once, and opens others. */
  sessionOf(open: MachineOptions['sessionOf']): MachineOptions['sessionOf'] {
    return (spec, ...rest) => {
      const session = this.sessions.get(spec.name);
      this.sessions.delete(spec.name);
      return session ?? open(spec, ...rest);
    };
  }

  /** Hands out the processes that judge. If more or fewer were started than are wanted, they end. */
  takeJobs(wanted: JobOptions): StartedJobs | undefined {
    const { jobs } = this;
    this.jobs = undefined;
    if (jobs?.count === wanted.count) return jobs;
    jobs?.kill();
    return undefined;
  }

  /** Ends what was not handed out. An error of the plan does not wait for it. */
  end(): void {
    this.jobs?.kill();
    for (const session of this.sessions.values()) session.close?.().catch(() => {});
  }
}

/** Throws: kernels of a command run in other processes, which open devices of their own. */
export function noDevice(): never {
  throw new Error('A kernel in another process needs no device of this one.');
}
