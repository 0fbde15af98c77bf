import { type Random, seeded } from '../base/random.ts';
import type { Job as KernelJob } from '../kernels/kernel.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import { type Case, changed } from '../problem/case.ts';
import type { Job } from './evidence.ts';
import { gemmFor, prepare } from './prepare.ts';

/** One time that a product is asked for. */
export interface Visit {
  /** The product, with what is in flight beside it. */
  readonly job: Job;
  /** What is asked before, one after the other: nothing is compared of it. */
  readonly before: readonly KernelJob[];
  /** As in "after a product of 3×4×5"; empty where it stands alone. */
  readonly when: string;
}

/** A stream that no family draws from. */
const STREAM = 3001;

/** What stands before a product, or beside it, when it is asked for again; each may find nothing that its kernel takes. */
type Company = (job: Job, around: Around) => Partial<Visit> | undefined;

/** What can be asked around a product. */
interface Around {
  readonly random: Random;
  /** A product of another shape; undefined where the kernel does not take it. */
  readonly other: (shape: Pick<Case['problem'], 'm' | 'k' | 'n'>) => KernelJob | undefined;
  /** Its own product with other operands. */
  readonly twins: readonly KernelJob[];
}

const after = (job: Job, other: KernelJob | undefined): Partial<Visit> | undefined =>
  other && { job, before: [other], when: `after a product of ${shapeOf(other)}` };

const flying = (job: Job, before: readonly KernelJob[], behind: readonly KernelJob[]) => {
  const [other] = [...before, ...behind];
  if (other === undefined || job.kernel.session.isCalled !== true) return undefined;
  const when = `while a product of ${shapeOf(other)} was in flight`;
  return { job: { ...job, inFlight: { before, after: behind } }, when };
};

const shapeOf = ({
  plan: {
    shape: { m, k, n },
  },
}: KernelJob) => `${m}×${k}×${n}`;

/** By how much sizes differ from those of a product that is a little larger. */
const MORE = 9;
const half = (size: number) => Math.ceil(size / 2);

/** What a product has for company from its second time on, in turn. */
const companies: readonly Company[] = [
  (job) => ({ job, when: '' }),
  (job, { other, random }) => {
    const { m, k, n } = job.plan.shape;
    const more = () => random.int(1, MORE);
    return after(job, other({ m: m + more(), k: k + more(), n: n + more() }));
  },
  (job, { twins: [twin] }) => {
    if (twin === undefined || job.kernel.session.isCalled !== true) return undefined;
    const when = 'in memory where other operands of its shape had just been';
    return { job: { ...job, inPlace: true }, before: [{ ...twin, inPlace: true }], when };
  },
  (job, { other }) => flying(job, [], listed(other(shapeBeside(job)))),
  (job, { other }) => {
    const { m, k, n } = job.plan.shape;
    return after(job, other({ m: half(m), k: half(k), n: half(n) }));
  },
  (job, { twins }) => flying(job, twins.slice(-1), []),
  (job, { other }) => {
    const { m, k, n } = job.plan.shape;
    return after(job, other({ m: n, k, n: m }));
  },
  (job, { other }) => flying(job, listed(other(shapeBeside(job))), []),
];

const listed = <T>(one: T | undefined): T[] => (one === undefined ? [] : [one]);

/** Another shape that takes about as long. */
const shapeBeside = ({ plan: { shape } }: Job) => ({ m: shape.m + 1, k: shape.k, n: shape.n + 1 });

/**
 * The times that a case of several repeats is asked for: first after products of its own shape whose operands differ from its
 * own in little, so that an answer which was kept by less than all of them is found wrong; then again and again, alone and in
 * changing company.
 */
export function visitsOf(job: Job, value: Case): Visit[] {
  const random = seeded(value.problem.seed, STREAM);
  const { kernel } = job;
  const other: Around['other'] = (shape) => {
    const asked = changed(value, {
      ...shape,
      input: 'uniform',
      edit: 'none',
      seed: random.bits(),
      group: 1,
      repeats: 1,
    });
    return kernel.refuses?.(gemmFor(asked, kernel)) === undefined ? prepare(asked, kernel) : undefined;
  };
  const twins = twinsOf(job);
  const first: Visit = { job, before: twins, when: '' };
  const again = Array.from({ length: value.problem.repeats - 1 }, (_, at): Visit => {
    const found = companies[at % companies.length](job, { random, other, twins });
    return { job, before: [], when: '', ...found };
  });
  return [first, ...again];
}

/**
 * Products of one shape that little tells from a product: the last line of A is zero, or trades places with the one before,
 * which leaves the first entries and the sum; the last column of B is zero.
 */
function twinsOf({ case: _, ...job }: Job): KernelJob[] {
  const { a, b } = job.operands;
  const withOperands = (change: Partial<Pick<Job['operands'], 'a' | 'b'>>): KernelJob => ({
    ...job,
    operands: { ...job.operands, ...change },
  });
  return [
    withOperands({ a: copied(a, ({ data }) => data.fill(0, -a.cols)) }),
    withOperands({ a: copied(a, lastTraded) }),
    withOperands({ b: copied(b, withoutLastColumn) }),
  ];
}

function copied(from: Matrix, change: (copy: Matrix) => void): Matrix {
  const copy = matrix(from.rows, from.cols, from.data.slice());
  change(copy);
  return copy;
}

function withoutLastColumn({ rows, cols, data }: Matrix): void {
  for (let row = 1; row <= rows; row++) data[row * cols - 1] = 0;
}

/** Its last two rows trade places, or of a single one the last two entries. */
function lastTraded({ rows, cols, data }: Matrix): void {
  const count = rows > 1 ? cols : 1;
  const end = data.length;
  if (end < 2 * count) return;
  const last = data.slice(end - count);
  data.copyWithin(end - count, end - 2 * count, end - count);
  data.set(last as never, end - 2 * count);
}
