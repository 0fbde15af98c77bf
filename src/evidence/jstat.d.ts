/** The part of jStat this project uses; the package has no types of its own. */
declare module 'jstat' {
  const jStat: {
    readonly normal: {
      /** The fraction of a normal distribution that lies below x. */
      cdf(x: number, mean: number, deviation: number): number;
    };
    readonly studentt: {
      /** The t below which a fraction p of Student's distribution with `dof` degrees of freedom lies. */
      inv(p: number, dof: number): number;
    };
    readonly tukey: {
      /** The fraction of studentized ranges of `means` means, with `dof` degrees of freedom, that lies below q. */
      cdf(q: number, means: number, dof: number): number;
    };
    /** The regularised incomplete beta function I_x(a, b). */
    ibeta(x: number, a: number, b: number): number;
  };
  export default jStat;
}
