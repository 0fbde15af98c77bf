import fc from 'fast-check';
import type { Shape } from '../matrix/dense.ts';
import { drawFields } from '../problem/draw-fields.ts';
import type { DrawRanges } from '../problem/draws.ts';
import { allFields } from '../problem/fields.ts';
import type { FieldKey, FlatCase } from '../problem/problem.ts';
import { noCases } from './messages.ts';

/** Most draws until one gives a value. */
const TRIES = 1000;

/**
 * Fields of the table as an arbitrary. It shrinks field by field, in the order of its keys.
 * @param settle returns the value of drawn fields; undefined where there is none, and other fields are then drawn.
 */
export class DrawnFields<T extends Partial<FlatCase>> extends fc.Arbitrary<T> {
  private readonly keys: readonly FieldKey[];
  private readonly space: DrawRanges;
  private readonly settle: (drawn: Partial<FlatCase>) => T | undefined;
  /** The shrinking value, and all values that it shrank to. Without these, equal values would be tried forever. */
  private root = '';
  private tried = new Set<string>();

  /** @throws ParanoiaError `no-cases` where no draw gives a value */
  constructor(
    keys: readonly FieldKey[],
    space: DrawRanges,
    settle: (drawn: Partial<FlatCase>) => T | undefined,
  ) {
    super();
    [this.keys, this.space, this.settle] = [keys, space, settle];
    fc.sample(this, { seed: 1, numRuns: 1 });
  }

  override generate(random: fc.Random): fc.Value<T> {
    for (let tries = 0; tries < TRIES; tries++) {
      const drawn = drawFields(this.keys, this.space, (least, most) => random.nextInt(least, most));
      const value = this.settle(drawn);
      if (value !== undefined) return new fc.Value(value, undefined);
    }
    throw noCases();
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return typeof value === 'object' && value !== null && this.keys.every((key) => key in value);
  }

  override shrink(value: T): fc.Stream<fc.Value<T>> {
    const text = JSON.stringify(value);
    if (text === this.root || !this.tried.has(text)) [this.root, this.tried] = [text, new Set([text])];
    return fc.stream(this.simpler(value)).map((simpler) => new fc.Value(simpler, undefined));
  }

  private *simpler(value: T): Generator<T> {
    for (const wanted of this.keys) {
      const draw = allFields.find(({ key }) => key === wanted)?.draw;
      for (const change of draw?.simpler(value as Partial<FlatCase> as FlatCase, this.space) ?? []) {
        const simpler = this.settle({ ...value, ...change });
        const text = JSON.stringify(simpler);
        if (simpler === undefined || this.tried.has(text)) continue;
        this.tried.add(text);
        yield simpler;
      }
    }
  }
}

/** Returns an arbitrary of shapes, thin, fat and long ones included. It shrinks to the smallest m, then k, then n that still fails. */
export const shapeArbitrary = (space: DrawRanges): fc.Arbitrary<Shape> =>
  new DrawnFields(['m', 'k', 'n'], space, (drawn) => drawn as Shape);
