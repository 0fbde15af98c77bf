/**
 * The part of jStat that this project uses, where its digits were compared; the package has no types of its own. Its studentized tails are
 * differences from 1, and are not among them.
 */
declare module 'jstat' {
  const jStat: {
    readonly studentt: {
      /** The t below which a fraction p of Student's distribution with `dof` degrees of freedom lies, to seven digits. */
      inv(p: number, dof: number): number;
    };
    readonly normal: {
      /** The share of the normal distribution below x, to nine decimals. It is a difference from 1, so small tails have fewer digits. */
      cdf(x: number, mean: number, deviation: number): number;
    };
    /** The regularized incomplete beta function I_x(a, b), to eight digits. */
    ibeta(x: number, a: number, b: number): number;
  };
  export default jStat;
}
