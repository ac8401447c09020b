import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePictureFile } from '../../ui/picture-file.ts';
import { LIGHT } from './drawing.ts';
import { loadImage } from './load-image.ts';

export const logoKinds = ['jpg', 'png'] as const;

const LOGO_PIXELS = 256;

/** The whole picture on a white square, small enough to embed in an SVG file. */
const squareOf = async (address: string): Promise<string> => {
  const image = await loadImage(address);
  const canvas = document.createElement('canvas');
  canvas.width = LOGO_PIXELS;
  canvas.height = LOGO_PIXELS;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  const scale = LOGO_PIXELS / Math.max(image.naturalWidth, image.naturalHeight);
  const [width, height] = [image.naturalWidth * scale, image.naturalHeight * scale];
  context.fillStyle = LIGHT;
  context.fillRect(0, 0, LOGO_PIXELS, LOGO_PIXELS);
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, (LOGO_PIXELS - width) / 2, (LOGO_PIXELS - height) / 2, width, height);
  return canvas.toDataURL('image/png');
};

/** The logo in the middle of the codes. It is not uploaded. */
export const useLogo = () => {
  const { t } = useTranslation('qrCode');
  const [logo, setLogo] = useState<string>();
  const { address, problem, take, forget } = usePictureFile({
    kinds: logoKinds,
    texts: { wrongType: t('logoWrongType'), unreadable: t('logoUnreadable') },
  });
  useEffect(() => {
    if (address === undefined) return setLogo(undefined);
    let replaced = false;
    void squareOf(address).then((dataUrl) => {
      if (!replaced) setLogo(dataUrl);
    });
    return () => {
      replaced = true;
    };
  }, [address]);
  return { logo, problem, take, forget };
};
export type Logo = ReturnType<typeof useLogo>;
