import { defineMessage, EXIT } from '../base/errors.ts';
import type { Shape } from '../matrix/dense.ts';

/** Formats m, k and n: `2×3×4`. */
const shapeText = (shape: Shape | string) =>
  typeof shape === 'string' ? shape : `${shape.m}×${shape.k}×${shape.n}`;

export const kernelThrew = defineMessage(
  'kernel-threw',
  EXIT.inconclusive,
  (d: { kernel: string; shape?: Shape | undefined; why: string }) =>
    `${d.kernel} threw an error${d.shape === undefined ? '' : ` for ${shapeText(d.shape)}`}: ${d.why}.`,
  'kernel',
);

export const kernelAnswer = defineMessage(
  'kernel-answer',
  EXIT.inconclusive,
  (d: { kernel: string; shape: Shape | string; why: string }) =>
    `${d.kernel} returned no valid product for ${shapeText(d.shape)}: ${d.why}.`,
  'kernel',
);

export const kernelWritesLate = defineMessage(
  'kernel-writes-late',
  EXIT.inconclusive,
  (d: { kernel: string; shape: Shape | string; ago: number }) =>
    `${d.kernel} modified an earlier result (${d.ago === 1 ? '1 product' : `${d.ago} products`} before ${shapeText(d.shape)}). Do not write to a result after returning it.`,
  'kernel',
);

export const kernelChangesAnswer = defineMessage(
  'kernel-changes-answer',
  EXIT.inconclusive,
  (d: { kernel: string; shape: Shape | string }) =>
    `${d.kernel} modified its result for ${shapeText(d.shape)} after returning it. Return only finished results.`,
  'kernel',
);

export const kernelLooksRound = defineMessage(
  'kernel-looks-round',
  EXIT.inconclusive,
  (d: { kernel: string; shape: Shape | string; what: string }) =>
    `${d.kernel} inspected ${d.what} before it returned ${shapeText(d.shape)}. A product needs none of this, but a test can be recognized by it. Its behavior outside of tests is unknown.`,
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
    `${d.kernel} returned ${d.found} at (${d.row}, ${d.col}) of ${shapeText(d.shape)}, expected ${d.expected} exactly. It was product ${d.number} of many small ones in a row.`,
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
        ? 'after the same products again it is right'
        : d.after === 0
          ? 'it is wrong alone, too'
          : `it is right alone, but wrong after ${d.after === 1 ? 'the product' : `the ${d.after} products`} before it`;
    return `${d.kernel} returned a wrong product of ${d.shape}, number ${d.number} of a call sequence (${d.routine}); ${alone}: ${d.why}`;
  },
  'kernel',
);

export const kernelErrsInSweep = defineMessage(
  'kernel-errs-in-sweep',
  EXIT.inconclusive,
  (d: { kernel: string; which: string; why: string; isRightAlone?: boolean }) =>
    `${d.kernel} is wrong in a sweep of small sizes, in ${d.which}${d.isRightAlone === true ? ', and right alone' : ''}: ${d.why}`,
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
    `${d.kernel} returned nothing for ${shapeText(d.shape)} within ${d.seconds} s. If the kernel needs longer, raise its timeLimit, an option of defineKernel.`,
  'kernel',
);

export const kernelIsSlow = defineMessage(
  'kernel-is-slow',
  EXIT.inconclusive,
  (d: { kernel: string; shape: Shape | string; seconds: number; expected: number }) =>
    `${d.kernel} did not finish ${shapeText(d.shape)} within ${d.seconds} s. By its earlier products it needs about ${Math.ceil(d.expected)} s or more: raise its timeLimit.`,
);

export const kernelDied = defineMessage(
  'kernel-died',
  EXIT.inconclusive,
  (d: { kernel: string; shape: Shape | string; why: string }) =>
    `${d.kernel} crashed while it computed ${shapeText(d.shape)}: ${d.why}.`,
  'kernel',
);

export const kernelBreaksOut = defineMessage(
  'kernel-breaks-out',
  EXIT.inconclusive,
  (d: { kernel: string; shape: Shape | string; why: string }) =>
    `${d.kernel} was stopped while it computed ${shapeText(d.shape)}: ${d.why}.`,
  'kernel',
);

export const kernelRefuses = defineMessage(
  'kernel-refuses',
  EXIT.usage,
  (d: { kernel: string; shape: Shape | string; why: string }) =>
    `${d.kernel} does not support ${shapeText(d.shape)}, because ${d.why}.`,
);

export const peerMissing = defineMessage(
  'peer-missing',
  EXIT.usage,
  (d: { kernel: string; peer: string; why: string; install: string }) =>
    `${d.kernel} needs ${d.peer}, but ${d.why}. Run: ${d.install}`,
);

export const leafRefused = defineMessage(
  'leaf-refused',
  EXIT.usage,
  (d: { kernel: string; why: string }) =>
    `${d.kernel} cannot run here: it ${d.why}. Choose another leaf kernel or adapter.`,
);

export const noMatrixUnits = defineMessage(
  'no-matrix-units',
  EXIT.inconclusive,
  (d: { kernel: string; units: string; why: string }) =>
    `${d.kernel} needs subgroup matrices of ${d.units}, which this adapter does not offer (${d.why}). On an adapter that has them, give --toggle allow_unsafe_apis, on NVIDIA also vulkan_enable_f16_on_nvidia.`,
);

export const faultNotPlanted = defineMessage(
  'fault-not-planted',
  EXIT.inconclusive,
  (d: { why: string }) =>
    `The fault cannot be planted: ${d.why}. The product would be correct. Choose a case that meets the fault.`,
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
    `No Python was found to run ${d.file}: ${d.why}. Name one with --python or PARANOIA_PYTHON.`,
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
    `${d.file} cannot be tested on this machine: koffi, which calls native libraries, cannot be loaded (${d.why}). Install gemm-paranoia again here, so that npm adds @koromix/koffi-${d.platform}.`,
);

export const programsElsewhere = defineMessage(
  'programs-elsewhere',
  EXIT.usage,
  (d: { kernel: string }) =>
    `${d.kernel} is a program, which only Node can start. Test it with npx gemm-paranoia gate, or judgeKernels of gemm-paranoia/node.`,
);
