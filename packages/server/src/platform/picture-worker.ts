import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import decodeJpeg, { init as initJpegDecoder } from '@jsquash/jpeg/decode.js';
import encodeJpeg, { init as initJpegEncoder } from '@jsquash/jpeg/encode.js';
import decodePng, { init as initPng } from '@jsquash/png/decode.js';
import encodePng from '@jsquash/png/encode.js';
import { type Pixels, readBmp } from './bmp.ts';
import type { PictureKind } from './picture.ts';

/**
 * Worker thread that decodes one picture and encodes it again, see picture.ts. A failure ends the thread with an error.
 */

export type PictureRequest = { kind: PictureKind; bytes: Uint8Array<ArrayBuffer> };
export type PictureReply = { contentType: PictureKind; bytes: Uint8Array };

const JPEG_QUALITY = 85;

/** The codecs use the browser's class for pixels. */
class ImageData {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}
Object.assign(globalThis, { ImageData });

const { resolve } = createRequire(import.meta.url);
const codec = (path: string): Buffer<ArrayBuffer> => readFileSync(resolve(path));

/** Emscripten options; the declared type lacks some of them. */
const emscripten = (path: string, printErr: (line: string) => void) => ({
  noInitialRun: true,
  wasmBinary: codec(path),
  printErr,
});

/** The decoder only warns about a truncated file and fills the rest with grey. */
const rejectTruncated = (warning: string): void => {
  if (warning.startsWith('Premature end')) throw new Error(warning);
};

const jpeg = async ({ buffer }: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> => {
  await initJpegDecoder(emscripten('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm', rejectTruncated));
  await initJpegEncoder(emscripten('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm', () => undefined));
  // Rotated by its EXIF orientation, because EXIF is removed.
  const pixels = await decodeJpeg(buffer, { preserveOrientation: true });
  return encodeJpeg(pixels, { quality: JPEG_QUALITY, progressive: false });
};

const png = async (read: () => Pixels | Promise<Pixels>): Promise<ArrayBuffer> => {
  await initPng(codec('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'));
  return encodePng((await read()) as Parameters<typeof encodePng>[0]);
};

const encode = async ({ kind, bytes }: PictureRequest): Promise<PictureReply> => {
  if (kind === 'image/jpeg') return { contentType: kind, bytes: new Uint8Array(await jpeg(bytes)) };
  const read = kind === 'image/png' ? () => decodePng(bytes.buffer) : () => readBmp(bytes);
  return { contentType: 'image/png', bytes: new Uint8Array(await png(read)) };
};

parentPort?.postMessage(await encode(workerData as PictureRequest));
