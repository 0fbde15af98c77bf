import type { Shape } from '../matrix/dense.ts';
import type { Features } from '../matrix/features.ts';

/** What a kernel takes: of {@link Features} what is true, and of shapes all, or those that it says. */
export interface Accepts extends Features {
  /**
   * The shapes: true, or why not, as a clause after "because"; or a pattern such as `m=1..4096;k=1..4096`.
   * @defaultValue every shape
   */
  readonly sizes?: string | ((shape: Shape) => true | string) | undefined;
  /**
   * Whether it is meant for few shapes: without it, a kernel that takes sizes of fewer than half of the classes that the
   * gate draws from does not pass, whatever comes of these. @defaultValue false
   */
  readonly narrow?: boolean | undefined;
}
