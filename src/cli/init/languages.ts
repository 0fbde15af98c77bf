/** The files of a new project in one language, from `share/templates`. */
export interface Language {
  /** The kind of its kernel, shown after its name. */
  readonly title: string;
  readonly file: string;
  /** The kernel's name in the config and in commands. */
  readonly kernel: string;
  readonly config: 'paranoia.config.mjs' | 'paranoia.config.ts';
  /** The command that builds the kernel from its file. */
  readonly build?: string;
  /** The package of an adapter for machines without a GPU, where kernels need one. */
  readonly software?: string;
  /** CI steps that set up whatever Node and the build do not provide. */
  readonly setUp?: readonly string[];
  /** Files that mark a folder as being in this language. */
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
    title: 'a shared library: your own or any BLAS',
    ...{ file: 'matmul.c', kernel: './libmatmul.so#cblas_sgemm', config: 'paranoia.config.mjs' },
    build: BUILD_C,
    setUp: [`- run: ${BUILD_C}`],
    signs: ['CMakeLists.txt', 'Makefile', 'meson.build'],
  },
} as const satisfies Readonly<Record<string, Language>>;

export type LanguageName = keyof typeof languages;
export const languageNames = Object.keys(languages) as LanguageName[];

/** Systems for which a workflow can be written. */
export const cis = { github: 'GitHub Actions, on every push', none: 'no workflow' } as const;
export type Ci = keyof typeof cis;
export const ciNames = Object.keys(cis) as Ci[];
