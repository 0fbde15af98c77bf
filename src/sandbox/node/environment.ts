/** A family of variables that an untrusted process gets; it gets no others. */
interface Allowed {
  /** Matches the whole name. */
  readonly names: RegExp;
  readonly why: string;
}

/** Families of variables that are passed on, and why. */
const allowed: readonly Allowed[] = [
  { names: /^PATH$/, why: 'programs that it starts are found by it' },
  { names: /^(LANG|LANGUAGE|LC_\w+)$/, why: 'how texts are read and written' },
  { names: /^TZ$/, why: 'what time it is' },
  { names: /^(USER|LOGNAME|SHELL)$/, why: 'libraries ask whose process it is' },
  { names: /^TERM$/, why: 'libraries that print ask for it' },
  { names: /^(LD_LIBRARY_PATH|DYLD_LIBRARY_PATH)$/, why: 'where libraries are found that lie elsewhere' },
  { names: /^(SystemRoot|SYSTEMROOT|windir|PATHEXT|ComSpec)$/, why: 'no program starts on Windows without' },
  { names: /^(PYTHONPATH|PYTHONHOME|PYENV_ROOT|PYENV_VERSION)$/, why: 'which Python, and its packages' },
  { names: /^(VIRTUAL_ENV|CONDA_PREFIX|CONDA_DEFAULT_ENV)$/, why: 'which environment of Python' },
  { names: /^NODE_PATH$/, why: 'where packages of Node are found that lie elsewhere' },
  {
    names: /^(OMP|GOMP|KMP|MKL|OPENBLAS|GOTO|BLIS|VECLIB|NUMEXPR|TBB)_\w+$/,
    why: 'threads of a CPU library',
  },
  {
    names: /^(CUDA|CUBLAS|CUDNN|NVIDIA|HIP|ROCR|ROCM|HSA|AMD|GPU|ZE|SYCL|ONEAPI)_\w+$/,
    why: 'a GPU and its library',
  },
  { names: /^(VK|MESA|LIBGL|GALLIUM|LP|DRI|EGL)_\w+$/, why: 'drivers of Vulkan and OpenGL' },
  { names: /^(TORCH|TRITON|XLA|JAX|TF|NUMBA|CUPY)_\w+$/, why: 'how a library of kernels computes' },
];

/** Names of secrets, in any family. */
const SECRET =
  /TOKEN|SECRET|PASS(W|PHRASE|CODE|$|_)|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE|(^|_)(KEY|PWD|AUTH|COOKIE|SIGNATURE|CERT)(_|$)/i;

/** Values that look like secrets: keys of services, tokens, addresses with a password, private keys. */
const SECRET_VALUE =
  /(^|\W)(gh[opsur]_\w{16}|github_pat_|glpat-|sk-[\w-]{16}|hf_\w{16}|npm_\w{16}|xox[abprs]-|AKIA[A-Z\d]{12}|ASIA[A-Z\d]{12}|AIza[\w-]{20}|eyJ[\w-]{8,}\.[\w-]+\.)|:\/\/[^/\s:@]*:[^/\s@]+@|-----BEGIN /;

/** True if a variable is in an allowed family and holds no secret. */
export function isAllowed(name: string, value: string): boolean {
  return allowed.some(({ names }) => names.test(name)) && !SECRET.test(name) && !SECRET_VALUE.test(value);
}

/**
 * Returns the environment of an untrusted process: the allowed variables of ours and those named for it. Its home, caches and
 * temporary files lie in a folder of its own.
 */
export function cleanEnvironment(
  env: NodeJS.ProcessEnv,
  folder: string,
  named: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const passed = Object.entries(env).filter(
    (one): one is [string, string] => one[1] !== undefined && isAllowed(one[0], one[1]),
  );
  return { ...Object.fromEntries(passed), ...privateFolders(folder), ...named };
}

/** Home folders of Windows where they are set. Elsewhere caches and configurations lie below HOME. */
function privateFolders(folder: string): Record<string, string> {
  const own = { HOME: folder, TMPDIR: folder };
  if (process.platform !== 'win32') return own;
  return { ...own, USERPROFILE: folder, APPDATA: folder, LOCALAPPDATA: folder, TMP: folder, TEMP: folder };
}
