import { describe, expect, it } from 'vitest';
import { readEpilogue } from './chain.ts';
import { decimalReals, doubleToOdd } from './decimal-reals.ts';
import { exactResults } from './evaluate.ts';

/** Values computed by mpmath 1.3 with 50 to 400 digits, of which 30 are given. */
const known: readonly (readonly [name: string, x: number, value: string])[] = [
  ['gelu', 0.5, '0.345731230637006551818852305304'],
  ['gelu', -0.75, '-0.169970514282651149495296627038'],
  ['gelu', 3, '2.9959503059051097164200445557'],
  ['gelu', -6.25, '-0.00000000128266464076183680101422724737'],
  ['gelu', -20, '-5.50724823721246739015124556171e-88'],
  ['gelu-tanh', 0.5, '0.345714009825143922037757257365'],
  ['gelu-tanh', -0.75, '-0.170039444834379695815855803014'],
  ['gelu-tanh', 3, '2.99636260791822698116218353387'],
  ['gelu-tanh', -6.25, '-7.92035579229574200428789973617e-12'],
  ['gelu-tanh', -20, '-3.37545095631096731973980069207e-261'],
  ['silu', 0.5, '0.311229665600927282319450282873'],
  ['silu', -0.75, '-0.240615975618455270130239913168'],
  ['silu', 3, '2.85772238046729965736345554468'],
  ['silu', -6.25, '-0.0120420916457967213405440271315'],
  ['silu', -20, '-0.0000000412230723638040716286172425895'],
  ['sigmoid', 0.5, '0.622459331201854564638900565746'],
  ['sigmoid', -0.75, '0.320821300824607026840319884223'],
  ['sigmoid', 3, '0.952574126822433219121151848228'],
  ['sigmoid', -6.25, '0.00192673466332747541448704434104'],
  ['sigmoid', -20, '0.00000000206115361819020358143086212947'],
  ['tanh', 0.5, '0.462117157260009758502318483644'],
  ['tanh', -0.75, '-0.635148952387287319214434357312'],
  ['tanh', 3, '0.995054753686730451331880185255'],
  ['tanh', -6.25, '-0.999992546721431626877227823981'],
  ['tanh', -20, '-0.999999999999999991503291489417'],
];

describe('decimals', () => {
  it.each(known)('%s of %d', (name, x, value) => {
    const reals = decimalReals(40);
    const epilogue = readEpilogue([name], { m: 1, n: 1, batch: 1 });
    const { lo, hi } = exactResults(epilogue, reals, () => reals.of(x))(0, 0);
    for (const end of [lo, hi]) expect(Math.abs(Number(end.minus(value).div(value)))).toBeLessThan(1e-29);
  });

  it('round to odd doubles, whose roundings are those of the decimal', () => {
    const reals = decimalReals(40);
    const above = reals.of(1).lo.plus('1e-30');
    expect(doubleToOdd(above)).toBe(1 + 2 ** -52);
    expect(doubleToOdd(reals.of(1).lo.minus('1e-30'))).toBe(1 - 2 ** -53);
    expect(doubleToOdd(reals.of(0.1).lo)).toBe(0.1);
    expect(doubleToOdd(reals.of(0).lo.minus('1e-400'))).toBe(-(2 ** -1074));
  });
});
