import { quantizedSide } from '../precision/activations/claimed-activations.ts';
import { activationSchemes } from '../precision/activations/schemes.ts';
import { bf16, f32, holdsAll } from '../precision/format.ts';
import type { ClaimRule } from './claimed-sums.ts';

/** Rules on claims about operands that are quantized while they are read. */
export const activationRules: readonly ClaimRule[] = [
  ({ activations, algorithm = 'classical' }, { complex, name }) =>
    activations === undefined
      ? undefined
      : complex === true
        ? `it claims activations, but entries of ${name} are complex`
        : algorithm !== 'classical'
          ? `it claims activations, which ${algorithm} cannot claim. Leave them out`
          : undefined,
  ({ activations }, precision) => {
    if (activations === undefined) return undefined;
    const { coded = {}, multiplied, name } = precision;
    const own = precision[quantizedSide(precision)];
    if (coded.a !== undefined && coded.b !== undefined)
      return `it claims activations, but ${name} has codes of both operands already`;
    if (own.precision < bf16.precision || precision.accumulated.unitRoundoff === 0)
      return `it claims activations, but entries of ${name} are ${own.name} already`;
    if (!holdsAll(f32, own)) return `it claims activations, but entries of ${name} are wider than binary32`;
    return holdsAll(multiplied, own)
      ? undefined
      : `it claims activations, but ${name} rounds operands to ${multiplied.name} first`;
  },
  ({ activations: { scheme, block } = {} }) =>
    scheme === undefined || block === undefined || activationSchemes.find(scheme).sized === true
      ? undefined
      : `it claims a block of ${block}, but the blocks of ${scheme} are fixed. Leave it out, or claim int8-block`,
  ({ activations: { scheme, rounding, division } = {} }) => {
    if (scheme === undefined) return undefined;
    const { roundings, divisions } = activationSchemes.find(scheme);
    if (rounding !== undefined && !roundings.includes(rounding))
      return `it claims the rounding ${rounding}, but ${scheme} rounds by ${roundings.join(' or ')}`;
    return division === undefined || divisions.includes(division)
      ? undefined
      : `it claims the division ${division}, but ${scheme} divides by ${divisions.join(' or ')}`;
  },
];
