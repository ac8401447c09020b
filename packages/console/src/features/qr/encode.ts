import { Ecc, QrCode } from '@rc-component/qrcode/es/libs/qrcodegen';

/** How much of a damaged code can be made good: about 7, 15, 25 and 30 %. */
export const levels = ['L', 'M', 'Q', 'H'] as const;
export type Level = (typeof levels)[number];

/** Bytes that the largest code holds at each level. */
export const capacity: Record<Level, number> = { L: 2953, M: 2331, Q: 1663, H: 1273 };

const encoderLevels: Record<Level, Ecc> = { L: Ecc.LOW, M: Ecc.MEDIUM, Q: Ecc.QUARTILE, H: Ecc.HIGH };

/** Rows of modules, dark or light; without the margin. */
export type Modules = readonly (readonly boolean[])[];

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** As UTF-8 bytes, so that one limit holds whatever the text is made of. */
export const encode = (bytes: Uint8Array, level: Level): Modules =>
  QrCode.encodeBinary([...bytes], encoderLevels[level]).getModules();
