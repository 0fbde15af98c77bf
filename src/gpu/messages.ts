import { defineMessage, EXIT } from '../base/errors.ts';

export const noAdapter = defineMessage(
  'no-adapter',
  EXIT.noAdapter,
  (d: { wanted?: string | undefined; found: readonly string[]; notes: readonly string[] }) => {
    const kind = d.wanted === 'hardware' || d.wanted === 'software' ? `${d.wanted} ` : '';
    const named = d.wanted === undefined || kind !== '' ? '' : ` named "${d.wanted}"`;
    const notes = d.notes.length > 0 ? ` (${d.notes.join('; ')})` : '';
    const found = d.found.length > 0 ? ` Found: ${d.found.join(', ')}.` : '';
    return `No ${kind}GPU adapter${named} was found on this machine${notes}.${found}`;
  },
);

export const deviceRefused = defineMessage(
  'device-refused',
  EXIT.noAdapter,
  (d: { name: string; why: string }) => `${d.name} provides no device: ${d.why}`,
);

export const precisionUnserved = defineMessage(
  'precision-unserved',
  EXIT.noAdapter,
  (d: { precision: string; name: string; why: string }) =>
    `${d.name} cannot compute in ${d.precision}: ${d.why}. Choose another precision or adapter.`,
);

export const computesNothing = defineMessage(
  'computes-nothing',
  EXIT.noAdapter,
  () => 'The device computes nothing: 1 + 1 is not 2 on it, as on a null backend. Choose another adapter.',
);

export const deviceLost = defineMessage(
  'device-lost',
  EXIT.inconclusive,
  (d: { kernel: string; step: string; why: string }) =>
    `The device was lost in ${d.kernel}, ${d.step}: ${d.why}`,
  'machine',
);

export const outOfGpuMemory = defineMessage(
  'out-of-gpu-memory',
  EXIT.inconclusive,
  (d: { kernel: string; step: string; why: string }) =>
    `The device is out of memory in ${d.kernel}, ${d.step}: ${d.why.replace(/[.\s]*$/, '')}. Try a smaller size.`,
  'machine',
);

export const gpuError = defineMessage(
  'gpu-error',
  EXIT.inconclusive,
  (d: { kernel: string; step: string; why: string }) =>
    `The device reports an error in ${d.kernel}, ${d.step}: ${d.why}`,
  'kernel',
);

export const tooManyColumns = defineMessage(
  'too-many-columns',
  EXIT.inconclusive,
  (d: { kernel: string; n: number; most: number }) =>
    `${d.kernel} computes at most about ${d.most} columns here, but the product has ${d.n}. Choose a leaf kernel with larger blocks, such as register, or fewer columns.`,
  'machine',
);

export const tooLarge = defineMessage(
  'too-large',
  EXIT.inconclusive,
  (d: {
    kernel: string;
    buffer: string;
    bytes: number;
    largest: number;
    /** The largest size of square products that fit, if known; sizes must be multiples of `unit`. */
    size?: number | undefined;
    unit?: number;
  }) => {
    const multiples = (d.unit ?? 1) === 1 ? '' : `, in multiples of ${d.unit}`;
    const fits = d.size === undefined ? '' : `: square products fit up to n = ${d.size}${multiples}`;
    return `${d.kernel} needs ${d.bytes} bytes for ${d.buffer}, but the device can bind at most ${d.largest}. Choose a smaller size${fits}.`;
  },
  'machine',
);

export const tooLargeForTexture = defineMessage(
  'too-large-for-texture',
  EXIT.inconclusive,
  (d: { kernel: string; step: string; side: number; size: number }) =>
    `${d.kernel} reads blocks through a texture of at most ${d.side}×${d.side} texels, too few in ${d.step}. Blocks fit up to ${d.size}×${d.size}. Choose a smaller size, more levels or another leaf kernel.`,
);

export const tuningUnused = defineMessage(
  'tuning-unused',
  EXIT.usage,
  (d: { file: string; why: string }) =>
    `The cached tuning (${d.file}) is not used, because ${d.why}. Measure it again with gemm-paranoia tune.`,
);

export const tuningUnwritable = defineMessage(
  'tuning-unwritable',
  EXIT.usage,
  (d: { why: string }) =>
    `The tuning cannot be written to the cache: ${d.why}. Set XDG_CACHE_HOME to a writable folder.`,
);

export const badShader = defineMessage(
  'bad-shader',
  EXIT.inconclusive,
  (d: {
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
  'kernel',
);
