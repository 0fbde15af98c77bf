import fc from 'fast-check';
import { precisions } from '../formats/precision.ts';
import type { Case } from '../gate/case.ts';
import type { InputFamily } from '../inputs/input.ts';
import { integers } from '../inputs/integers.ts';
import { subnormals } from '../inputs/subnormals.ts';
import { uniform } from '../inputs/uniform.ts';
import { formatLayout, type OperandLayout } from '../kernel/operand-layout.ts';
import { borders, edges } from '../plan/plan.ts';
import { problem } from '../problems.ts';
import { drawnEdits, editsFor } from './drawn-edit.ts';
import { ShapeArbitrary } from './shape-arbitrary.ts';
import type { Target } from './target.ts';

/** What cases are drawn from, beside the kernel. */
export interface Space {
  /** The largest m, k and n. */
  readonly maxSize: number;
  /** Families of test matrices. */
  readonly families: readonly InputFamily[];
}

/** Draws looked at to find out whether any makes a case. */
const LOOKED_AT = 200;

/**
 * Cases of one kernel: what is drawn is a description of the operands, never their entries, so that it can be shrunk
 * and told in a line. It shrinks to the smallest shape, then to the simplest input. An input that refuses a shape gives
 * way to the next one; a shape that the kernel or every input refuses is drawn again.
 * @throws Problem `no-cases` where every shape is refused.
 */
export function caseArbitrary(target: Target, space: Space): fc.Arbitrary<Case> {
  const drawn = caseOrNone(target, space);
  const isCase = (value: Case | undefined): value is Case => value !== undefined;
  if (!fc.sample(drawn, { seed: 1, numRuns: LOOKED_AT }).some(isCase)) throw problem('no-cases', {});
  return drawn.filter(isCase);
}

function caseOrNone(target: Target, { maxSize, families }: Space): fc.Arbitrary<Case | undefined> {
  const inputs = familiesFor(target, families).sort((x, y) => simplicity(x) - simplicity(y));
  const precision = precisions[target.precision];
  const level = fc.constantFrom(...target.levels);
  const whole = (most: number) => fc.noBias(fc.integer({ min: 1, max: most }));
  return fc
    .record({
      shape: new ShapeArbitrary(maxSize, target.tiles),
      levels: level,
      border: fc.constantFrom(...borders),
      edge: fc.constantFrom(...edges),
      edits: drawnEdits,
      input: fc.nat(inputs.length - 1),
      layout: fc.record({
        transposeA: fc.boolean(),
        transposeB: fc.boolean(),
        pad: fc.constantFrom(0, 0, 1, 3, 7),
      }),
      seed: whole(2 ** 32 - 1),
    })
    .map(({ shape, levels: drawn, border, edge, edits, input, layout, seed }): Case | undefined => {
      if (target.refuses(shape) !== undefined) return undefined;
      const levels = target.claimed?.(shape) ?? drawn;
      const asked = { ...shape, levels, precision };
      const order = [...inputs.slice(input), ...inputs];
      const family = order.find((candidate) => candidate.accepts(asked).ok);
      if (family === undefined) return undefined;
      const edit = editsFor(edits, family, asked);
      const laid = laidOut(layout, target);
      return {
        kernel: target.kernel,
        levels,
        ...(target.manners ? { border, edge } : { border: 'pad', edge: 'guard' }),
        input: family.name,
        ...shape,
        seed,
        ...(target.precision === 'f32' ? {} : { precision: target.precision }),
        ...(laid === 'nn' ? {} : { layout: laid }),
        ...(edit === undefined ? {} : { edit }),
        ...(target.fault === undefined ? {} : { fault: target.fault }),
      };
    });
}

/** A drawn layout as the target takes it. */
function laidOut(layout: OperandLayout, { layouts }: Target): string {
  if (layouts === false) return 'nn';
  return formatLayout(layouts === 'dense' ? { ...layout, pad: 0 } : layout);
}

/** The families that are drawn for a target: not subnormal numbers where the device flushes them. */
export function familiesFor({ subnormals: kept }: Target, families: readonly InputFamily[]): InputFamily[] {
  return families.filter((family) => kept || family !== subnormals);
}

/** Families in the order that inputs shrink in. */
function simplicity(family: InputFamily): number {
  const simplest = [integers, uniform];
  const at = simplest.indexOf(family);
  return at < 0 ? simplest.length : at;
}
