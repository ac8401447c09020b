import { useEffect, useState } from 'react';
import type { Area } from 'react-easy-crop';

export type PictureKind = 'jpg' | 'png' | 'bmp';

/** File types by their first bytes, as on the hub: the file extension does not prove the type. */
const kinds: Record<PictureKind, { extensions: string; signature: number[] }> = {
  jpg: { extensions: '.jpg,.jpeg', signature: [0xff, 0xd8, 0xff] },
  png: { extensions: '.png', signature: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  bmp: { extensions: '.bmp', signature: [0x42, 0x4d] },
};
const LONGEST = 8;

/** The `accept` attribute for the file dialog. */
export const acceptOf = (accepted: readonly PictureKind[]): string =>
  accepted.map((kind) => kinds[kind].extensions).join(',');

const isPictureOf = async (file: Blob, accepted: readonly PictureKind[]): Promise<boolean> => {
  const bytes = new Uint8Array(await file.slice(0, LONGEST).arrayBuffer());
  return accepted.some((kind) => kinds[kind].signature.every((byte, index) => bytes[index] === byte));
};

/** Throws if the browser cannot decode the picture. */
const loadPicture = async (address: string): Promise<HTMLImageElement> => {
  const image = new Image();
  image.src = address;
  await image.decode();
  return image;
};

/** The selected area as a PNG whose longer side has at most `maxPixels`. */
export const cropPicture = async (address: string, area: Area, maxPixels: number): Promise<Blob> => {
  const image = await loadPicture(address);
  const scale = Math.min(1, maxPixels / Math.max(area.width, area.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(area.width * scale));
  canvas.height = Math.max(1, Math.round(area.height * scale));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png');
  });
};

type PictureFileOptions = {
  kinds: readonly PictureKind[];
  texts: { wrongType: string; unreadable: string };
  /** Called once for each rejected file. */
  onRefused?: (text: string) => void;
};

/** The picture to crop as an object URL, which is revoked when it is no longer needed. */
export const usePictureFile = ({ kinds: accepted, texts, onRefused }: PictureFileOptions) => {
  const [address, setAddress] = useState<string>();
  const [problem, setProblem] = useState('');
  useEffect(() => () => (address === undefined ? undefined : URL.revokeObjectURL(address)), [address]);

  const refuse = (text: string) => {
    setProblem(text);
    onRefused?.(text);
  };
  const take = async (file: File) => {
    if (!(await isPictureOf(file, accepted))) return refuse(texts.wrongType);
    const url = URL.createObjectURL(file);
    try {
      await loadPicture(url);
    } catch {
      URL.revokeObjectURL(url);
      return refuse(texts.unreadable);
    }
    setProblem('');
    setAddress(url);
  };
  return { address, problem, take, forget: () => setAddress(undefined) };
};
