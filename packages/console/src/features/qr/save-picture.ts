import { downloadBlob } from '../../ui/download.ts';
import { DARK, type Drawing, LIGHT } from './drawing.ts';
import { loadImage } from './load-image.ts';

/** Device ids may contain colons, which some file systems do not allow. */
const fileOf = (deviceId: string, extension: string): string => `${deviceId.replaceAll(':', '_')}.${extension}`;

export const saveSvg = (deviceId: string, picture: SVGSVGElement): void => {
  const text = new XMLSerializer().serializeToString(picture);
  downloadBlob(fileOf(deviceId, 'svg'), new Blob([text], { type: 'image/svg+xml' }));
};

const paint = async (context: CanvasRenderingContext2D, drawing: Drawing): Promise<void> => {
  const { width, height, path, logo, lines } = drawing;
  context.fillStyle = LIGHT;
  context.fillRect(0, 0, width, height);
  context.fillStyle = DARK;
  context.fill(new Path2D(path));
  if (logo) context.drawImage(await loadImage(logo.address), logo.place, logo.place, logo.side, logo.side);
  context.textAlign = 'center';
  for (const { text, y, fontSize, kind } of lines) {
    context.font = kind === 'name' ? `600 ${fontSize}px sans-serif` : `${fontSize}px monospace`;
    context.fillText(text, width / 2, y);
  }
};

export const savePng = async (deviceId: string, drawing: Drawing): Promise<void> => {
  const canvas = document.createElement('canvas');
  canvas.width = drawing.width;
  canvas.height = drawing.height;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  await paint(context, drawing);
  const png = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  if (!png) throw new Error('no picture');
  downloadBlob(fileOf(deviceId, 'png'), png);
};
