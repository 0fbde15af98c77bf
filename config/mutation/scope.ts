/** A set of files that has its own sample and its own row in the report. */
export interface Stratum {
  readonly name: string;
  /** A file belongs to the first stratum whose folder it lies in. */
  readonly folder: string;
  /** Mutants drawn. */
  readonly sample: number;
}

/** The draw: another seed is another sample. */
export const SEED = 'gemm-paranoia 1';

export const strata: readonly Stratum[] = [
  { name: 'exact', folder: 'src/exact/', sample: 110 },
  { name: 'readers', folder: 'src/readers/', sample: 110 },
  { name: 'evidence/checks', folder: 'src/evidence/checks/', sample: 80 },
  { name: 'evidence', folder: 'src/evidence/', sample: 60 },
  { name: 'plan', folder: 'src/plan/', sample: 60 },
  { name: 'problem', folder: 'src/problem/', sample: 60 },
  { name: 'matrix', folder: 'src/matrix/', sample: 60 },
  { name: 'inputs', folder: 'src/inputs/', sample: 60 },
];

/** Files that run as they are built, in threads of their own: no mutant of them reaches a test. */
export const runAsBuilt: readonly string[] = ['src/exact/node/pool.ts', 'src/exact/node/worker.ts'];

/** Tests that need a build, and so try no mutant. */
export const testsOfBuild: readonly string[] = ['src/exact/node/pool.test.ts'];

/** Tests that try mutants: those of the rooms, and the laws and contracts about them that open no device. */
export const tests: readonly string[] = [
  'src/{exact,readers,evidence,plan,problem,matrix,inputs}/**/*.test.ts',
  'properties/{bounds-say-something,claimed-sums-mirrored,drawn-cases-judged}.test.ts',
  'properties/{exact-equals-gold,expected-errors-follow-sums,growth-follows-sigma}.test.ts',
  'properties/{integers-in-every-precision,large-products,sigma-predicts,units-within-bounds}.test.ts',
  'properties/contracts/{codecs,digests}.test.ts',
];

/** Folders whose tests and test helpers are counted in lines. */
export const testFolders: readonly string[] = ['src', 'properties', 'tests'];

/** Published results. */
export const reports = 'reports/mutation';

/** Scratch of Stryker and of coverage; Git ignores it. */
export const scratch = 'reports/local/mutation';
