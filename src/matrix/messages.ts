import { defineMessage, EXIT } from '../base/errors.ts';

export const shapesDiffer = defineMessage(
  'shapes-differ',
  EXIT.usage,
  (d: { a: string; b: string; why: string }) => `The shapes do not match: ${d.a} and ${d.b}; ${d.why}.`,
  'kernel',
);

export const badOperand = defineMessage(
  'bad-operand',
  EXIT.usage,
  (d: { name: string; why: string }) => `${d.name} cannot be used: ${d.why}.`,
);

export const npyUnreadable = defineMessage(
  'npy-unreadable',
  EXIT.usage,
  (d: { file: string; why: string }) =>
    `${d.file} cannot be read: ${d.why}. Give the path of a readable .npy file.`,
);

export const npyUnwritable = defineMessage(
  'npy-unwritable',
  EXIT.usage,
  (d: { file: string; why: string }) =>
    `${d.file} cannot be written: ${d.why}. Give a path in an existing, writable folder.`,
);

export const npyMalformed = defineMessage(
  'npy-malformed',
  EXIT.usage,
  (d: { file: string; why: string }) =>
    `${d.file} is not a valid .npy file: ${d.why}. Save it again with numpy.save.`,
);

export const npyWrongLength = defineMessage(
  'npy-wrong-length',
  EXIT.usage,
  (d: { file: string; rows: number; cols: number; need: number; found: number }) => {
    const fault = d.found < d.need ? 'is truncated' : 'has extra bytes at its end';
    return `${d.file} ${fault}: a ${d.rows}×${d.cols} matrix needs ${d.need} bytes after the header, found ${d.found}. Save or copy it again.`;
  },
);

export const npyWrongDtype = defineMessage(
  'npy-wrong-dtype',
  EXIT.usage,
  (d: { file: string; dtype: string; need?: string | undefined }) =>
    `${d.file} holds ${d.dtype}, but ${d.need ?? 'float16, float32 or float64'} is needed. Convert it with .astype and save it again.`,
);

export const npyWrongShape = defineMessage(
  'npy-wrong-shape',
  EXIT.usage,
  (d: { file: string; shape: string; need: string }) =>
    `${d.file} has shape ${d.shape}, but ${d.need} is needed. Reshape it and save it again.`,
);
