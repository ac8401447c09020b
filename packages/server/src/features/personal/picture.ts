import { AppError } from '../../platform/app-error.ts';

type Kind = { contentType: string; begins: number[] };

const KINDS: Kind[] = [
  { contentType: 'image/jpeg', begins: [0xff, 0xd8, 0xff] },
  { contentType: 'image/png', begins: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { contentType: 'image/bmp', begins: [0x42, 0x4d] },
];

/** Told by the bytes: a file's name is only what its sender calls it. */
export const pictureType = (bytes: Uint8Array): string => {
  const kind = KINDS.find(({ begins }) => begins.every((byte, index) => bytes[index] === byte));
  if (!kind) throw new AppError('PICTURE_UNREADABLE', {}, 'multipartFile');
  return kind.contentType;
};
