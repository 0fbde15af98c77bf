import { readdirSync } from 'node:fs';

/** Paths of files below a folder, from the root of the repository, with slashes; none if the folder is absent. */
export function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
      .sort();
  } catch {
    return [];
  }
}

/** True if a file of `src` is part of the product, not of its tests. */
export function isProduct(file: string): boolean {
  return file.endsWith('.ts') && !/\.(test|testing)\.ts$/.test(file);
}
