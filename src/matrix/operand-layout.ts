import { badNumber } from '../base/messages.ts';

/**
 * How A and B lie in memory when a kernel gets them, in BLAS's words: each as it is or transposed, rows (columns of the
 * transposed) `pad` entries further apart than they are long. Padding holds NaN: who reads it shows it.
 */
export interface OperandLayout {
  readonly transposeA: boolean;
  readonly transposeB: boolean;
  /** Entries between the end of a stored row and the next: the leading dimension is the row's length plus this. */
  readonly pad: number;
}

/** Row-major, without gaps. */
export const plainLayout: OperandLayout = { transposeA: false, transposeB: false, pad: 0 };

/** `nn`, `tn`, `nt+3`: A and B as they are (n) or transposed (t), and what the leading dimensions exceed rows by. */
export function formatLayout({ transposeA, transposeB, pad }: OperandLayout): string {
  return `${transposeA ? 't' : 'n'}${transposeB ? 't' : 'n'}${pad === 0 ? '' : `+${pad}`}`;
}

/** The layout of such a text. @throws ParanoiaError `bad-number` */
export function parseLayout(text: string): OperandLayout {
  const parts = /^(?<a>[nt])(?<b>[nt])(\+(?<pad>\d{1,3}))?$/.exec(text)?.groups;
  if (parts === undefined) {
    const need = 'two letters n or t for A and B, and perhaps +1 to +999 for their leading dimensions';
    throw badNumber({ what: 'layout', given: text, need });
  }
  return { transposeA: parts.a === 't', transposeB: parts.b === 't', pad: Number(parts.pad ?? 0) };
}
