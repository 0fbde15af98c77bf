import { z } from 'zod';
import { fileReason } from '../../base/node/file-reason.ts';
import { readText } from '../../base/node/read-file.ts';
import { writeWhole } from '../../base/node/write-file.ts';
import { type MeasuredProduct, measuredProduct } from '../measured-product.ts';
import { partialUnusable } from '../messages.ts';

const SCHEMA = 'gemm-paranoia/study-partial/3';

/** The origin of the products of a partial file. Products of another origin are refused. */
export interface PartialFileOrigin {
  readonly study: string;
  readonly version: string;
  /** The adapter's id. */
  readonly adapter: string;
  readonly toggles: readonly string[];
}

const partialFile = z.object({
  schema: z.literal(SCHEMA),
  study: z.string(),
  version: z.string(),
  adapter: z.string(),
  toggles: z.array(z.string()),
  products: z.array(measuredProduct),
});

/**
 * Reads the products that an earlier run finished, by case; none where there is no file.
 * @throws ParanoiaError `partial-unusable` for a file that is damaged, or of another study, version or adapter.
 */
export async function readPartial(
  file: string,
  provenance: PartialFileOrigin,
): Promise<Map<string, MeasuredProduct>> {
  let text: string;
  try {
    text = readText(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw partialUnusable({ file, why: fileReason(error) }, error);
  }
  const { products, ...made } = parsed(file, text);
  for (const key of ['study', 'version', 'adapter', 'toggles'] as const) {
    const [found, wanted] = [String(made[key]), String(provenance[key])];
    if (found === wanted) continue;
    const why = `its ${key} is "${found}", but this run has "${wanted}"`;
    throw partialUnusable({ file, why });
  }
  return new Map(products.map((product) => [product.facts.case, product]));
}

function parsed(file: string, text: string): z.infer<typeof partialFile> {
  try {
    return partialFile.parse(JSON.parse(text));
  } catch (error) {
    throw partialUnusable({ file, why: 'it is damaged or comes from another version' }, error);
  }
}

/** Writes the finished products. The file appears whole or not at all. @throws ParanoiaError `report-unwritable` */
export async function writePartial(
  file: string,
  { study, version, adapter, toggles }: PartialFileOrigin,
  finished: ReadonlyMap<string, MeasuredProduct>,
): Promise<void> {
  const content: z.infer<typeof partialFile> = {
    schema: SCHEMA,
    ...{ study, version, adapter },
    toggles: [...toggles],
    products: [...finished.values()],
  };
  writeWhole(file, `${JSON.stringify(content, undefined, 1)}\n`);
}
