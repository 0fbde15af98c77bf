/** Options for reading kernels in files that do not state them. */
export interface FileReadOptions {
  /** The Python interpreter for Python files. */
  readonly python?: string | undefined;
  /** The device of arrays in a Python file: `cuda`, `cuda:1`. */
  readonly device?: string | undefined;
  /** The calling convention of a function in a shared library. */
  readonly convention?: CallingConvention | undefined;
  /** The precision of a kernel that does not state it. */
  readonly precision?: string | undefined;
}

/** Calling conventions: Fortran's BLAS, where all arguments are pointers; CBLAS; the typed interface of BLIS. */
export const conventions = ['fortran', 'cblas', 'blis'] as const;
export type CallingConvention = (typeof conventions)[number];

/** A kernel in a file, `matmul.py#matmul`, in terms that another process understands. */
export interface FileOrigin {
  /** The name for cases, reports and `--kernel`. */
  readonly name: string;
  /** The file as it was named, for messages. */
  readonly file: string;
  readonly path: string;
  /** The function in the file: the text behind `#`. */
  readonly symbol?: string | undefined;
  readonly ways: FileReadOptions;
}
