import { toleranceFor } from '../../src/cli/tolerance/tolerance.ts';
import { exactProduct } from '../../src/exact/exact.ts';
import { logPlot } from './log-plot.ts';

const TERMS = [16, 64, 256, 1024, 4096, 16384];
const PRECISIONS = ['f32', 'f16-f32-f16', 'bf16-f32-bf16'];
/** The tolerances that are drawn, by their names in `tolerance`. */
const CURVES = {
  bound: { says: 'the bound', hue: '#1f5fa8', dashes: '6 3' },
  fitting: { says: 'the smallest that no correct kernel fails', hue: '#1f5fa8', dashes: '' },
  expected: { says: 'the expected error', hue: '#1f5fa8', dashes: '2 3' },
  'torch.testing.assert_close': { says: 'assert_close by default', hue: '#b3561d', dashes: '' },
  'rtol = atol = 1e-2': { says: 'rtol = atol = 1e-2', hue: '#7a2a8c', dashes: '' },
} as const;
type Name = keyof typeof CURVES;
const NAMES = Object.keys(CURVES) as Name[];

/** Draws tolerances against the number of terms, one figure a precision, with their numbers, in Markdown. */
export async function toleranceFigures(): Promise<string> {
  const parts = await Promise.all(PRECISIONS.map(figureOf));
  const legend = NAMES.map((name) => `<b style="color:${CURVES[name].hue}">${CURVES[name].says}</b>`);
  return `${parts.join('\n')}
Each is the absolute tolerance of an entry of usual size, √k/3, where entries of A and B are uniform in [−1, 1]: ${legend.join(', ')}. The
bound (dashed) and the expected error (dotted) are those of the median entry. \`tolerance\` computed these numbers when this page was made.
`;
}

async function figureOf(precision: string): Promise<string> {
  const rows = await Promise.all(TERMS.map((k) => tolerancesAt(k, precision)));
  const title = `Absolute tolerances of ${precision} against the number of terms k`;
  const curves = NAMES.map((name) => ({
    ...CURVES[name],
    points: rows.map((row, at) => [TERMS[at], row[name]] as const),
  }));
  const cells = rows.map((row, at) =>
    [TERMS[at], ...NAMES.map((name) => row[name].toExponential(1))].join(' | '),
  );
  return `<figure>
${logPlot(curves, title, 240)}
<figcaption>${title}.</figcaption>
</figure>

| k | ${NAMES.map((name) => CURVES[name].says).join(' | ')} |
| --- |${' --- |'.repeat(NAMES.length)}
${cells.map((row) => `| ${row} |`).join('\n')}
`;
}

async function tolerancesAt(k: number, precision: string): Promise<Record<Name, number>> {
  const { bound, fitting, sigma, known } = await toleranceFor({ k, precision }, async (a, b) =>
    exactProduct(a, b),
  );
  const size = Math.sqrt(k) / 3;
  const at = ({ rtol, atol }: { readonly rtol: number; readonly atol: number }) => atol + rtol * size;
  const knownAt = (name: string) => {
    const found = known.find((one) => one.name === name);
    if (found === undefined) throw new Error(`tolerance knows no ${name}`);
    return at(found);
  };
  return {
    ...{ bound: bound.median, fitting: at(fitting), expected: sigma.median },
    'torch.testing.assert_close': knownAt('torch.testing.assert_close'),
    'rtol = atol = 1e-2': knownAt('rtol = atol = 1e-2'),
  };
}
