import type { Certificate } from '../reference/certificate.ts';
import type { LeftOut } from './bench-reference-ways.ts';

/** Seconds of one way on one input. */
export interface WayTime {
  readonly way: string;
  readonly threads: number;
  /** The size of the product that was timed. */
  readonly size: number;
  readonly least: number;
  readonly median: number;
  /** Products of two entries a second, from the least time. */
  readonly products: number;
  readonly certificate?: Certificate | undefined;
}

/** What `bench reference --json` prints. */
export interface BenchReference {
  readonly machine: { readonly cpu: string; readonly cores: number; readonly node: string };
  readonly size: number;
  readonly runs: number;
  readonly inputs: readonly {
    readonly input: string;
    readonly precision: string;
    readonly times: readonly WayTime[];
  }[];
  readonly leftOut: readonly LeftOut[];
}
