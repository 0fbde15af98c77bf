/** The files of a new project in one language; they lie in `share/templates`. */
export interface Language {
  /** What a kernel in it is, behind its name. */
  readonly title: string;
  /** The kernel's own file. */
  readonly file: string;
  /** How the config, and a command, name the kernel. */
  readonly kernel: string;
  readonly config: 'paranoia.config.mjs' | 'paranoia.config.ts';
  /** What makes the kernel of its file. */
  readonly build?: string;
  /** The package of an adapter for machines without a GPU, where kernels need one. */
  readonly software?: string;
  /** What CI needs beside Node and what builds the kernel. */
  readonly setUp?: readonly string[];
  /** Files by which a folder shows that it is in this language. */
  readonly signs: readonly string[];
}

/** SwiftShader, for machines without a GPU. */
const SOFTWARE = '@sparticuz/chromium';

const BUILD_C = 'cc -O2 -shared -fPIC -o libmatmul.so matmul.c';

export const languages = {
  javascript: {
    title: 'a function of Float32Arrays',
    ...{ file: 'matmul.mjs', kernel: 'matmul.mjs#matmul', config: 'paranoia.config.mjs', signs: [] },
  },
  typescript: {
    title: 'the same, with types',
    ...{ file: 'matmul.ts', kernel: 'matmul.ts#matmul', config: 'paranoia.config.ts' },
    signs: ['tsconfig.json'],
  },
  wgsl: {
    title: 'a compute shader',
    ...{ file: 'matmul.wgsl', kernel: 'matmul.wgsl', config: 'paranoia.config.mjs', signs: [] },
    software: SOFTWARE,
    setUp: [`- run: npm install --no-save ${SOFTWARE}`],
  },
  python: {
    title: 'NumPy, PyTorch, JAX, CuPy, Triton',
    ...{ file: 'matmul.py', kernel: 'matmul.py#matmul', config: 'paranoia.config.mjs' },
    setUp: [
      '- uses: actions/setup-python@v6',
      '  with:',
      "    python-version: '3.13'",
      '- run: pip install numpy',
    ],
    signs: ['pyproject.toml', 'requirements.txt', 'setup.py'],
  },
  c: {
    title: 'or any BLAS: a shared library',
    ...{ file: 'matmul.c', kernel: './libmatmul.so#cblas_sgemm', config: 'paranoia.config.mjs' },
    build: BUILD_C,
    setUp: [`- run: ${BUILD_C}`],
    signs: ['CMakeLists.txt', 'Makefile', 'meson.build'],
  },
} as const satisfies Readonly<Record<string, Language>>;

export type LanguageName = keyof typeof languages;
export const languageNames = Object.keys(languages) as LanguageName[];

/** Where a workflow can be written for. */
export const cis = { github: 'GitHub Actions, with every push', none: 'no workflow' } as const;
export type Ci = keyof typeof cis;
export const ciNames = Object.keys(cis) as Ci[];
