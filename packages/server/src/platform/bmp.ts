/** RGBA, 8 bits per channel. */
export type Pixels = { width: number; height: number; data: Uint8ClampedArray };

const FILE_HEADER = 14;
const INFO_HEADER = 40;
const RGB = 0;
const BIT_FIELDS = 3;
/** The masks that Windows writes, the only ones with 32 bits that occur in practice. */
const STANDARD_MASKS = [0x00ff0000, 0x0000ff00, 0x000000ff];

/** Decodes an uncompressed bitmap of 8, 24 or 32 bits per pixel, as paint programs and cameras write it. */
export const readBmp = (bytes: Uint8Array): Pixels => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerSize = view.getUint32(14, true);
  const width = view.getInt32(18, true);
  const rows = view.getInt32(22, true);
  const bits = view.getUint16(28, true);
  const compression = view.getUint32(30, true);
  const height = Math.abs(rows);
  const isSupported =
    compression === RGB ||
    (compression === BIT_FIELDS &&
      bits === 32 &&
      STANDARD_MASKS.every((mask, index) => view.getUint32(FILE_HEADER + INFO_HEADER + index * 4, true) === mask));
  if (![8, 24, 32].includes(bits) || !isSupported) throw new Error('unsupported bitmap format');

  const step = bits / 8;
  const lineBytes = Math.ceil((width * step) / 4) * 4;
  const first = view.getUint32(10, true);
  const palette = FILE_HEADER + headerSize;
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++) {
    // Rows are stored from the bottom up, unless their number is negative.
    const line = first + lineBytes * (rows > 0 ? height - 1 - y : y);
    for (let x = 0; x < width; x++) {
      const at = bits === 8 ? palette + view.getUint8(line + x) * 4 : line + x * step;
      const to = (y * width + x) * 4;
      data[to] = view.getUint8(at + 2);
      data[to + 1] = view.getUint8(at + 1);
      data[to + 2] = view.getUint8(at);
      data[to + 3] = 255;
    }
  }
  return { width, height, data };
};
