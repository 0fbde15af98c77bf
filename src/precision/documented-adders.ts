import type { Item } from '../base/registry.ts';
import type { RunningSum } from './arithmetic.ts';
import type { Format } from './format.ts';

/** A matrix unit with documented sums in binary32. */
interface DocumentedAdder extends Item {
  readonly unit: RunningSum;
  /** The only formats that it multiplies. @defaultValue all floating-point formats */
  readonly of?: readonly string[];
  /** True if it reads the factors of small blocks. @defaultValue true */
  readonly microscaled?: boolean;
}

const FASI = 'Fasi, Higham, Mikaitis, Pranesh 2021, Numerical behavior of NVIDIA tensor cores';
const MMA_SIM = 'Xie, Wang, Yang, Yang 2025, MMA-Sim, arXiv 2511.10909';
const FP8 = ['e4m3', 'e5m2'];
const NARROW = [...FP8, 'e3m2', 'e2m3', 'e2m1'];
const KHATTAK = 'Khattak, Mikaitis 2025, Accurate models of NVIDIA tensor cores';

/**
 * The units that sum products of narrower numbers in binary32. Windows of fewer than 24 bits are documented only for units of eight-bit
 * formats. If a paper finds a bit or two more, the window is the narrower one: bounds are those of the worst unit. Their results to the
 * last bit are in `lab/units/model/units.ts`.
 */
const documentedAdders: readonly DocumentedAdder[] = [
  {
    name: 'one',
    what: 'One product at a time, sums truncated to binary32.',
    source: FASI,
    unit: { rounding: 'toward-zero' },
  },
  {
    name: 'volta',
    what: 'Four products and the sum in 24 bits, truncated (V100, T4).',
    source: FASI,
    unit: { terms: 4, bits: 24, rounding: 'toward-zero' },
  },
  {
    name: 'ampere',
    what: 'Eight products and the sum in at least 24 bits, truncated (A100).',
    source: FASI,
    unit: { terms: 8, bits: 24, rounding: 'toward-zero' },
  },
  {
    name: 'hopper',
    what: 'Sixteen products and the sum in at least 25 bits, truncated (H100, H200, B200).',
    source: `${KHATTAK}; ${MMA_SIM}`,
    unit: { terms: 16, bits: 25, rounding: 'toward-zero' },
  },
  {
    name: 'blackwell-fp8',
    what: 'Thirty-two products of eight-bit formats and the sum in at least 25 bits, truncated (B200).',
    source: MMA_SIM,
    unit: { terms: 32, bits: 25, rounding: 'toward-zero' },
    of: NARROW,
  },
  {
    name: 'ada-fp8',
    what: 'Sixteen products of eight-bit formats and the sum in 14 bits, truncated (L4, L40S).',
    source: MMA_SIM,
    unit: { terms: 16, bits: 14, rounding: 'toward-zero' },
    of: FP8,
    microscaled: false,
  },
  {
    name: 'hopper-fp8',
    what: 'Thirty-two products of eight-bit formats and the sum in 14 bits, truncated (H100, H200).',
    source: `${MMA_SIM}; DeepSeek-AI 2024, DeepSeek-V3 Technical Report, §3.3.2`,
    unit: { terms: 32, bits: 14, rounding: 'toward-zero' },
    of: FP8,
    microscaled: false,
  },
];

/**
 * Returns the units that may multiply numbers of a format.
 * @param isMicroscaled true if the numbers have factors of small blocks, which older units do not read.
 */
export const addersOf = ({ name }: Pick<Format, 'name'>, isMicroscaled = false): readonly RunningSum[] =>
  documentedAdders
    .filter(({ of, microscaled = true }) => of?.includes(name) !== false && (microscaled || !isMicroscaled))
    .map(({ unit }) => unit);
