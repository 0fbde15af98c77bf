import { precisions } from '../formats/precision.ts';
import { type Problem, problem } from '../problems.ts';
import { type Asked, noAnswer, readAnswer, shapeText } from './answer.ts';
import { START_UP, TIME_LIMIT, within } from './deadline.ts';
import { entriesChanged, layOut } from './operands.ts';
import type { Session } from './session.ts';
import { blaming } from './thrown.ts';
import type { Call, FunctionKernel } from './user-kernel.ts';
import { versionsIn } from './versions.ts';

/**
 * Opens a kernel that is a function, in this process. It gets copies of A and B in the layout asked for; what it
 * changes in them, padding included, is counted. Its `prepare` is called before the first product, once: where it
 * fails, every product fails with the same problem.
 *
 * The time limit ends the waiting for a promise. A function that does not return cannot be stopped from within its own
 * process: where that matters, open it in another one.
 * @param startUp seconds that `prepare` may take, unless the kernel's time limit is longer.
 */
export function openFunctionSession(
  kernel: FunctionKernel,
  { startUp = START_UP }: { readonly startUp?: number } = {},
): Session {
  const { name, timeLimit = TIME_LIMIT, precision = 'f32' } = kernel;
  let preparing: Promise<void> | undefined;
  let late: Problem | undefined;
  const prepared = () => {
    preparing ??= blaming(name, () => kernel.prepare?.());
    return preparing;
  };
  const ready = async (asked: Asked) => {
    if (late !== undefined) throw late;
    const seconds = Math.max(startUp, timeLimit);
    await within(seconds, prepared(), () => {
      late = noAnswer(asked, seconds);
      return late;
    });
  };
  const ended = (shape: string, work: () => unknown) =>
    within(timeLimit, blaming(name, work), () =>
      problem('kernel-hangs', { kernel: name, shape, seconds: timeLimit }),
    );
  return {
    async multiply(a, b, { m, k, n, layout }) {
      const asked: Asked = { kernel: name, precision: precisions[precision], shape: { m, k, n } };
      requireLayout(kernel, { m, k, n, layout });
      await ready(asked);
      const before = [
        layOut(a, asked.precision, layout.transposeA, layout.pad),
        layOut(b, asked.precision, layout.transposeB, layout.pad),
      ];
      const [givenA, givenB] = before.map((entries) => entries.slice());
      const call: Call = { m, k, n, layout: { ...layout } };
      const start = performance.now();
      const work = blaming<unknown>(name, () => kernel.multiply(givenA, givenB, call));
      const answer = await within(timeLimit, work, () => noAnswer(asked, timeLimit));
      const seconds = (performance.now() - start) / 1000;
      // A function returns an array of its own: which entries it never wrote cannot be seen, nor what it wrote elsewhere.
      return {
        c: readAnswer(answer, asked),
        unwritten: 0,
        guardsTouched: 0,
        operandsChanged: entriesChanged(before[0], givenA) + entriesChanged(before[1], givenB),
        seconds,
      };
    },
    start: prepared,
    async versions() {
      return versionsIn(await ended('its versions', () => kernel.versions?.()));
    },
    async close() {
      if (preparing === undefined) return;
      // What was multiplied is judged already: a release that fails changes none of it.
      await ended('its release', () => kernel.release?.()).catch(() => {});
    },
  };
}

/** @throws Problem `kernel-refuses` for any layout but the plain one, unless the kernel takes others. */
function requireLayout({ name, layouts }: FunctionKernel, { layout, ...shape }: Call): void {
  const { transposeA, transposeB, pad } = layout;
  if (layouts === true || (!transposeA && !transposeB && pad === 0)) return;
  const why = 'it takes operands row by row without gaps; give it layouts: true if it takes others';
  throw problem('kernel-refuses', { kernel: name, shape: shapeText(shape), why });
}
