import type { ErrorCode } from '@device-center/contract';
import { AppError } from './app-error.ts';

const BEGINNINGS = {
  'image/jpeg': [0xff, 0xd8, 0xff],
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/bmp': [0x42, 0x4d],
} as const;

export type PictureKind = keyof typeof BEGINNINGS;

/** Told by the bytes: a file's name is only what its sender calls it. */
export const pictureType = (bytes: Uint8Array, allowed: readonly PictureKind[], refusal: ErrorCode): PictureKind => {
  const kind = allowed.find((one) => BEGINNINGS[one].every((byte, index) => bytes[index] === byte));
  if (!kind) throw new AppError(refusal, {}, 'multipartFile');
  return kind;
};
