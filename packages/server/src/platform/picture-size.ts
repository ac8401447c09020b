export type Size = { width: number; height: number };

const START_OF_SCAN = 0xda;
/** Frame headers, except the three codes of their range with other meanings. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const jpegSize = (view: DataView): Size | undefined => {
  for (let at = 2; at + 9 <= view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrame(marker)) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    if (marker === START_OF_SCAN) return undefined;
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
};

const pngSize = (view: DataView): Size | undefined =>
  view.byteLength < 24 ? undefined : { width: view.getUint32(16), height: view.getUint32(20) };

const BMP_HEADERS = [40, 52, 56, 108, 124];

const bmpSize = (view: DataView): Size | undefined =>
  view.byteLength < 54 || !BMP_HEADERS.includes(view.getUint32(14, true))
    ? undefined
    : { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };

const readers = { 'image/jpeg': jpegSize, 'image/png': pngSize, 'image/bmp': bmpSize } as const;

/** Reads the size from the file's header without decoding. */
export const pictureSize = (kind: keyof typeof readers, bytes: Uint8Array): Size | undefined => {
  const size = readers[kind](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return size && size.width > 0 && size.height > 0 ? size : undefined;
};
