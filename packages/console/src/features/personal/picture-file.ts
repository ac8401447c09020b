import type { Area } from 'react-easy-crop';

export const PICTURE_ACCEPT = '.jpg,.jpeg,.png,.bmp';
const AVATAR_MAX_PIXELS = 512;
/** The rule is for the bytes, as on the hub: a file's name is only what somebody calls it. */
const BEGINNINGS = [
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  [0x42, 0x4d],
];
const LONGEST = 8;

export const isAllowedPicture = async (file: Blob): Promise<boolean> => {
  const bytes = new Uint8Array(await file.slice(0, LONGEST).arrayBuffer());
  return BEGINNINGS.some((begins) => begins.every((byte, index) => bytes[index] === byte));
};

/** Throws when the browser cannot draw it. */
export const loadPicture = async (address: string): Promise<HTMLImageElement> => {
  const image = new Image();
  image.src = address;
  await image.decode();
  return image;
};

/** The chosen square as a png of at most 512 px. */
export const cropPicture = async (address: string, area: Area): Promise<Blob> => {
  const image = await loadPicture(address);
  const size = Math.max(1, Math.min(AVATAR_MAX_PIXELS, Math.round(area.width)));
  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, size, size);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png');
  });
};
