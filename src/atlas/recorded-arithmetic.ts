import type { Arithmetic, Subnormals } from '../precision/arithmetic.ts';
import { roundings } from '../precision/arithmetic.ts';
import type { Computation, DeviceFacts, Precision } from '../precision/precision.ts';
import type { Statement } from './entry.ts';

type Recorded = Pick<Statement, 'arithmetic' | 'adapter'>;

/** The arithmetic in binary32 that a run measured of its device; undefined where the record does not say all of it. */
export function recordedArithmetic({ arithmetic }: Recorded): Arithmetic | undefined {
  const { rounding, fma, subnormals, exceptions, modelled } = arithmetic;
  const known = roundings.find((one) => one === rounding);
  const fused = (['once', 'twice', 'either'] as const).find((one) => one === fma);
  const flushed = subnormalsOf(subnormals);
  if (known === undefined || fused === undefined || flushed === undefined) return undefined;
  if (typeof exceptions !== 'boolean' || typeof modelled !== 'boolean') return undefined;
  return { rounding: known, fma: fused, subnormals: flushed, exceptions, modelled };
}

function subnormalsOf(value: Recorded['arithmetic'][string] | undefined): Subnormals | undefined {
  if (typeof value === 'object') return value;
  return value === 'kept' || value === 'either' ? value : undefined;
}

/** Of a device, what is measured elsewhere than in binary32 is not in its record. */
class Unrecorded extends Error {}

/**
 * How the device of a run computes in a precision; undefined where that cannot be told from the record: of a native binary16, say.
 */
export async function recordedComputation(
  recorded: Recorded,
  precision: Precision,
): Promise<Computation | undefined> {
  const arithmetic = recordedArithmetic(recorded);
  if (arithmetic === undefined || !arithmetic.modelled) return undefined;
  const unrecorded = async () => {
    throw new Unrecorded();
  };
  const facts: DeviceFacts = {
    arithmetic,
    half: recorded.adapter.features.includes('shader-f16') ? unrecorded : async () => undefined,
    packedDots: unrecorded,
    // It served the precision.
    losesErrors: async () => undefined,
  };
  try {
    const wgsl = await precision.wgsl(facts);
    return typeof wgsl === 'string' ? undefined : { precision, arithmetic: wgsl.arithmetic };
  } catch (error) {
    if (error instanceof Unrecorded) return undefined;
    throw error;
  }
}
