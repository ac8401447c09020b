import { Worker } from 'node:worker_threads';
import { type ErrorCode, PICTURE_MAX_SIDE } from '@device-center/contract';
import type { Actor } from './actor.ts';
import { AppError } from './app-error.ts';
import { createFairQueue } from './keyed-mutex.ts';
import { programUrl } from './locations.ts';
import { pictureSize } from './picture-size.ts';
import type { PictureReply, PictureRequest } from './picture-worker.ts';

const SIGNATURES = {
  'image/jpeg': [0xff, 0xd8, 0xff],
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/bmp': [0x42, 0x4d],
} as const;

export type PictureKind = keyof typeof SIGNATURES;

/** The largest permitted picture takes a few seconds. */
const ENCODE_TIMEOUT_MS = 60_000;
/** Limits of the queue: waiting requests hold their bytes in memory. */
const QUEUE_LIMITS = { max: 12, maxOfOne: 5 };

/** Runs in a thread per picture: a codec's memory only grows while it lives. */
const encodeInWorker = (request: PictureRequest): Promise<PictureReply | undefined> =>
  new Promise((resolve) => {
    const worker = new Worker(programUrl('platform/picture-worker.ts'), { workerData: request });
    const timer = setTimeout(() => void worker.terminate(), ENCODE_TIMEOUT_MS);
    worker.on('message', resolve);
    worker.on('error', () => resolve(undefined));
    worker.on('exit', () => {
      clearTimeout(timer);
      resolve(undefined);
    });
  });

const queue = createFairQueue(QUEUE_LIMITS);

/**
 * Decodes and encodes a picture for storage, so that it contains nothing but pixels, for example no location. The size
 * is first read from the header, because a small file may declare any size.
 */
export const reencodePicture = async (
  bytes: Uint8Array,
  allowed: readonly PictureKind[],
  rejection: ErrorCode,
  { tenancyId }: Pick<Actor, 'tenancyId'>,
): Promise<PictureReply> => {
  const field = 'multipartFile';
  const kind = allowed.find((one) => SIGNATURES[one].every((byte, index) => bytes[index] === byte));
  const size = kind && pictureSize(kind, bytes);
  if (!kind || !size) throw new AppError(rejection, {}, field);
  if (Math.max(size.width, size.height) > PICTURE_MAX_SIDE)
    throw new AppError('PICTURE_DIMENSIONS_TOO_LARGE', { max: PICTURE_MAX_SIDE }, field);
  const encoded = await queue(tenancyId, () => encodeInWorker({ kind, bytes: Uint8Array.from(bytes) }));
  if (!encoded) throw new AppError(rejection, {}, field);
  return encoded;
};
