import { type Caption, type CaptionLine, captionUnder } from './caption.ts';
import { bytesOf, capacity, encode, type Level, type Modules } from './encode.ts';

/** In both themes, because scanners need dark on white. */
export const DARK = '#000';
export const LIGHT = '#fff';

export const SIZE_MIN = 128;
export const SIZE_MAX = 1024;
export const MARGIN_MAX = 10;
/** Required by the QR standard. */
export const MARGIN_STANDARD = 4;

/** Minimum module size: smaller modules blur on screens and in cameras. */
const MODULE_PIXELS_LEAST = 2;

export type CodeStyle = {
  /** Side length in pixels including the margin; the caption is added below. */
  size: number;
  level: Level;
  /** In modules. */
  margin: number;
  /** A square picture as a data URL. */
  logo: string | undefined;
};

/** A code as shapes and texts, for SVG or canvas. */
export type Drawing = {
  width: number;
  height: number;
  /** The dark modules, in whole pixels. */
  path: string;
  logo: { address: string; place: number; side: number } | undefined;
  lines: readonly CaptionLine[];
};

export type DrawingError = { kind: 'empty' } | { kind: 'tooLong'; limit: number } | { kind: 'tooSmall'; least: number };

/** Logo size as a share of the side, well below what each level can correct. */
const logoShare: Record<Level, number> = { L: 0.12, M: 0.16, Q: 0.2, H: 0.24 };

/** Logo size in modules; odd, so that the logo is centred. */
const logoModules = (modules: number, level: Level): number =>
  Math.max(3, 2 * Math.floor((modules * logoShare[level] - 1) / 2) + 1);

const without = (modules: Modules, from: number, count: number): Modules => {
  const inside = (index: number) => index >= from && index < from + count;
  return modules.map((row, y) => (inside(y) ? row.map((dark, x) => dark && !inside(x)) : row));
};

/** SVG path with a rectangle for each run of dark modules. */
const pathOf = (modules: Modules, pixels: number, offset: number): string =>
  modules
    .flatMap((row, y) =>
      [
        ...row
          .map((dark) => (dark ? '#' : ' '))
          .join('')
          .matchAll(/#+/g),
      ].map(({ index, 0: { length } }) => {
        const x = offset + index * pixels;
        return `M${x} ${offset + y * pixels}h${length * pixels}v${pixels}H${x}z`;
      }),
    )
    .join('');

export const isDrawingError = (drawn: Drawing | DrawingError): drawn is DrawingError => 'kind' in drawn;

/** Draws a code. Modules are whole pixels to avoid blurred edges; the remainder widens the margin. */
export const drawCode = (content: string, caption: Caption | undefined, style: CodeStyle): Drawing | DrawingError => {
  const { size, level, margin, logo } = style;
  const bytes = bytesOf(content);
  if (bytes.length === 0) return { kind: 'empty' };
  if (bytes.length > capacity[level]) return { kind: 'tooLong', limit: capacity[level] };
  const modules = encode(bytes, level);
  const count = modules.length;
  const pixels = Math.floor(size / (count + 2 * margin));
  if (pixels < MODULE_PIXELS_LEAST) return { kind: 'tooSmall', least: (count + 2 * margin) * MODULE_PIXELS_LEAST };
  const offset = Math.floor((size - count * pixels) / 2);
  const hidden = logoModules(count, level);
  const from = (count - hidden) / 2;
  const { lines, height } = caption ? captionUnder(caption, size) : { lines: [], height: 0 };
  return {
    width: size,
    height: size + height,
    path: pathOf(logo === undefined ? modules : without(modules, from, hidden), pixels, offset),
    logo: logo === undefined ? undefined : { address: logo, place: offset + from * pixels, side: hidden * pixels },
    lines,
  };
};
