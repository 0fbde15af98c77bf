/**
 * Everything the user can be told went wrong, in one table: a code, the exit code it leads to, and one
 * sentence that names what, where, and what to do.
 */

/** Exit codes of the command line. */
export const EXIT = {
  pass: 0,
  fail: 1,
  usage: 2,
  noAdapter: 3,
  inconclusive: 4,
  /** A fault of this program: EX_SOFTWARE of BSD's sysexits. */
  internal: 70,
  /** What is printed does not arrive: its EX_IOERR. */
  output: 74,
} as const;

const table = {
  // names and numbers given on the command line or in a config
  'unknown-name': {
    exit: EXIT.usage,
    say: (d: { what: string; given: string; known: readonly string[] }) => {
      const near = nearest(d.given, d.known);
      const guess = near === undefined ? '' : ` Did you mean "${near}"?`;
      return `Unknown ${d.what} "${d.given}".${guess} Known: ${d.known.join(', ')}.`;
    },
  },
  'bad-number': {
    exit: EXIT.usage,
    say: (d: { what: string; given: unknown; need: string }) =>
      `${d.what} must be ${d.need}, but is ${show(d.given)}.`,
  },
  'bad-argument': {
    exit: EXIT.usage,
    say: (d: { what: string; need: string }) => `Give ${d.what}: ${d.need}.`,
  },
  'vain-option': {
    exit: EXIT.usage,
    say: (d: { option: string; without: string }) =>
      `${d.option} means nothing without ${d.without}: give both, or neither.`,
  },
  'conflicting-options': {
    exit: EXIT.usage,
    say: (d: { one: string; other: string }) => `Give either ${d.one} or ${d.other}, not both.`,
  },
  'empty-item': {
    exit: EXIT.usage,
    say: (d: { option: string; given: string }) =>
      `${d.option} "${d.given}" has an empty value: write one between any two commas, and none after the last.`,
  },
  'no-command': {
    exit: EXIT.usage,
    say: (d: { known: readonly string[] }) =>
      `Say what to do: ${d.known.join(', ')} (gemm-paranoia --help tells more).`,
  },
  'missing-argument': {
    exit: EXIT.usage,
    say: (d: { command: string; argument: string }) => `Say which ${d.argument}: ${d.command}.`,
  },
  'extra-argument': {
    exit: EXIT.usage,
    say: (d: { command: string; given: string; example: string }) =>
      `${d.command} does not take "${d.given}": what it is told begins with --, as in: ${d.example}`,
  },
  'no-update-in-ci': {
    exit: EXIT.usage,
    say: (_: Record<never, never>) =>
      'Baselines are not written where CI is set: run with --update on a machine of your own and commit the file.',
  },
  'folder-unusable': {
    exit: EXIT.usage,
    say: (d: { option: string; path: string; why: string; maker: string }) =>
      `The folder ${d.path}, given for ${d.option}, cannot be used: ${d.why}; name one that is there, or let ${d.maker} make it.`,
  },
  'bad-baselines': {
    exit: EXIT.usage,
    say: (d: { file: string; why: string }) =>
      `The baselines in ${d.file} cannot be used: ${d.why}; mend or remove the file.`,
  },
  'bad-shard': {
    exit: EXIT.usage,
    say: (d: { given: string; why: string }) =>
      `--shard ${d.given} cannot be used: ${d.why}; give it as i/n, such as 2/8 for the second of eight.`,
  },
  'bad-corpus': {
    exit: EXIT.usage,
    say: (d: { file: string; why: string }) =>
      `The corpus file ${d.file} cannot be used: ${d.why}; mend or remove it. The others are used.`,
  },
  'no-cases': {
    exit: EXIT.inconclusive,
    say: (_: Record<never, never>) =>
      'Nothing was run: no input accepts these sizes and levels; choose other sizes or inputs.',
  },
  'few-samples': {
    exit: EXIT.usage,
    say: (d: { what: string; least: number; given: number }) =>
      `There are too few samples for ${d.what}: ${d.given}, where at least ${d.least} are needed; ask for more trials.`,
  },
  'nothing-timed': {
    exit: EXIT.inconclusive,
    say: (d: { why: string }) => `Nothing was timed: ${d.why}`,
  },
  'bad-case': {
    exit: EXIT.usage,
    say: (d: { given: string; why: string }) =>
      `The case "${d.given}" cannot be read: ${d.why}; write it like "kernel=strassen:register;levels=2;input=uniform;m=129;k=65;n=33;seed=7".`,
  },
  'bad-pattern': {
    exit: EXIT.usage,
    say: (d: { given: string; why: string }) =>
      `The pattern of cases "${d.given}" cannot be read: ${d.why}; write it like "kernel=mine:*;input=special-values;m=1..16".`,
  },
  'shapes-differ': {
    exit: EXIT.usage,
    say: (d: { a: string; b: string; why: string }) =>
      `The shapes do not match: ${d.a} and ${d.b}; ${d.why}.`,
  },

  // devices
  'no-adapter': {
    exit: EXIT.noAdapter,
    say: (d: { wanted?: string | undefined; found: readonly string[]; notes: readonly string[] }) => {
      const kind = d.wanted === 'hardware' || d.wanted === 'software' ? `${d.wanted} ` : '';
      const named = d.wanted === undefined || kind !== '' ? '' : ` named "${d.wanted}"`;
      const notes = d.notes.length > 0 ? ` (${d.notes.join('; ')})` : '';
      const found = d.found.length > 0 ? ` Found: ${d.found.join(', ')}.` : '';
      return `There is no ${kind}GPU adapter${named} on this machine${notes}.${found}`;
    },
  },
  'device-refused': {
    exit: EXIT.noAdapter,
    say: (d: { name: string; why: string }) => `${d.name} gives no device: ${d.why}`,
  },
  'precision-unserved': {
    exit: EXIT.noAdapter,
    say: (d: { precision: string; name: string; why: string }) =>
      `${d.name} cannot compute in ${d.precision}: ${d.why}. Choose another precision or adapter.`,
  },
  'computes-nothing': {
    exit: EXIT.noAdapter,
    say: () => 'The device computes nothing: 1 + 1 is not 2 on it, as on a null backend.',
  },
  'device-lost': {
    exit: EXIT.inconclusive,
    say: (d: { kernel: string; step: string; why: string }) =>
      `The device was lost in ${d.kernel}, ${d.step}: ${d.why}`,
  },
  'out-of-gpu-memory': {
    exit: EXIT.inconclusive,
    say: (d: { kernel: string; step: string; why: string }) =>
      `The device is out of memory in ${d.kernel}, ${d.step}: ${d.why.replace(/[.\s]*$/, '')}. Try a smaller size.`,
  },
  'gpu-error': {
    exit: EXIT.inconclusive,
    say: (d: { kernel: string; step: string; why: string }) =>
      `The device reports an error in ${d.kernel}, ${d.step}: ${d.why}`,
  },
  'kernel-threw': {
    exit: EXIT.inconclusive,
    say: (d: { kernel: string; why: string }) => `${d.kernel} threw an error: ${d.why}.`,
  },
  'kernel-answer': {
    exit: EXIT.inconclusive,
    say: (d: { kernel: string; shape: string; why: string }) =>
      `${d.kernel} gave no product for ${d.shape}: ${d.why}.`,
  },
  'kernel-hangs': {
    exit: EXIT.inconclusive,
    say: (d: { kernel: string; shape: string; seconds: number }) =>
      `${d.kernel} gave no answer for ${d.shape} within ${d.seconds} s; raise its timeLimit if it needs longer.`,
  },
  'kernel-died': {
    exit: EXIT.inconclusive,
    say: (d: { kernel: string; shape: string; why: string }) =>
      `${d.kernel} died while it multiplied ${d.shape}: ${d.why}.`,
  },
  'bad-operand': {
    exit: EXIT.usage,
    say: (d: { name: string; why: string }) => `${d.name} cannot be used: ${d.why}.`,
  },
  'kernel-refuses': {
    exit: EXIT.usage,
    say: (d: { kernel: string; shape: string; why: string }) =>
      `${d.kernel} does not multiply ${d.shape}, because ${d.why}.`,
  },
  'bad-kernel': {
    exit: EXIT.usage,
    say: (d: { kernel: string; why: string }) => `The kernel ${d.kernel} cannot be used: ${d.why}.`,
  },
  'peer-missing': {
    exit: EXIT.usage,
    say: (d: { kernel: string; peer: string; why: string; install: string }) =>
      `${d.kernel} needs ${d.peer}, but ${d.why}; run: ${d.install}`,
  },
  'too-large': {
    exit: EXIT.inconclusive,
    say: (d: {
      kernel: string;
      buffer: string;
      bytes: number;
      largest: number;
      /** Square products fit up to this size, where that is known, if it is a multiple of `unit`. */
      size?: number | undefined;
      unit?: number;
    }) => {
      const multiples = (d.unit ?? 1) === 1 ? '' : `, in multiples of ${d.unit}`;
      const fits = d.size === undefined ? '' : `: square products fit up to n = ${d.size}${multiples}`;
      return `${d.kernel} needs ${d.bytes} bytes for ${d.buffer}, more than the ${d.largest} the device can bind; choose a smaller size${fits}.`;
    },
  },
  'too-large-for-texture': {
    exit: EXIT.inconclusive,
    say: (d: { kernel: string; step: string; side: number; size: number }) =>
      `${d.kernel} reads a block through a texture, which has at most ${d.side}×${d.side} texels on this device, too few in ${d.step}: blocks fit up to ${d.size}×${d.size}, so choose a smaller size, more levels or another leaf kernel.`,
  },
  'tuning-unused': {
    exit: EXIT.usage,
    say: (d: { file: string; why: string }) =>
      `The tuning in the cache (${d.file}) is not used, because ${d.why}: gemm-paranoia tune measures it anew.`,
  },
  'tuning-unwritable': {
    exit: EXIT.usage,
    say: (d: { why: string }) =>
      `The tuning cannot be written to the cache: ${d.why}. XDG_CACHE_HOME may name a folder that you may write to.`,
  },
  'leaf-refused': {
    exit: EXIT.usage,
    say: (d: { kernel: string; why: string }) =>
      `${d.kernel} cannot run here: it ${d.why}; choose another leaf kernel or adapter.`,
  },
  'no-matrix-units': {
    exit: EXIT.inconclusive,
    say: (d: { kernel: string; units: string; why: string }) =>
      `${d.kernel} needs subgroup matrices of ${d.units}, which this adapter does not offer (${d.why}): on one that has them, give --toggle allow_unsafe_apis, and with NVIDIA's also vulkan_enable_f16_on_nvidia.`,
  },
  'bad-shader': {
    exit: EXIT.inconclusive,
    say: (d: {
      kernel: string;
      step: string;
      line: number;
      column: number;
      source: string;
      why: string;
      more: number;
    }) => {
      const more = d.more > 0 ? ` (and ${d.more} more)` : '';
      const where = `${d.kernel}, ${d.step}, line ${d.line}, column ${d.column}`;
      return `The shader does not compile: ${where}: ${d.why}${more}\n  ${d.source.trim()}`;
    },
  },
  // test matrices
  'input-refused': {
    exit: EXIT.usage,
    say: (d: { input: string; shape: string; reason: string }) =>
      `The input "${d.input}" cannot be made for the shape ${d.shape}, because ${d.reason}.`,
  },

  // matrix files and the exact product
  'npy-unreadable': {
    exit: EXIT.usage,
    say: (d: { file: string; why: string }) =>
      `${d.file} cannot be read: ${d.why}. Give the path of a readable .npy file.`,
  },
  'npy-unwritable': {
    exit: EXIT.usage,
    say: (d: { file: string; why: string }) =>
      `${d.file} cannot be written: ${d.why}. Give a path in an existing folder that you may write to.`,
  },
  'would-overwrite': {
    exit: EXIT.usage,
    say: (d: { path: string; option: string }) =>
      `${d.path} is the file given as ${d.option}, and would be overwritten: give --out another path.`,
  },
  'npy-malformed': {
    exit: EXIT.usage,
    say: (d: { file: string; why: string }) =>
      `${d.file} is not a valid .npy file: ${d.why}. Save it again with numpy.save.`,
  },
  'npy-wrong-length': {
    exit: EXIT.usage,
    say: (d: { file: string; rows: number; cols: number; need: number; found: number }) => {
      const fault = d.found < d.need ? 'is truncated' : 'has extra bytes at its end';
      return `${d.file} ${fault}: a ${d.rows}×${d.cols} matrix takes ${d.need} bytes after the header, but there are ${d.found}. Save or copy it again.`;
    },
  },
  'npy-wrong-dtype': {
    exit: EXIT.usage,
    say: (d: { file: string; dtype: string }) =>
      `${d.file} holds ${d.dtype}, but float16, float32 or float64 is needed. Convert it with .astype and save it again.`,
  },
  'npy-wrong-shape': {
    exit: EXIT.usage,
    say: (d: { file: string; shape: string; need: string }) =>
      `${d.file} has shape ${d.shape}, but ${d.need} is needed. Reshape it and save it again.`,
  },
  'entry-overflows': {
    exit: EXIT.usage,
    say: (d: { file: string; entry: string; value: number; format: string; most: number }) =>
      `Entry ${d.entry} of ${d.file} is ${d.value}, beyond the largest ${d.format}, ${d.most.toPrecision(3)}: choose a wider --precision or scale the matrix.`,
  },
  'missing-option': {
    exit: EXIT.usage,
    say: (d: { option: string; need: string }) => `Give ${d.option} once, with ${d.need}.`,
  },
  'references-differ': {
    exit: EXIT.fail,
    say: (d: { way: string; entry: string; shape: string; found: number; expected: number }) =>
      `The product by ${d.way} is not exact: entry ${d.entry} of ${d.shape} is ${d.found}, but should be ${d.expected}; nothing more is timed.`,
  },
  'reference-stopped': {
    exit: EXIT.inconclusive,
    say: (d: { workers: number; why: string }) =>
      `The exact product stopped, computed by ${d.workers} threads: ${d.why}. If memory is short, use fewer threads or a smaller size.`,
  },
  'exact-disagrees': {
    exit: EXIT.internal,
    say: (d: { name: string; i: number; j: number; found: number; expected: number }) =>
      `The exact product on ${d.name} gives ${d.found} at (${d.i}, ${d.j}), and that of the CPU ${d.expected}: do not trust this device with it, and use --on cpu.`,
  },

  // results files, reports and configs
  'bad-results': {
    exit: EXIT.usage,
    say: (d: { where: string; why: string }) =>
      `${d.where} is not a results file that can be read: ${d.why}.`,
  },
  'newer-results': {
    exit: EXIT.usage,
    say: (d: { where: string; schema: string; reads: string }) =>
      `${d.where} was made by a newer version (${d.schema}, this one reads ${d.reads}); update gemm-paranoia to read it.`,
  },
  'mixed-results': {
    exit: EXIT.usage,
    say: (d: { what: string; one: string; other: string; values: readonly [string, string] }) =>
      `${d.one} and ${d.other} differ in their ${d.what} (${d.values.join(' and ')}); join only runs of one kind, or give --allow-mixed.`,
  },
  'differing-results': {
    exit: EXIT.usage,
    say: (d: { case: string; one: string; other: string; verdicts: readonly [string, string] }) => {
      const [a, b] = d.verdicts;
      const how = a === b ? `both ${a}, with other numbers` : `${a} and ${b}`;
      return `${d.one} and ${d.other} differ in the case ${d.case} (${how}); leave one of the files out, or give --allow-mixed to keep the worse.`;
    },
  },
  'not-mergeable': {
    exit: EXIT.usage,
    say: (d: { file: string; why: string }) => `${d.file} cannot be joined: ${d.why}.`,
  },
  'output-lost': {
    exit: EXIT.output,
    say: (d: { why: string }) =>
      `What is printed cannot be written to the standard output: ${d.why}; the rest of it is lost, so run this again with another output.`,
  },
  'report-unwritable': {
    exit: EXIT.usage,
    say: (d: { path: string; why: string }) =>
      `The report ${d.path} cannot be written: ${d.why}. Give --out a folder that you may write to.`,
  },
  'json-unwritable': {
    exit: EXIT.usage,
    say: (d: { path: string; why: string }) =>
      `The file ${d.path} of --json cannot be written: ${d.why}; name a file in a folder that you may write to.`,
  },
  'summary-unwritable': {
    exit: EXIT.usage,
    say: (d: { path: string; why: string }) =>
      `The summary of this step cannot be added to ${d.path}: ${d.why}. GITHUB_STEP_SUMMARY names this file: set it to one that you may write to, or unset it.`,
  },
  'partial-unusable': {
    exit: EXIT.usage,
    say: (d: { file: string; why: string }) =>
      `The products in ${d.file} cannot be used: ${d.why}; give --fresh to begin again and overwrite it, or another --out.`,
  },
  'bad-config': {
    exit: EXIT.usage,
    say: (d: { where: string; fault: string }) => `${d.where}: ${d.fault}`,
  },
  'config-unreadable': {
    exit: EXIT.usage,
    say: (d: { path: string; why: string }) => `The config ${d.path} cannot be loaded: ${d.why}.`,
  },
} as const;

type Table = typeof table;
export type ProblemCode = keyof Table;
type Details<C extends ProblemCode> = Parameters<Table[C]['say']>[0];

/** An error whose message a user can act on; `exitCode` is what the command line ends with. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly exitCode: number;

  constructor(code: ProblemCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.exitCode = table[code].exit;
  }
}

/** Builds the {@link Problem} of a code from its details; `cause` keeps the underlying error for `--verbose`. */
export function problem<C extends ProblemCode>(code: C, details: Details<C>, cause?: unknown): Problem {
  const say = table[code].say as (d: Details<C>) => string;
  return new Problem(code, say(details), cause === undefined ? undefined : { cause });
}

/** The known name closest to the one given (Levenshtein distance at most half its length), if any. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  // Callers without types may give anything.
  const text = String(given).toLowerCase();
  const limit = Math.max(1, Math.floor(text.length / 2));
  const ranked = known
    .map((name) => ({ name, distance: editDistance(text, name.toLowerCase()) }))
    .sort((x, y) => x.distance - y.distance);
  return ranked[0] !== undefined && ranked[0].distance <= limit ? ranked[0].name : undefined;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, swap);
    }
    row = next;
  }
  return row[b.length];
}

function show(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(value);
}
