import { Worker } from 'node:worker_threads';
import { type ErrorCode, PICTURE_MAX_SIDE } from '@device-center/contract';
import type { Actor } from './actor.ts';
import { AppError } from './app-error.ts';
import { createFairTurns } from './keyed-mutex.ts';
import { programUrl } from './locations.ts';
import { pictureSize } from './picture-size.ts';
import type { PictureReply, PictureRequest } from './picture-worker.ts';

const BEGINNINGS = {
  'image/jpeg': [0xff, 0xd8, 0xff],
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/bmp': [0x42, 0x4d],
} as const;

export type PictureKind = keyof typeof BEGINNINGS;

/** The largest permitted one takes a few seconds. */
const ENCODED_WITHIN_MS = 60_000;
/** Those that wait hold their bytes in memory. */
const WAITING = { max: 12, maxOfOne: 5 };

/** In a thread that ends with the picture: the memory of a codec only grows while it lives. */
const encodeApart = (request: PictureRequest): Promise<PictureReply | undefined> =>
  new Promise((resolve) => {
    const worker = new Worker(programUrl('platform/picture-worker.ts'), { workerData: request });
    const timer = setTimeout(() => void worker.terminate(), ENCODED_WITHIN_MS);
    worker.on('message', resolve);
    worker.on('error', () => resolve(undefined));
    worker.on('exit', () => {
      clearTimeout(timer);
      resolve(undefined);
    });
  });

const turns = createFairTurns(WAITING);

/**
 * The picture as it may be stored: decoded and encoded again, so that it is nothing but a picture and has no place in
 * it where it was taken. The size is read from its header first, since a small file may claim any.
 */
export const reencodePicture = async (
  bytes: Uint8Array,
  allowed: readonly PictureKind[],
  refusal: ErrorCode,
  { tenancyId }: Pick<Actor, 'tenancyId'>,
): Promise<PictureReply> => {
  const field = 'multipartFile';
  const kind = allowed.find((one) => BEGINNINGS[one].every((byte, index) => bytes[index] === byte));
  const size = kind && pictureSize(kind, bytes);
  if (!kind || !size) throw new AppError(refusal, {}, field);
  if (Math.max(size.width, size.height) > PICTURE_MAX_SIDE)
    throw new AppError('PICTURE_DIMENSIONS_TOO_LARGE', { max: PICTURE_MAX_SIDE }, field);
  const encoded = await turns(tenancyId, () => encodeApart({ kind, bytes: Uint8Array.from(bytes) }));
  if (!encoded) throw new AppError(refusal, {}, field);
  return encoded;
};
