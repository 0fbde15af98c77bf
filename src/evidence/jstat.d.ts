/**
 * The part of jStat this project uses, where its digits were compared; the package has no types of its own. Its normal and
 * studentized tails are differences from 1, and are not among them.
 */
declare module 'jstat' {
  const jStat: {
    readonly studentt: {
      /** The t below which a fraction p of Student's distribution with `dof` degrees of freedom lies, to seven digits. */
      inv(p: number, dof: number): number;
    };
    /** The regularised incomplete beta function I_x(a, b), to eight digits. */
    ibeta(x: number, a: number, b: number): number;
  };
  export default jStat;
}
