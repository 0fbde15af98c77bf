/** How kernels in files are to be read, where they do not say it themselves. */
export interface FileWays {
  /** The Python that files of Python run in. */
  readonly python?: string | undefined;
  /** Where a file of Python has its arrays: `cuda`, `cuda:1`. */
  readonly device?: string | undefined;
  /** How a function of a shared library is called. */
  readonly convention?: Convention | undefined;
  /** What a kernel computes in that does not say it. */
  readonly precision?: string | undefined;
}

/** Of Fortran's BLAS, where all arguments are pointers, or of CBLAS. */
export const conventions = ['fortran', 'cblas'] as const;
export type Convention = (typeof conventions)[number];

/** A kernel in a file, `matmul.py#matmul`, in terms that another process understands. */
export interface FileOrigin {
  /** What cases, reports and `--kernel` call it. */
  readonly name: string;
  /** The file as it was named, for messages. */
  readonly file: string;
  /** Its absolute path. */
  readonly path: string;
  /** Which of its functions: what follows `#`. */
  readonly symbol?: string | undefined;
  readonly ways: FileWays;
}
