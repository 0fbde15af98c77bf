import type { OpenDevice } from '../device.ts';
import { tooLargeForTexture } from '../messages.ts';
import type { GpuBuffer, GpuDevice } from '../web-gpu.ts';
import type { Dispatch } from '../wgsl/dispatch.ts';

/** The words and bytes of a texel. */
const WORDS = 4;
const BYTES = 16;
/** The unit of texels of a row: copies of several rows need multiples of 256 bytes each. */
const WIDTH_UNIT = 256 / BYTES;

/** Textures into which blocks are copied, one for each size, kept until the work is done. */
export interface Textures {
  /** Returns the texture of a number of texels, which {@link Textures.copy} writes. */
  of(texels: number): GPUTexture;
  /** Encodes the copy of texels that begin at a byte of a buffer. */
  copy(encoder: GPUCommandEncoder, texels: number, from: GpuBuffer, start: number): void;
  destroy(): void;
}

export function openTextures(device: GpuDevice): Textures {
  const bySize = new Map<number, GPUTexture>();
  const of: Textures['of'] = (texels) => {
    const found = bySize.get(texels);
    if (found !== undefined) return found;
    const { width, height } = extent(texels, device.limits.maxTextureDimension2D);
    const usage = GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST;
    const texture = device.createTexture({ size: [width, height], format: 'rgba32uint', usage });
    bySize.set(texels, texture);
    return texture;
  };
  return {
    of,
    copy(encoder, texels, buffer, start) {
      const texture = of(texels);
      const rows = Math.floor(texels / texture.width);
      const rest = texels - rows * texture.width;
      const bytesPerRow = BYTES * texture.width;
      const piece = (offset: number, y: number, width: number, height: number) =>
        encoder.copyBufferToTexture(
          { buffer, offset, bytesPerRow, rowsPerImage: height },
          { texture, origin: [0, y] },
          [width, height],
        );
      if (rows > 0) piece(start, 0, texture.width, rows);
      if (rest > 0) piece(start + rows * bytesPerRow, rows, rest, 1);
    },
    destroy() {
      for (const texture of bySize.values()) texture.destroy();
    },
  };
}

/**
 * Checks that the blocks of dispatches fit into textures.
 * @throws ParanoiaError too-large-for-texture
 */
export function checkTextures(
  { limits }: Pick<OpenDevice, 'limits'>,
  dispatches: readonly Dispatch[],
  words: number,
  kernel: string,
): void {
  const side = limits.maxTextureDimension2D;
  const most = floorToUnit(side) * side;
  for (const dispatch of dispatches) {
    if (dispatch.texture === undefined || texelsOf(dispatch, words) <= most) continue;
    const size = Math.floor(Math.sqrt((most * WORDS) / words));
    throw tooLargeForTexture({ kernel, step: dispatch.label, side, size });
  }
}

/** Returns the texels that the block of a dispatch takes. @param words the words of an entry. */
export function texelsOf({ texture }: Dispatch, words: number): number {
  return ((texture?.layout.size ?? 0) * words) / WORDS;
}

/** Returns a rectangle of about the same width and height. */
function extent(texels: number, side: number): { width: number; height: number } {
  const square = Math.ceil(Math.sqrt(texels) / WIDTH_UNIT) * WIDTH_UNIT;
  const width = Math.min(square, floorToUnit(side));
  return { width, height: Math.max(1, Math.ceil(texels / width)) };
}

const floorToUnit = (side: number) => Math.floor(side / WIDTH_UNIT) * WIDTH_UNIT;
