import { defineMessage, EXIT } from '../base/errors.ts';
import type { Shape } from '../matrix/dense.ts';

/** Formats m, k and n: `2×3×4`. */
const shapeText = (shape: Shape | string) =>
  typeof shape === 'string' ? shape : `${shape.m}×${shape.k}×${shape.n}`;

export const kernelThrew = defineMessage(
  'kernel-threw',
  EXIT.inconclusive,
  (d: { kernel: string; why: string }) => `${d.kernel} threw an error: ${d.why}.`,
  'kernel',
);

export const kernelAnswer = defineMessage(
  'kernel-answer',
  EXIT.inconclusive,
  (d: { kernel: string; shape: Shape | string; why: string }) =>
    `${d.kernel} gave no product for ${shapeText(d.shape)}: ${d.why}.`,
  'kernel',
);

export const kernelWritesLate = defineMessage(
  'kernel-writes-late',
  EXIT.inconclusive,
  (d: { kernel: string; shape: Shape | string; ago: number }) =>
    `${d.kernel} changed D of a product that it had answered, ${d.ago === 1 ? 'the one before' : `${d.ago} before`} ${shapeText(d.shape)}: an answer is the caller's, and stays as it is.`,
  'kernel',
);

export const kernelChangesAnswer = defineMessage(
  'kernel-changes-answer',
  EXIT.inconclusive,
  (d: { kernel: string; shape: Shape | string }) =>
    `${d.kernel} answered ${shapeText(d.shape)}, and the answer was another when it was read again: let it be whole when it is given, and stay as it is.`,
  'kernel',
);

export const kernelLooksRound = defineMessage(
  'kernel-looks-round',
  EXIT.inconclusive,
  (d: { kernel: string; shape: Shape | string; what: string }) =>
    `${d.kernel} looked at ${d.what} before it answered ${shapeText(d.shape)}: from that no product follows, but who asks for it; what it does elsewhere cannot be judged.`,
);

export const kernelWearsOut = defineMessage(
  'kernel-wears-out',
  EXIT.inconclusive,
  (d: {
    kernel: string;
    shape: Shape;
    number: number;
    row: number;
    col: number;
    found: number;
    expected: number;
  }) =>
    `${d.kernel} gave ${d.found} at (${d.row}, ${d.col}) of ${shapeText(d.shape)}, where ${d.expected} is exact: in product ${d.number} of many small ones that it was asked for one after the other.`,
  'kernel',
);

export const kernelErrsInProgram = defineMessage(
  'kernel-errs-in-program',
  EXIT.inconclusive,
  (d: {
    kernel: string;
    shape: string;
    routine: string;
    number: number;
    why: string;
    after: number | undefined;
  }) => {
    const alone =
      d.after === undefined
        ? 'asked for after the same products again it is right'
        : d.after === 0
          ? 'it is alone, too'
          : `alone it is right, and wrong after ${d.after === 1 ? 'the product' : `the ${d.after} products`} before it`;
    return `${d.kernel} gave a wrong product of ${d.shape}, which is number ${d.number} of a program (${d.routine}); ${alone}: ${d.why}`;
  },
  'kernel',
);

export const kernelUnfit = defineMessage(
  'kernel-unfit',
  EXIT.fail,
  (d: { kernel: string; why: string }) => `${d.kernel} fails before any product: ${d.why}.`,
  'kernel',
);

export const kernelHangs = defineMessage(
  'kernel-hangs',
  EXIT.inconclusive,
  (d: { kernel: string; shape: Shape | string; seconds: number }) =>
    `${d.kernel} gave no answer for ${shapeText(d.shape)} within ${d.seconds} s; raise its timeLimit if it needs longer.`,
  'kernel',
);

export const kernelDied = defineMessage(
  'kernel-died',
  EXIT.inconclusive,
  (d: { kernel: string; shape: Shape | string; why: string }) =>
    `${d.kernel} died while it multiplied ${shapeText(d.shape)}: ${d.why}.`,
  'kernel',
);

export const kernelBreaksOut = defineMessage(
  'kernel-breaks-out',
  EXIT.inconclusive,
  (d: { kernel: string; shape: Shape | string; why: string }) =>
    `${d.kernel} was ended while it multiplied ${shapeText(d.shape)}: ${d.why}.`,
  'kernel',
);

export const kernelRefuses = defineMessage(
  'kernel-refuses',
  EXIT.usage,
  (d: { kernel: string; shape: Shape | string; why: string }) =>
    `${d.kernel} does not multiply ${shapeText(d.shape)}, because ${d.why}.`,
);

export const peerMissing = defineMessage(
  'peer-missing',
  EXIT.usage,
  (d: { kernel: string; peer: string; why: string; install: string }) =>
    `${d.kernel} needs ${d.peer}, but ${d.why}; run: ${d.install}`,
);

export const leafRefused = defineMessage(
  'leaf-refused',
  EXIT.usage,
  (d: { kernel: string; why: string }) =>
    `${d.kernel} cannot run here: it ${d.why}; choose another leaf kernel or adapter.`,
);

export const noMatrixUnits = defineMessage(
  'no-matrix-units',
  EXIT.inconclusive,
  (d: { kernel: string; units: string; why: string }) =>
    `${d.kernel} needs subgroup matrices of ${d.units}, which this adapter does not offer (${d.why}): on one that has them, give --toggle allow_unsafe_apis, and with NVIDIA's also vulkan_enable_f16_on_nvidia.`,
);

export const faultNotPlanted = defineMessage(
  'fault-not-planted',
  EXIT.inconclusive,
  (d: { why: string }) =>
    `The fault cannot be planted: ${d.why}, and so the product would be an honest one; take a case that meets the fault.`,
);

export const noKernelIn = defineMessage(
  'no-kernel-in',
  EXIT.usage,
  (d: { file: string; why: string }) => `The file ${d.file} ${d.why}.`,
);

export const noPython = defineMessage(
  'no-python',
  EXIT.usage,
  (d: { file: string; why: string }) =>
    `There is no Python to run ${d.file}: ${d.why}; name one with --python or the variable PARANOIA_PYTHON.`,
);

export const libraryUnusable = defineMessage(
  'library-unusable',
  EXIT.usage,
  (d: { file: string; why: string }) => `The library ${d.file} cannot be used: ${d.why}.`,
);

export const noNativeCalls = defineMessage(
  'no-native-calls',
  EXIT.inconclusive,
  (d: { file: string; why: string; platform: string }) =>
    `${d.file} cannot be judged here, for no fault of its own: koffi, by which this package calls libraries, cannot be loaded (${d.why}); install gemm-paranoia again on this machine, so that npm brings @koromix/koffi-${d.platform}.`,
);

export const programsElsewhere = defineMessage(
  'programs-elsewhere',
  EXIT.usage,
  (d: { kernel: string }) =>
    `${d.kernel} is a program, which only Node can start: judge it with npx gemm-paranoia gate, or judgeKernels of gemm-paranoia/node.`,
);
